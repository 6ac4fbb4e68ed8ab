use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::error::IntegrateError;
use crate::field::force_field::ForceField;
use crate::step::evaluation::{evaluate, explain, overflow};
use crate::step::integrator::{StepReport, check_time_step};
use crate::step::kick_in_place::kick_in_place;
use crate::step::trial::Trial;

/// Two half kicks by a force field around a step of another crate, with the contract of
/// [`Integrator::step`](crate::Integrator::step).
///
/// The step over the time h is v = v + h/2m F(x), then the inner step, then v' = v' + h/2m F(x'), and angular momenta
/// likewise. The step is symmetric if the inner step is symmetric. It conserves energy exactly under uniform forces if
/// the inner step has x' − x = h/2 (v + v') for its start and end velocities v, v'.
#[derive(Debug, Clone)]
pub struct HalfKicks {
    dt: f64,
    next: State,
}

impl HalfKicks {
    ///
    /// # Errors
    /// [`IntegrateError::InvalidTimeStep`] unless `dt` is finite and positive.
    pub fn new(dt: f64) -> Result<Self, IntegrateError> {
        check_time_step(dt)?;
        Ok(Self { dt, next: State::at_rest(0) })
    }

    /// Time step h in s, half of which is the time of each kick.
    #[must_use]
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// Takes one step. `between`, the inner step, gets the state at the start of the step, and moves the next state to
    /// the end of the step.
    ///
    /// On entry the next state has the old positions, the velocities and angular momenta after the first half kick,
    /// arbitrary attitudes, and the new time. The report counts the evaluation of `field`.
    ///
    /// # Errors
    /// Those of `between`, of the field and of [`Explicit`](crate::Explicit). The state, its wrenches and the committed
    /// history of the field are then as before, to the bit, also if the field or `between` panics.
    pub fn step(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
        between: impl FnOnce(&State, &mut State) -> Result<StepReport, IntegrateError>,
    ) -> Result<StepReport, IntegrateError> {
        let dt = self.dt;
        let half = 0.5 * self.dt;
        let trial = Trial::begin(bodies, field, state, &mut self.next)?;
        let state = &*trial.state;
        let next = &mut *trial.next;
        next.position.copy_from(&state.position);
        next.velocity.copy_from(&state.velocity);
        next.angular_momentum.resize(bodies.len());
        next.angular_momentum.copy_from(&state.angular_momentum);
        next.wrenches.force.copy_from(&state.wrenches.force);
        next.wrenches.torque.copy_from(&state.wrenches.torque);
        if !kick_in_place(bodies, next, half) {
            return Err(explain(bodies, state).unwrap_or_else(|| overflow(bodies, next)));
        }
        next.set_time_after(state, dt);
        let report = between(state, next)?;
        next.check_length(bodies.len())?;
        evaluate(bodies, field, next, dt)?;
        if !kick_in_place(bodies, next, half) {
            return Err(explain(bodies, next).unwrap_or_else(|| overflow(bodies, next)));
        }
        Ok(trial.accept(field, StepReport { evaluations: report.evaluations + 1, ..report }))
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use rrp_geom::glam::DVec3;

    use super::*;
    use crate::body::rigid_body::Body;
    use crate::field::gravity::Gravity;
    use crate::step::explicit::Explicit;
    use crate::step::integrator::Integrator;
    use crate::step::map::Map;

    #[test]
    fn with_a_drift_between_them_they_are_velocity_verlet() {
        let bodies = Bodies::new([Body::sphere(2.0, 0.5), Body::fixed(0.5)]).unwrap();
        let mut state = State::at_rest(2).without_attitudes();
        state.velocity_mut().set(0, DVec3::new(1.0, 2.0, 3.0));
        let mut other = state.clone();
        let mut field = Gravity { acceleration: DVec3::NEG_Z };
        let mut kicks = HalfKicks::new(0.1).unwrap();
        let mut map = Explicit::new(Map::Verlet, 0.1).unwrap();
        for _ in 0..3 {
            let drift = |_: &State, next: &mut State| {
                for i in 0..2 {
                    let moved = next.position.get(i) + 0.1 * next.velocity.get(i);
                    next.position.set(i, moved);
                }
                Ok(StepReport { evaluations: 0, iterations: 3 })
            };
            let report = kicks.step(&bodies, &mut field, &mut state, drift).unwrap();
            assert_eq!(report.iterations, 3);
            map.step(&bodies, &mut field, &mut other).unwrap();
        }
        assert!((state.time() - other.time()).abs() < 1e-15);
        assert!((state.position().get(0) - other.position().get(0)).length() < 1e-14);
        assert!((state.velocity().get(0) - other.velocity().get(0)).length() < 1e-14);
    }

    #[test]
    fn a_step_that_fails_between_them_changes_nothing() {
        let bodies = Bodies::new([Body::sphere(2.0, 0.5)]).unwrap();
        let mut state = State::at_rest(1);
        let mut field = Gravity { acceleration: DVec3::NEG_Z };
        let mut kicks = HalfKicks::new(0.1).unwrap();
        let none = StepReport { evaluations: 0, iterations: 0 };
        for steps in [0, 1] {
            for _ in 0..steps {
                kicks.step(&bodies, &mut field, &mut state, |_, _| Ok(none)).unwrap();
            }
            let before = state.clone();
            let fail = |_: &State, _: &mut State| Err(IntegrateError::NoAttitudes);
            assert!(kicks.step(&bodies, &mut field, &mut state, fail).is_err());
            assert!(state == before && state.wrenches() == before.wrenches());
            let panic = |_: &State, _: &mut State| -> Result<StepReport, IntegrateError> { panic!("as it is to be") };
            let step = AssertUnwindSafe(|| kicks.step(&bodies, &mut field, &mut state, panic));
            assert!(catch_unwind(step).is_err());
            assert!(state == before && state.wrenches() == before.wrenches());
            assert_eq!(state.wrenches().is_some(), steps > 0);
        }
        assert!(HalfKicks::new(f64::NAN).is_err());
    }
}
