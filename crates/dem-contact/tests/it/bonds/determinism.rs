//! Tests that bits of bonds are the same for any number of threads.

use dem_contact::bond::AnyBondLaw;

use crate::prelude::*;

/// Twenty steps of a lattice with bonds between neighbours, some of which break.
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let strength = StressLimits { tension: 12.0, shear: 6.0 };
    let parallel = ParallelBondLaw { radius: 0.3, normal_stiffness: 200.0, shear_stiffness: 80.0, strength };
    let strength = Strength::of_force(6.0);
    let point = BondLaw { bending: 1.0, stretching: 50.0, shearing: 20.0, contact: 100.0, strength };
    let rows = [(AnyBondLaw::from(point), 20_usize, &[2, 3, 8][..], 20_000), (parallel.into(), 14, &[3][..], 7000)];
    for (law, side, threads, most) in rows {
        let (_, broken) = same_on_threads(threads, || {
            let place = |k: usize| [k % side, k / side % side, k / side / side].map(|c| c as f64);
            let (bodies, mut state) = placed(vec![Body::sphere(1.0, 0.5); side.pow(3)], (0..side.pow(3)).map(place));
            for k in 0..bodies.len() {
                let phase = k as f64 * 0.618;
                state.velocity_mut().set(k, DVec3::new(phase.sin(), phase.cos(), (1.7 * phase).sin()));
            }
            let mut bonds = Bonds::of_packing(&bodies, &state, 1e-6, law).unwrap().with_shear(ShearForm::Monotone);
            assert_eq!(bonds.len(), 3 * side * side * (side - 1));
            let mut map = Explicit::new(Map::Rodrigues25, 0.01).unwrap();
            run(&mut map, &bodies, &mut bonds, &mut state, 20, |_| ()).unwrap();
            (state, bonds.ruptures().len())
        });
        assert!(broken > 100 && broken < most, "{law:?}: {broken}");
    }
}
