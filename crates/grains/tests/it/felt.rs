//! Walls that act on some groups of bodies only.

use grains::Simulation;

use crate::refused::assert_refused;
use crate::support::{change_of_balance, simulation, with};

/// A sieve that acts on large grains only.
pub(crate) const SIEVE: &str = include_str!("../data/sieve.toml");

#[test]
fn a_sieve_holds_large_grains_and_lets_small_ones_through() {
    let mut simulation = simulation(SIEVE);
    let heights = |simulation: &Simulation, large: bool| -> Vec<f64> {
        let radius = simulation.bodies().radius().iter();
        let places = simulation.state().position().iter().zip(radius);
        places.filter(|(_, radius)| (**radius > 0.03) == large).map(|(place, _)| place.z).collect()
    };
    // Pours keep clear of the walls that act on them.
    assert!(heights(&simulation, true).iter().all(|&z| z > 0.25));
    assert!(heights(&simulation, false).iter().any(|&z| z < 0.2));
    let (end, change) = change_of_balance(&mut simulation);
    assert_eq!((heights(&simulation, true).len(), heights(&simulation, false).len()), (10, 30));
    assert!(heights(&simulation, true).iter().all(|&z| z > 0.26), "{:?}", heights(&simulation, true));
    // Some small grains lie on large ones.
    let below = heights(&simulation, false).iter().filter(|&&z| z < 0.2).count();
    assert!(below >= 25 && heights(&simulation, false).iter().any(|&z| z < 0.021), "{below}");
    assert!(change.abs() < 5e-3 * end.energies.dissipated.unwrap(), "{end:?}");
    assert!((end.wall_forces[5].z / (10.0 * 0.1 * 9.81) + 1.0).abs() < 0.2, "{}", end.wall_forces[5]);
}

#[test]
fn groups_of_walls_are_known_and_explicit() {
    let table = r#"
        groups = ["large"] => groups = ["lagre"] | `walls[1].groups[0]` | large
        groups = ["large"] => groups = [] | leave them out if all bodies feel it
    "#;
    assert_refused(SIEVE, table);
    let still = with(SIEVE, "walls = { sieve = { move = { velocity = [0.0, 0.0, 0.1] } } }\n", "");
    let table = r#"
        plane = { point = [0.0, 0.0, 0.2], normal = [0.0, 0.0, 1.0] }
            => elastic = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0], stiffness = 1e-3 } | `walls[1] | elastic
    "#;
    assert_refused(&still, table);
    let (before, after) = SIEVE.split_once("[[sources]]").unwrap();
    let unfed = format!("{before}{}", &after[after.find("[[walls]]").unwrap()..]);
    assert_refused(&unfed, "\"verlet\" => { implicit = { alpha = 0.5 } } | `walls[1].groups` | explicit");
}
