//! The same bits for any number of threads.

use cd_solve::Options;
use cd_solve::friction::CoulombSolver;
use dem_contact::contact_dynamics::{
    CompatibleLaw, ContactCoefficients, ContactDynamics, MoreauJean, RigidContact, RigidMaterials,
};
use dem_contact::packing::CannonballPyramid;
use rayon::ThreadPoolBuilder;
use rrp_integrate::Integrator;

use crate::contact_dynamics::support::{advance, apgd, gravity, open_list};
use crate::support::bits;

#[test]
fn threads_change_no_bit() {
    let run = |threads: usize| {
        ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
            // Enough contacts for more than one leaf.
            let pyramid = CannonballPyramid::new(14, 0.5, 1.0).unwrap().lifted(0.05).unwrap();
            let (bodies, mut state) = pyramid.scene().unwrap();
            let law =
                CompatibleLaw::hertz().with_moduli((0..bodies.len()).map(|i| 1.0 + (i % 2) as f64).collect::<Vec<_>>());
            let dynamics = ContactDynamics::new(0.02, open_list(0.1), apgd(1e-8)).unwrap();
            let mut dynamics = dynamics.with_compatible(law);
            advance(&mut dynamics, &bodies, &mut gravity(), &mut state, 12);
            let forces =
                |contact: &RigidContact| [contact.force, contact.best_force(), contact.slack].map(f64::to_bits);
            assert!(dynamics.contacts().len() > 4096);
            (bits(&state), dynamics.contacts().iter().flat_map(forces).collect::<Vec<_>>())
        })
    };
    let one = run(1);
    assert!(run(2) == one && run(3) == one);
}

/// With friction, impacts, rolling, and overlaps that are moved apart.
#[test]
fn threads_change_no_bit_with_friction() {
    let run = |threads: usize| {
        ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
            let pyramid = CannonballPyramid::new(14, 0.5, 1.0).unwrap().lifted(0.05).unwrap();
            let (bodies, mut state) = pyramid.scene().unwrap();
            let coefficients = ContactCoefficients { rolling: 0.05, ..ContactCoefficients::new(0.4, 0.3) };
            let materials = RigidMaterials::uniform(coefficients).unwrap();
            let solver = CoulombSolver::new(Options::new(1e-4, 300));
            let mut dynamics = MoreauJean::new(0.02, open_list(0.1), materials, solver).unwrap();
            for _ in 0..7 {
                dynamics.step(&bodies, &mut gravity(), &mut state).unwrap();
            }
            let forces = |contact: &RigidContact| {
                let force = [contact.force, contact.slack].into_iter().chain(contact.tangential_force.to_array());
                force.chain(contact.couple.to_array()).map(f64::to_bits).collect::<Vec<_>>()
            };
            assert!(dynamics.contacts().len() > 4096);
            (bits(&state), dynamics.contacts().iter().flat_map(forces).collect::<Vec<_>>())
        })
    };
    // The scene above has two threads as well. One run of this one takes half a minute.
    assert!(run(3) == run(1));
}
