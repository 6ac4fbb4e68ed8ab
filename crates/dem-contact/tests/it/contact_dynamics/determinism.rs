//! Tests that bits of contact dynamics are the same for any number of threads.

use cd_solve::friction::CoulombSolver;
use dem_contact::contact_dynamics::{ContactCoefficients, MoreauJean, RigidContact, RigidMaterials};

use crate::contact_dynamics::support::{advance, apgd, gravity};
use crate::prelude::*;

#[test]
fn threads_change_no_bit() {
    same_on_threads(&[2, 3], || {
        // There are enough contacts for more than one leaf of the parallel loops.
        let pyramid = CannonballPyramid::new(14, 0.5, 1.0).unwrap().lifted(0.05).unwrap();
        let (bodies, mut state) = pyramid.scene().unwrap();
        let moduli = (0..bodies.len()).map(|i| 1.0 + (i % 2) as f64).collect::<Vec<_>>();
        let dynamics = ContactDynamics::new(0.02, open_list(0.1), apgd(1e-8)).unwrap();
        let mut dynamics = dynamics.with_compatible(CompatibleLaw::hertz().with_moduli(moduli));
        advance(&mut dynamics, &bodies, &mut gravity(), &mut state, 12);
        let forces = |contact: &RigidContact| [contact.force, contact.best_force(), contact.slack].map(f64::to_bits);
        assert!(dynamics.contacts().len() > 4096);
        (bits(&state), dynamics.contacts().iter().flat_map(forces).collect::<Vec<_>>())
    });
}

/// Columns of two spheres lean, turn and meet the floor, with friction, impacts, rolling, and overlaps.
#[test]
fn threads_change_no_bit_with_friction() {
    const COLUMNS: usize = 46 * 46;
    let bodies = Bodies::new((0..2 * COLUMNS).map(|i| Body::sphere(1.0 + (i % 3) as f64, 0.5))).unwrap();
    same_on_threads(&[2, 3], || {
        let mut state = State::at_rest(bodies.len());
        for column in 0..COLUMNS {
            let foot = 1.6 * DVec3::new((column % 46) as f64, (column / 46) as f64, 0.0);
            let lean = DVec3::new(0.1, 0.002 * (column % 7) as f64, 0.98);
            for (body, at) in [(2 * column, DVec3::Z * 0.505), (2 * column + 1, DVec3::Z * 0.505 + lean)] {
                state.position_mut().set(body, foot + at);
                state.velocity_mut().set(body, DVec3::NEG_Z * 0.3);
                state.set_spin(&bodies, body, DVec3::new(1.0, 0.1 * (body % 11) as f64, 2.0));
            }
        }
        let coefficients = ContactCoefficients { rolling: 0.05, ..ContactCoefficients::new(0.4, 0.3) };
        let materials = RigidMaterials::uniform(coefficients).unwrap();
        let solver = CoulombSolver::new(Options::new(1e-8, 300));
        let dynamics = MoreauJean::new(0.02, open_list(0.1), materials, solver).unwrap();
        let mut dynamics = dynamics.with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
        run(&mut dynamics, &bodies, &mut gravity(), &mut state, 4, |_| ()).unwrap();
        let forces = |contact: &RigidContact| {
            let force = [contact.force, contact.slack].into_iter().chain(contact.tangential_force.to_array());
            force.chain(contact.couple.to_array()).map(f64::to_bits).collect::<Vec<_>>()
        };
        let loaded = dynamics.contacts().iter().filter(|contact| contact.force > 0.0).count();
        assert!(dynamics.contacts().len() > 4096 && loaded > 1000, "{loaded}");
        (bits(&state), dynamics.contacts().iter().flat_map(forces).collect::<Vec<_>>())
    });
}
