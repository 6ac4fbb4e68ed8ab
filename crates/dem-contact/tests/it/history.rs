//! Tests of the contract of laws with a history, by a friction spring of the test's own.

use crate::prelude::*;

/// A tangential spring without limit; its history is the slip so far.
#[derive(Debug, Clone, Copy)]
struct Spring {
    stiffness: f64,
}

impl TangentialLaw for Spring {
    type History = DVec3;

    fn force(&self, slip: &ContactKinematics, history: &mut DVec3) -> DVec3 {
        // The spring turns with the contact: its normal part is dropped.
        *history -= slip.normal * history.dot(slip.normal);
        *history += slip.velocity * slip.elapsed;
        *history * -self.stiffness
    }
}

fn field() -> ContactForce {
    open(Hooke::new(1e4, Damping::NONE).unwrap(), Spring { stiffness: 2e3 })
}

#[test]
fn a_spring_adds_up_slip_once_per_step() {
    let (bodies, mut state) = spheres(&[DVec3::ZERO, DVec3::X * 0.99]);
    state.velocity_mut().set(1, DVec3::Y * 0.1);
    let mut field = field();
    let mut out = Wrenches::zeros(2);
    // The normal in the middle of the step differs by this factor.
    let across = (0.5e-4_f64).atan2(0.99).cos();
    // Repeated evaluations start from the committed history.
    for _ in 0..3 {
        out.clear();
        field.accumulate(&bodies, &state, 1e-3, &mut out).unwrap();
        assert!((out.force.get(1).y + 2e3 * 1e-4 * across).abs() < 1e-12, "{}", out.force.get(1));
    }
    field.commit();
    out.clear();
    field.accumulate(&bodies, &state, 1e-3, &mut out).unwrap();
    assert!((out.force.get(1).y + 2.0 * 2e3 * 1e-4 * across).abs() < 1e-12);
    assert_eq!(out.force.get(0), -out.force.get(1));
}

#[test]
fn bodies_can_be_frozen_in_the_course_of_a_run() {
    let (bodies, mut state) = spheres(&[DVec3::ZERO, DVec3::X * 0.99, DVec3::X * 1.98]);
    state.velocity_mut().set(1, DVec3::Y * 0.1);
    let mut field = field();
    advance(&bodies, &mut field, &mut state, 1e-3, 1);
    let before = field.contacts(&bodies, &state).unwrap();
    let mut rows: Vec<Body> = bodies.into();
    rows[0] = Body::fixed(rows[0].radius);
    let bodies = Bodies::new(rows).unwrap();
    let after = field.contacts(&bodies, &state).unwrap();
    // The springs are as they were.
    assert!(before[0].tangential_force.length() > 0.0);
    assert_eq!(before[0].tangential_force, after[0].tangential_force);
    let place = state.position().get(0);
    let velocity = state.velocity().get(0);
    state.discard_wrenches();
    advance(&bodies, &mut field, &mut state, 1e-3, 1);
    assert_eq!((field.list().builds(), state.velocity().get(0)), (2, velocity));
    assert!((state.position().get(0) - (place + 1e-3 * velocity)).length() < 1e-15);
}
