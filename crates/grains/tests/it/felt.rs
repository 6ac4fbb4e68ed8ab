//! Walls that only some groups of bodies feel.

use grains::{Scene, Simulation};

use crate::support::assert_survives_a_kill;

/// Large grains stay on a sieve, small ones fall through it onto the floor. More small ones come.
const SIEVE: &str = r#"
    gravity = [0.0, 0.0, -9.81]
    integrator = "verlet"
    time = { dt = 1e-4 }
    [contact]
    normal = { hooke = { stiffness = 1e4 } }
    damping = { restitution = 0.3 }
    tangential = { friction-spring = { stiffness = 3e3, friction = 0.4 } }
    [[bodies]]
    name = "large"
    place = { pour = { low = [0.0, 0.0, 0.0], high = [0.4, 0.4, 0.5], count = 10 } }
    radius = 0.05
    mass = 0.1
    [[bodies]]
    name = "small"
    place = { pour = { low = [0.0, 0.0, 0.0], high = [0.4, 0.4, 0.5], count = 20, seed = 3 } }
    radius = 0.02
    mass = 0.01
    [[sources]]
    name = "more"
    region = { box = { low = [0.1, 0.1, 0.6], high = [0.3, 0.3, 0.7] } }
    rate = { count = 50.0 }
    total = { count = 10.0 }
    sizes = { radius = 0.02 }
    density = 300.0
    [[walls]]
    box = { low = [0.0, 0.0, 0.0], high = [0.4, 0.4, 1.0], without = ["+z"] }
    [[walls]]
    name = "sieve"
    plane = { point = [0.0, 0.0, 0.2], normal = [0.0, 0.0, 1.0] }
    groups = ["large"]
    [output]
    series = { time = 0.02 }
    [[stage]]
    duration = 0.5
    [[stage]]
    duration = 0.2
    walls = { sieve = { move = { velocity = [0.0, 0.0, 0.1] } } }
"#;

fn refused(text: &str) -> String {
    let made = Scene::parse(text).and_then(|scene| Simulation::new(&scene, ".", false));
    made.err().map_or_else(String::new, |error| error.to_string())
}

#[test]
fn a_sieve_holds_large_grains_and_lets_small_ones_through() {
    let mut simulation = Simulation::new(&Scene::parse(SIEVE).unwrap(), ".", false).unwrap();
    let heights = |simulation: &Simulation, large: bool| -> Vec<f64> {
        let radius = simulation.bodies().radius().iter();
        let places = simulation.state().position().iter().zip(radius);
        places.filter(|(_, radius)| (**radius > 0.03) == large).map(|(place, _)| place.z).collect()
    };
    // Pours keep clear of the walls that they feel.
    assert!(heights(&simulation, true).iter().all(|&z| z > 0.25));
    assert!(heights(&simulation, false).iter().any(|&z| z < 0.2));
    let start = simulation.read().unwrap().balance().unwrap();
    while !simulation.is_over() {
        simulation.step().unwrap();
    }
    assert_eq!((heights(&simulation, true).len(), heights(&simulation, false).len()), (10, 30));
    // The sieve has risen by 0.02 m, and large grains with it.
    assert!(heights(&simulation, true).iter().all(|&z| z > 0.26), "{:?}", heights(&simulation, true));
    // Some of the small ones lie on large ones.
    let below = heights(&simulation, false).iter().filter(|&&z| z < 0.2).count();
    assert!(below >= 25 && heights(&simulation, false).iter().any(|&z| z < 0.021), "{below}");
    let end = simulation.read().unwrap();
    assert!((end.balance().unwrap() - start).abs() < 5e-3 * end.energies.dissipated.unwrap(), "{end:?}");
    assert!((end.wall_forces[5].z / (10.0 * 0.1 * 9.81) + 1.0).abs() < 0.2, "{}", end.wall_forces[5]);
}

#[test]
fn kills_keep_who_feels_a_wall() {
    let short = SIEVE.replace("duration = 0.5", "duration = 0.08").replace("duration = 0.2", "duration = 0.02");
    for step in [399, 801] {
        assert_survives_a_kill(&short, step, &format!("after {step} steps"));
    }
}

#[test]
fn groups_of_walls_are_known_and_explicit() {
    let with = |from: &str, to: &str| refused(&SIEVE.replace(from, to));
    let error = with("groups = [\"large\"]", "groups = [\"lagre\"]");
    assert!(error.contains("`walls[1].groups[0]`") && error.contains("large"), "{error}");
    let error = with("groups = [\"large\"]", "groups = []");
    assert!(error.contains("leave them out if all bodies feel it"), "{error}");
    let elastic = "elastic = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0], stiffness = 1e-3 }\n    groups";
    let still = SIEVE.replace("    walls = { sieve = { move = { velocity = [0.0, 0.0, 0.1] } } }\n", "");
    let plane = "plane = { point = [0.0, 0.0, 0.2], normal = [0.0, 0.0, 1.0] }\n    groups";
    let error = refused(&still.replace(plane, elastic));
    assert!(error.contains("`walls[1]") && error.contains("elastic"), "{error}");
    let implicit = SIEVE.replace("\"verlet\"", "{ implicit = { alpha = 0.5 } }");
    let (before, after) = implicit.split_once("[[sources]]").unwrap();
    let error = refused(&format!("{before}{}", &after[after.find("[[walls]]").unwrap()..]));
    assert!(error.contains("`walls[1].groups`") && error.contains("explicit"), "{error}");
}
