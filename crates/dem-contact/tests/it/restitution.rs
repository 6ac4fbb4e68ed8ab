//! Tests of damping given as restitution.

use crate::prelude::*;

/// Returns the speed after over the speed before the first bounce of a sphere dropped on a floor.
fn bounce(law: impl ContactLaw + 'static) -> f64 {
    // The run begins at the end of a fall from the height one: just above the floor, at the speed √2.
    let (bodies, mut state) = spheres(&[DVec3::Z * (0.5 + 1e-4)]);
    state.velocity_mut().set(0, DVec3::Z * -2.0_f64.sqrt());
    let field = open(law, Frictionless).with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
    // Gravity adds the deepest overlap times g to the energy of the impact, which is negligible on this hard floor.
    let mut field = Both(Gravity { acceleration: DVec3::NEG_Z }, field);
    let mut map = Explicit::new(Map::Verlet, 2e-7).unwrap();
    let mut before = 0.0;
    loop {
        map.step(&bodies, &mut field, &mut state).unwrap();
        let height = state.position().get(0).z;
        let speed = state.velocity().get(0).z;
        if height > 0.5 && speed < 0.0 {
            before = speed;
        }
        if height > 0.5 && speed > 0.0 {
            return -speed / before;
        }
    }
}

#[test]
fn the_bounce_has_the_restitution_asked_for() {
    for wanted in [0.3, 0.5, 0.7, 0.9, 0.95] {
        let restitution = Damping::restitution(wanted).unwrap();
        let capped = Damping::restitution_capped(wanted).unwrap();
        for (name, found) in [
            ("Hooke", bounce(Hooke::new(1e7, restitution).unwrap())),
            ("Hooke, capped", bounce(Hooke::new(1e7, capped).unwrap())),
            ("Hertz", bounce(Hertz::new(1e9, restitution).unwrap())),
            ("Hertz, capped", bounce(Hertz::new(1e9, capped).unwrap())),
        ] {
            println!("{name}: asked {wanted}, found {found}");
            assert!((found - wanted).abs() < 1e-3, "{name}: asked {wanted}, found {found}");
        }
    }
}
