//! Tests of bodies of infinite mass.

use dem_contact::wall::WallLoad;

use crate::prelude::*;

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
    // The two frozen ones overlap and do not push each other; the third has come to rest on both.
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
