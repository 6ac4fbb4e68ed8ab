//! The same bits on any number of threads.

use dem_contact::bond::{BondLaw, Bonds, ShearForm, Strength};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Explicit, Map, State, run};

/// A lattice of 8000 spheres with 22 800 bonds, some of which break, after twenty steps.
fn lattice(threads: usize) -> (State, usize) {
    const SIDE: usize = 20;
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
        let law = BondLaw {
            bending: 1.0,
            stretching: 50.0,
            shearing: 20.0,
            contact: 100.0,
            strength: Strength::of_force(6.0),
        };
        let mut bonds = Bonds::of_packing(&bodies, &state, 1e-6, law).unwrap().with_shear(ShearForm::Monotone);
        assert_eq!(bonds.len(), 3 * SIDE * SIDE * (SIDE - 1));
        let mut map = Explicit::new(Map::Rodrigues25, 0.01).unwrap();
        run(&mut map, &bodies, &mut bonds, &mut state, 20, |_| ()).unwrap();
        (state, bonds.ruptures().len())
    })
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let (one, broken) = lattice(1);
    assert!(broken > 100 && broken < 20_000, "{broken}");
    for threads in [2, 3, 8] {
        let (other, also_broken) = lattice(threads);
        assert!(one == other && broken == also_broken, "{threads} threads");
    }
}
