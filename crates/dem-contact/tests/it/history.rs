//! Tests of the contract of laws with a history, by a friction spring of the test, and of bodies of infinite mass.

use dem_contact::wall::WallLoad;

use crate::prelude::*;
use crate::walls::support::Spring;

fn field() -> ContactForce {
    open(Hooke::new(1e4, Damping::NONE).unwrap(), Spring { stiffness: 2e3, friction: f64::INFINITY })
}

#[test]
fn a_spring_adds_up_slip_once_per_step() {
    let (bodies, state) = moving(&[[DVec3::ZERO; 2], [DVec3::X * 0.99, DVec3::Y * 0.1]]);
    let mut field = field();
    // The normal in the middle of the step differs by this factor.
    let across = (0.5e-4_f64).atan2(0.99).cos();
    // Repeated evaluations start from the committed history.
    for _ in 0..3 {
        let out = wrenches_after(&bodies, &mut field, &state, 1e-3);
        assert!((out.force.get(1).y + 2e3 * 1e-4 * across).abs() < 1e-12, "{}", out.force.get(1));
    }
    field.commit();
    let out = wrenches_after(&bodies, &mut field, &state, 1e-3);
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
    assert!(before[0].tangential_force.length() > 0.0);
    assert_eq!(before[0].tangential_force, after[0].tangential_force);
    let place = state.position().get(0);
    let velocity = state.velocity().get(0);
    state.discard_wrenches();
    advance(&bodies, &mut field, &mut state, 1e-3, 1);
    assert_eq!((field.list().builds(), state.velocity().get(0)), (2, velocity));
    assert!((state.position().get(0) - (place + 1e-3 * velocity)).length() < 1e-15);
}

/// Returns these spheres with some of them fixed.
fn fixing<const N: usize>((bodies, state): (Bodies, State), fixed: [usize; N]) -> (Bodies, State) {
    let mut rows: Vec<Body> = bodies.into();
    fixed.into_iter().for_each(|i| rows[i] = Body::fixed(rows[i].radius));
    (Bodies::new(rows).unwrap(), state)
}

#[test]
fn frozen_bodies_stay_and_count_as_infinitely_heavy() {
    let centers = [DVec3::ZERO, DVec3::X * 0.98, DVec3::new(0.49, 0.0, 1.2)];
    let (bodies, mut state) = fixing(spheres(&centers), [0, 1]);
    let law = Hooke::new(1e4, Damping::coefficient(50.0).unwrap()).unwrap();
    let mut field = Both(Gravity { acceleration: DVec3::NEG_Z }, open(law, Frictionless));
    advance(&bodies, &mut field, &mut state, 1e-3, 20_000);
    // The two frozen bodies overlap without a force; the third body has come to rest on both.
    assert_eq!([0, 1].map(|i| state.position().get(i)), [centers[0], centers[1]]);
    let rest = state.position().get(2);
    assert!(rest.z > 0.8 && rest.z < 0.88 && state.velocity().get(2).length() < 1e-6, "{rest}");
    assert_eq!(field.1.list().pairs(), [[0, 2], [1, 2]]);

    // The reduced mass in the damping is the whole mass of the moving body.
    let (bodies, mut state) = spheres(&[DVec3::ZERO, DVec3::X]);
    let (half_fixed, _) = fixing(spheres(&[DVec3::ZERO, DVec3::X]), [0]);
    state.position_mut().set(1, DVec3::X * (1.0 - 1e-9));
    state.velocity_mut().set(1, DVec3::X * 2.0);
    let force = |bodies: &Bodies| wrenches(bodies, &mut open(law, Frictionless), &state).force.get(1).x;
    assert!((force(&bodies) + 50.0).abs() < 1e-4 && (force(&half_fixed) + 100.0).abs() < 1e-4);
}

#[test]
fn frozen_bodies_may_stick_in_walls() {
    // One fixed body is at the wall, one behind it: neither bears or exerts a force, and the ledger stays finite.
    let centers = [DVec3::Z * 0.3, DVec3::new(3.0, 0.0, -2.0), DVec3::Z * 1.29];
    let (bodies, mut state) = fixing(spheres(&centers), [0, 1]);
    for damping in [Damping::coefficient(50.0), Damping::restitution(0.5), Ok(Damping::NONE)] {
        let law = Hooke::new(1e4, damping.unwrap()).unwrap();
        let mut contacts = open(law, Viscous::new(10.0).unwrap())
            .with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)])
            .unwrap()
            .with_ledger();
        advance(&bodies, &mut contacts, &mut state, 1e-4, 10);
        assert_eq!(contacts.wall_loads(), [WallLoad::default()]);
        assert_eq!(contacts.contacts(&bodies, &state).unwrap().len(), 1);
        let ledger = Ledger::read(&contacts, &rrp_integrate::NoForce, &bodies, &state).unwrap();
        assert!(ledger.balance().is_finite() && ledger.kinetic.total() > 0.0);
    }
}
