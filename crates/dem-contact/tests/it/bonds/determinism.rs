//! Tests that bits of bonds are the same for any number of threads.

use dem_contact::bond::AnyBondLaw;

use crate::prelude::*;

/// Runs twenty steps of a lattice with `SIDE` spheres along each edge and bonds between neighbours, some of which
/// break.
fn lattice<const SIDE: usize>(law: AnyBondLaw, threads: usize) -> (State, usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let bodies = Bodies::new(vec![Body::sphere(1.0, 0.5); SIDE.pow(3)]).unwrap();
        let mut state = State::at_rest(bodies.len());
        for k in 0..bodies.len() {
            let place = [k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE].map(|c| c as f64);
            state.position_mut().set(k, place.into());
            let phase = k as f64 * 0.618;
            state.velocity_mut().set(k, DVec3::new(phase.sin(), phase.cos(), (1.7 * phase).sin()));
        }
        let mut bonds = Bonds::of_packing(&bodies, &state, 1e-6, law).unwrap().with_shear(ShearForm::Monotone);
        assert_eq!(bonds.len(), 3 * SIDE * SIDE * (SIDE - 1));
        let mut map = Explicit::new(Map::Rodrigues25, 0.01).unwrap();
        run(&mut map, &bodies, &mut bonds, &mut state, 20, |_| ()).unwrap();
        (state, bonds.ruptures().len())
    })
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let strength = Strength::of_force(6.0);
    let law = BondLaw { bending: 1.0, stretching: 50.0, shearing: 20.0, contact: 100.0, strength };
    let (one, broken) = lattice::<20>(law.into(), 1);
    assert!(broken > 100 && broken < 20_000, "{broken}");
    for threads in [2, 3, 8] {
        let (other, also_broken) = lattice::<20>(law.into(), threads);
        assert!(one == other && broken == also_broken, "{threads} threads");
    }
}

#[test]
fn parallel_bonds_have_the_same_bits_for_any_number_of_threads() {
    let strength = StressLimits { tension: 12.0, shear: 6.0 };
    let law = ParallelBondLaw { radius: 0.3, normal_stiffness: 200.0, shear_stiffness: 80.0, strength };
    let (one, broken) = lattice::<14>(law.into(), 1);
    assert!(broken > 100 && broken < 7000, "{broken}");
    let (other, also_broken) = lattice::<14>(law.into(), 3);
    assert!(one == other && broken == also_broken);
}
