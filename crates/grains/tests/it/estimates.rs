//! Estimates of `check`: final bodies, results and time.

use std::fs;
use std::path::Path;

use grains::{Estimate, Scene};

use crate::support::whole;

const FALL: &str = r#"
    integrator = "verlet"
    gravity = [0.0, 0.0, -10.0]
    time = { dt = 1e-3, duration = 0.3 }
    contact = { normal = { hooke = { stiffness = 1e5 } }, damping = { restitution = 0.3 } }
    [[bodies]]
    place = { lattice = { origin = [0.0, 0.0, 0.6], count = [5, 5, 5], spacing = [1.05, 1.05, 1.05] } }
    radius = 0.5
    mass = 1.0
    [[walls]]
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
    [output]
    series = { steps = 5 }
    contacts = { steps = 20 }
    frames = { steps = 20 }
    checkpoints = { steps = 100 }
"#;

fn estimate(text: &str) -> Estimate {
    Estimate::new(&Scene::parse(text).unwrap(), Path::new("."), false).unwrap()
}

#[test]
fn results_take_the_room_that_was_estimated() {
    let Estimate { results: [least, most], .. } = estimate(FALL);
    let home = tempfile::tempdir().unwrap();
    whole(FALL, home.path());
    let lengths = fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len());
    let found: u64 = lengths.sum();
    // The run begins with fewer contacts than after the trial steps.
    assert!(0.5 * least as f64 <= found as f64 && found as f64 <= 1.2 * most as f64, "{least} {found} {most}");
}

#[test]
fn bodies_that_come_and_a_bed_of_them_are_in_the_estimate() {
    let source = "[[sources]]\nregion = { box = { low = [0.0, 0.0, 9.0], high = [5.0, 5.0, 20.0] } }\n\
                  total = { count = 300 }\nsizes = { radius = 0.5 }\ndensity = 2.0\n[output]";
    let found = estimate(&FALL.replace("[output]", source));
    assert_eq!(found.last_bodies, 425);
    let Some([least, most]) = found.memory else { return };
    assert_eq!(most - least, 2500 * (425 - found.bodies as u64));
    assert!(found.results[0] < found.results[1]);
    let text = found.to_string();
    assert!(found.bodies == 425 || text.contains("; up to about 425 later"), "{text}");
    assert!(text.contains("results           from") && text.contains(" MB\n"), "{text}");
    // Without gravity the number of contacts does not change.
    let still = estimate(&FALL.replace("-10.0", "0.0"));
    assert!(still.duration[0] == still.duration[1] && still.results[0] == still.results[1]);
}
