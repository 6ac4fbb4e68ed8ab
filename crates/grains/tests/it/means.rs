//! Means over time, where grains are, and how well they are mixed.

use std::fs;
use std::path::Path;

use grains::{Scene, Simulation};

use crate::support::{assert_survives_a_kill, whole};

/// Two layers of two grains each, which fly along x at 1 m/s.
const FLIGHT: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-3, duration = 0.025 }
    [contact]
    normal = { hooke = { stiffness = 1e4 } }
    [[bodies]]
    name = "low"
    place = { list = [[0.5, 0.5, 0.5], [1.5, 0.5, 0.5]] }
    radius = 0.1
    mass = 1.0
    velocity = [1.0, 0.0, 0.0]
    [[bodies]]
    name = "high"
    place = { list = [[0.5, 0.5, 1.5], [1.5, 0.5, 1.5]] }
    radius = 0.2
    mass = 3.0
    velocity = [1.0, 0.0, 0.0]
    [[measure]]
    name = "all"
    every = { steps = 10 }
    samples = 5
    [[measure]]
    name = "layers"
    group = "low"
    every = { steps = 25 }
    region = { box = { low = [0.0, 0.0, 0.0], high = [2.0, 1.0, 2.0] } }
    mixing = { cells = [1, 1, 2] }
    [[measure]]
    name = "columns"
    group = "low"
    every = { steps = 25 }
    region = { box = { low = [0.0, 0.0, 0.0], high = [2.0, 1.0, 2.0] } }
    mixing = { cells = [2, 1, 1] }
    [[measure]]
    name = "field"
    every = { steps = 10 }
    samples = 4
    region = { box = { low = [0.0, 0.0, 0.0], high = [2.0, 1.0, 2.0] } }
    grid = { cells = [2, 1, 1], kernel = { lucy = { range = 2.0 } } }
"#;

/// A column of a table of measurements.
fn column(folder: &Path, measure: &str, name: &str) -> Vec<f64> {
    let text = fs::read_to_string(folder.join(format!("measure-{measure}.csv"))).unwrap();
    let mut lines = text.lines();
    let index = lines.next().unwrap().split(',').position(|known| known == name).unwrap();
    lines.map(|line| line.split(',').nth(index).unwrap().parse().unwrap_or(f64::NAN)).collect()
}

#[test]
fn rows_are_means_of_the_times_since_the_row_before() {
    let home = tempfile::tempdir().unwrap();
    whole(FLIGHT, home.path());
    let near = |found: Vec<f64>, expected: &[f64]| {
        assert_eq!(found.len(), expected.len());
        let off = found.iter().zip(expected).map(|(found, expected)| (found - expected).abs()).fold(0.0, f64::max);
        assert!(off < 1e-12, "{found:?} {expected:?}");
    };
    let all = |name| column(home.path(), "all", name);
    // After 0, then after 2, 4, 6, 8 and 10, 12 to 20, and 22, 24 and 25 steps.
    near(all("x"), &[1.0, 1.006, 1.016, 1.0 + 0.071 / 3.0]);
    near(all("high_x"), &[1.7, 1.706, 1.716, 1.7 + 0.071 / 3.0]);
    near(all("grains"), &[4.0; 4]);
    near(all("z"), &[1.25; 4]);
    near([all("low_z"), all("high_z")].concat(), &[[0.4; 4], [1.7; 4]].concat());
    assert!(all("mixing").iter().chain(&all("volume")).all(|value| value.is_nan()));
    // No column of the index is without the cells of both kinds: 2 for a chessboard of pairs.
    near(column(home.path(), "layers", "mixing"), &[0.0, 0.0]);
    near(column(home.path(), "columns", "mixing"), &[2.0, 2.0]);
    near(column(home.path(), "field", "vx"), &[1.0; 8]);
    near(column(home.path(), "field", "temperature"), &[0.0; 8]);
    for step in [7, 24] {
        assert_survives_a_kill(FLIGHT, step, &format!("after {step} steps"));
    }
}

#[test]
fn means_and_mixing_without_meaning_are_refused_with_their_key() {
    for (from, to, key) in [
        ("samples = 5", "samples = 0", "measure[0].samples"),
        ("samples = 5", "mixing = { cells = [1, 1, 2] }", "measure[0].mixing"),
        ("cells = [1, 1, 2]", "cells = [1, 0, 2]", "measure[1].mixing.cells"),
        ("samples = 4", "group = \"low\"\n    mixing = { cells = [1, 1, 2] }", "measure[3].mixing"),
    ] {
        let made = Scene::parse(&FLIGHT.replacen(from, to, 1)).and_then(|scene| Simulation::new(&scene, ".", false));
        let error = made.err().unwrap_or_else(|| panic!("{to} is taken")).to_string();
        assert!(error.contains(key), "{to}: {error}");
    }
}
