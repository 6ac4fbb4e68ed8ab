//! Steps of other integrators between two half kicks of a field.

use crate::evaluation::{self, evaluate, explain, overflow};
use crate::integrator::check_time_step;
use crate::{Bodies, ForceField, IntegrateError, State, StepReport, kick, par};

/// A step that another crate makes between two half kicks of a field: what an integrator of its own needs to keep the
/// contract of [`Integrator::step`](crate::Integrator::step).
///
/// v = v + h/2m F(x), whatever comes between, v' = v' + h/2m F(x'), and angular momenta alike. Symmetric where the part
/// between is, and exact for the energy of uniform forces where x' − x = h/2 (v + v') between the kicks.
#[derive(Debug, Clone)]
pub struct HalfKicks {
    dt: f64,
    next: State,
}

impl HalfKicks {
    /// Half kicks for the time step `dt` in s.
    ///
    /// # Errors
    /// [`IntegrateError::InvalidTimeStep`] unless `dt` is finite and positive.
    pub fn new(dt: f64) -> Result<Self, IntegrateError> {
        check_time_step(dt)?;
        Ok(Self { dt, next: State::at_rest(0) })
    }

    /// The time step h in s.
    #[must_use]
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// Takes one step. `between` sees the state that the step starts from and moves on the one that it is to end with:
    /// on entry its positions are the old ones, its velocities and angular momenta those after the first half kick, its
    /// attitudes anything, its time the new one. The report counts the evaluation of `field`.
    ///
    /// # Errors
    /// That of `between`, of the field, and what `Explicit` fails with; the state and the committed memory of the field are
    /// then as before.
    pub fn step(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
        between: impl FnOnce(&State, &mut State) -> Result<StepReport, IntegrateError>,
    ) -> Result<StepReport, IntegrateError> {
        let Self { dt, next } = self;
        let half = 0.5 * *dt;
        evaluation::step(bodies, field, state, next, |field, state, next| {
            next.position.copy_from(&state.position);
            next.velocity.copy_from(&state.velocity);
            next.angular_momentum.resize(state.len());
            next.angular_momentum.copy_from(&state.angular_momentum);
            next.wrenches.force.copy_from(&state.wrenches.force);
            next.wrenches.torque.copy_from(&state.wrenches.torque);
            if !kick(bodies, next, half) {
                return Err(explain(bodies, state).unwrap_or_else(|| overflow(bodies, next)));
            }
            next.set_time_after(state, *dt);
            let report = between(state, next)?;
            next.check_length(bodies.len())?;
            evaluate(bodies, field, next, *dt)?;
            if !kick(bodies, next, half) {
                return Err(explain(bodies, next).unwrap_or_else(|| overflow(bodies, next)));
            }
            Ok(StepReport { evaluations: report.evaluations + 1, ..report })
        })
    }
}

/// Kicks the velocities and angular momenta of `state` over the time `half` by its own wrenches; true if all is finite.
fn kick(bodies: &Bodies, state: &mut State, half: f64) -> bool {
    let force = state.wrenches.force.slices();
    let translation = (state.velocity.slices_mut(), bodies.inverse_mass().piece(), force);
    let rotation = state.wrenches.torque.slices().map(|torque| (torque, state.angular_momentum.slices_mut()));
    par::all_leaves((translation, rotation), &|((v, inverse_mass, force), rotation)| {
        let moved = force.is_none_or(|force| kick::in_place(half, inverse_mass.leaf(&mut None), force, v));
        let spun = rotation.is_none_or(|(torque, l)| kick::momentum_in_place(half, torque, l));
        moved & spun
    })
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;

    use super::*;
    use crate::{Body, Explicit, Gravity, Integrator, Map};

    #[test]
    fn with_a_drift_between_them_they_are_velocity_verlet() {
        let bodies = Bodies::new([Body::sphere(2.0, 0.5), Body::fixed(0.5)]).unwrap();
        let mut state = State::at_rest(2).without_attitudes();
        state.velocity_mut().set(0, DVec3::new(1.0, 2.0, 3.0));
        let mut other = state.clone();
        let mut field = Gravity { acceleration: DVec3::NEG_Z };
        let (mut kicks, mut map) = (HalfKicks::new(0.1).unwrap(), Explicit::new(Map::VelocityVerlet, 0.1).unwrap());
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
        let (mut state, mut field) = (State::at_rest(1), Gravity { acceleration: DVec3::NEG_Z });
        let before = state.clone();
        let fail = |_: &State, _: &mut State| Err(IntegrateError::NoAttitudes);
        assert!(HalfKicks::new(0.1).unwrap().step(&bodies, &mut field, &mut state, fail).is_err());
        assert_eq!(state, before);
        assert!(HalfKicks::new(f64::NAN).is_err());
    }
}
