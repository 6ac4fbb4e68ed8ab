//! A run that is stored, restored and continued has the bits of an uninterrupted run.

use crate::prelude::*;

/// Makes a row of spheres in motion with bonds of both laws, beside a wall.
fn chain() -> (Bodies, Both<Bonds, ElasticWall>, State) {
    let bodies = Bodies::new([Body::sphere(1.0, 0.5); 8]).unwrap();
    let mut state = State::at_rest(8);
    for i in 0..8 {
        state.position_mut().set(i, DVec3::new(0.5 + i as f64, 0.1 * i as f64, 0.0));
        state.velocity_mut().set(i, DVec3::new(-1.0, 0.0, 0.3 * i as f64));
    }
    let law =
        BondLaw { bending: 1.0, stretching: 20.0, shearing: 5.0, contact: 50.0, strength: Strength::of_force(1.0) };
    let strength = StressLimits::UNBREAKABLE;
    let parallel = ParallelBondLaw { radius: 0.3, normal_stiffness: 200.0, shear_stiffness: 80.0, strength };
    let weak = ParallelBondLaw { strength: StressLimits { tension: 4.0, shear: 2.0 }, ..parallel };
    let link = |i: usize| match i {
        0..5 => Bond::new(i, i + 1, law),
        5 => Bond::new(i, i + 1, weak),
        _ => Bond::new(i, i + 1, parallel),
    };
    let bonds = Bonds::new(&bodies, &state, (0..7).map(link)).unwrap();
    let wall = ElasticWall::new(DVec3::ZERO, DVec3::new(1.0, 0.1, 0.0), 50.0).unwrap();
    (bodies, Both(bonds.with_shear(ShearForm::Monotone), wall), state)
}

#[test]
fn a_restart_goes_on_with_the_same_bits() {
    let (bodies, mut field, mut state) = chain();
    let mut map = Explicit::new(Map::Rodrigues25, 5e-3).unwrap();
    run(&mut map, &bodies, &mut field, &mut state, 300, |_| ()).unwrap();
    // Bonds of both laws have broken, and a parallel one is stretched.
    let broken = field.0.ruptures().iter().map(|rupture| rupture.bond).collect::<Vec<_>>();
    assert!(broken.iter().any(|bond| *bond < 5) && broken.contains(&5), "{broken:?}");
    assert!(field.0.loads(&bodies, &state).last().unwrap().energies.total() > 1e-6);
    let text = serde_json::to_string(&(&field, &state)).unwrap();
    let (mut again, mut then): (Both<Bonds, ElasticWall>, State) = serde_json::from_str(&text).unwrap();
    for (field, state) in [(&mut field, &mut state), (&mut again, &mut then)] {
        run(&mut map, &bodies, field, state, 300, |_| ()).unwrap();
    }
    assert!(state == then && field.0.ruptures() == again.0.ruptures() && field.1 == again.1);
}

#[test]
fn a_stored_number_of_bodies_takes_no_memory() {
    let text = serde_json::to_string(&chain().1.0).unwrap().replacen("\"bodies\":8", "\"bodies\":4294967295", 1);
    let mut bonds: Bonds = serde_json::from_str(&text).unwrap();
    let (bodies, _, mut state) = chain();
    assert!(Explicit::new(Map::Rodrigues25, 5e-3).unwrap().step(&bodies, &mut bonds, &mut state).is_err());
}

#[test]
fn what_is_stored_is_checked() {
    let text = serde_json::to_string(&chain().1.0).unwrap();
    let unturned = "{\"form\":\"Decoupled\",\"reference\":null},";
    for (from, to) in [
        ("\"bodies\":8", "\"bodies\":3"),
        ("\"bodies\":[0,1]", "\"bodies\":[1,1]"),
        ("\"bending\":1.0", "\"bending\":-1.0"),
        ("\"intact\":[true,", "\"intact\":["),
        ("\"intact\":[true,", "\"intact\":[false,"),
        ("\"bodies\":8", "\"bodies\":18446744073709551615"),
        ("\"set\":0", "\"set\":1"),
        ("\"sets\":[{", "\"sets\":[{\"form\":\"Decoupled\",\"reference\":[]},{"),
        ("\"sets\":[{", &format!("\"sets\":[{}{{", unturned.repeat(3))),
    ] {
        assert!(text.contains(from), "{text}");
        assert!(serde_json::from_str::<Bonds>(&text.replacen(from, to, 1)).is_err(), "{to}");
    }
}
