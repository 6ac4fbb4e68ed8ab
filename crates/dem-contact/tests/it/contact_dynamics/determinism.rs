//! The same bits for any number of threads.

use dem_contact::contact_dynamics::{CompatibleLaw, ContactDynamics, RigidContact};
use dem_contact::packing::CannonballPyramid;
use rayon::ThreadPoolBuilder;

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
