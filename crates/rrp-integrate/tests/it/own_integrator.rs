//! An integrator of another crate, by `take_step`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rrp_integrate::step::take_step;
use rrp_integrate::{Scheme, StepReport};

use crate::prelude::*;

/// Symplectic Euler for bodies that do not turn. A step fails above a height, and panics if the height is −∞.
struct Euler {
    dt: f64,
    ceiling: f64,
    next: State,
}

impl Integrator for Euler {
    fn scheme(&self) -> Scheme {
        Scheme { dt: self.dt, order: 1, symplectic: true, reversible: false }
    }

    fn step(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
    ) -> Result<StepReport, IntegrateError> {
        let dt = self.dt;
        let ceiling = self.ceiling;
        take_step(bodies, field, state, &mut self.next, dt, |state, next| {
            let wrenches = state.wrenches().expect("they were evaluated");
            for i in 0..bodies.len() {
                let velocity = state.velocity().get(i) + dt * bodies.inverse_mass()[i] * wrenches.force.get(i);
                next.velocity_mut().set(i, velocity);
                next.position_mut().set(i, state.position().get(i) + dt * velocity);
                next.attitude_mut().set(i, state.attitude().get(i));
                next.angular_momentum_mut().set(i, state.angular_momentum().get(i));
                assert!(ceiling > f64::NEG_INFINITY, "no ceiling");
                if next.position().get(i).z > ceiling {
                    return Err(IntegrateError::Method("through the ceiling".into()));
                }
            }
            Ok(3)
        })
    }
}

/// Gravity that counts its evaluations and commits.
struct Counted(Gravity, usize, usize);

impl ForceField for Counted {
    fn accumulate(&mut self, bodies: &Bodies, state: &State, dt: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        self.1 += 1;
        self.0.accumulate(bodies, state, dt, out)
    }

    fn commit(&mut self) {
        self.2 += 1;
    }
}

#[test]
fn it_steps_like_one_of_ours_and_fails_without_a_trace() {
    let bodies = Bodies::new([Body::sphere(2.0, 0.5), Body::fixed(0.5)]).unwrap();
    let mut state = State::at_rest(2);
    state.velocity_mut().set(0, DVec3::new(1.0, 0.0, 5.0));
    let mut twin = state.clone();
    let mut field = Counted(Gravity { acceleration: DVec3::NEG_Z }, 0, 0);
    let mut own = Euler { dt: 0.1, ceiling: 10.0, next: State::at_rest(0) };
    let mut ours = Explicit::new(Map::Rodrigues27, 0.1).unwrap();
    for step in 0..25 {
        let report = own.step(&bodies, &mut field, &mut state).unwrap();
        assert_eq!((report.evaluations, report.iterations), (if step == 0 { 2 } else { 1 }, 3));
        ours.step(&bodies, &mut Gravity { acceleration: DVec3::NEG_Z }, &mut twin).unwrap();
        assert!((state.position().get(0) - twin.position().get(0)).length() < 1e-13 && state.wrenches().is_some());
        assert!((state.time() - twin.time()).abs() <= 0.0);
    }
    assert_eq!((field.1, field.2), (26, 25));
    let before = state.clone();
    own.ceiling = 0.0;
    assert!(matches!(own.step(&bodies, &mut field, &mut state), Err(IntegrateError::Method(_))));
    assert!(state == before && state.wrenches().is_some() && state.wrenches() == before.wrenches() && field.2 == 25);
    own.ceiling = f64::NEG_INFINITY;
    let step = AssertUnwindSafe(|| own.step(&bodies, &mut field, &mut state));
    assert!(catch_unwind(step).is_err());
    assert!(state == before && state.wrenches().is_some() && state.wrenches() == before.wrenches() && field.2 == 25);
    own.ceiling = 10.0;
    own.step(&bodies, &mut field, &mut state).unwrap();
    ours.step(&bodies, &mut Gravity { acceleration: DVec3::NEG_Z }, &mut twin).unwrap();
    assert!((state.position().get(0) - twin.position().get(0)).length() < 1e-13);
    // The next state is checked.
    let mut broken = Euler { dt: 0.1, ceiling: f64::INFINITY, next: State::at_rest(0) };
    state.velocity_mut().set(0, DVec3::splat(1.7e308));
    let mut field = Gravity { acceleration: DVec3::splat(1e308) };
    assert!(matches!(
        broken.step(&bodies, &mut field, &mut state),
        Err(IntegrateError::ForceNotFinite { body: 0, .. })
    ));
}
