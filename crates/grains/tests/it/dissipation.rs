//! Columns of the time series with the energy that contacts dissipate, by kind of motion.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use grains::Scene;

use crate::support::{assert_survives_a_kill, whole};

/// A ball that rolls and spins, one that slides until it rolls, and one that falls and bounces until it rests.
const BALLS: &str = r#"
    gravity = [0.0, 0.0, -10.0]
    integrator = "rodrigues-25"
    time = { dt = 1e-4, duration = 1.0 }
    [contact]
    normal = { hooke = { stiffness = 1e5 } }
    damping = { coefficient = 100.0 }
    tangential = { friction-spring = { stiffness = 3e4, gamma = 50.0, friction = 0.8 } }
    rolling = { stiffness = 3e4, damping = 20.0, friction = 0.05 }
    twisting = { stiffness = 500.0, damping = 1.0, friction = 0.02 }
    [[bodies]]
    place = { list = [[0.0, 0.0, 0.4999]] }
    radius = 0.5
    mass = 1.0
    velocity = [1.0, 0.0, 0.0]
    spin = [0.0, 2.0, 3.0]
    [[bodies]]
    place = { list = [[0.0, 2.0, 0.4999]] }
    radius = 0.5
    mass = 1.0
    velocity = [1.0, 0.0, 0.0]
    [[bodies]]
    place = { list = [[0.0, 4.0, 0.55]] }
    radius = 0.5
    mass = 1.0
    [[walls]]
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
    [output]
    series = { steps = 1000 }
    dissipation = { steps = 1 }
"#;

/// The last row of a time series.
fn last_row(folder: &Path) -> HashMap<String, f64> {
    let text = fs::read_to_string(folder.join("series.csv")).unwrap();
    let mut lines = text.lines();
    let names = lines.next().unwrap().split(',').map(str::to_owned);
    names.zip(lines.last().unwrap().split(',').map(|word| word.parse().unwrap())).collect()
}

#[test]
fn each_motion_loses_its_energy_in_its_own_column() {
    for every in [1, 10] {
        let home = tempfile::tempdir().unwrap();
        whole(&BALLS.replace("{ steps = 1 }", &format!("{{ steps = {every} }}")), home.path());
        let row = last_row(home.path());
        // A ball that rolls is slowed by 5/7 μ g. One that slides is slowed by 8 m/s², its surface gains 18.75 m/s² of
        // speed, and the force of 8 N slips by half of the way.
        let rolling = |from: f64, time: f64| 0.7 * (from.powi(2) - (from - 5.0 / 7.0 * 0.5 * time).powi(2));
        let slides = 1.0 / (8.0 + 18.75);
        let expected = [
            ("normal", 0.5),
            ("sliding", 0.5 * 8.0 * slides),
            ("rolling", rolling(1.0, 1.0) + rolling(5.0 / 7.0, 1.0 - slides)),
            ("twisting", 0.05 * (9.0 - 1.0)),
        ];
        // Damping takes 100 W at once where the ball lands, and 0.366 of that at each further impact; at each of them,
        // half of the time between two looks may be missed.
        let missed = 0.5 * every as f64 * 1e-4 * 100.0 / (1.0 - 0.366);
        let mut sum = 0.0;
        for (motion, expected) in expected {
            let found = row[&format!("dissipated_{motion}")];
            sum += found;
            println!("every {every} steps, {motion}: {found:.5} of {expected:.5}");
            let off = if motion == "normal" { missed } else { 3e-3 * expected };
            assert!((found - expected).abs() < off, "{motion}: {found} {expected}");
        }
        let total = row["dissipated"];
        assert!((sum - total).abs() < missed, "{every}: {sum} {total}");
        assert!((row["dissipated_walls"] - sum).abs() < 1e-12);
    }
}

#[test]
fn sums_of_powers_survive_a_kill_and_belong_to_a_series() {
    let short = BALLS.replace("duration = 1.0", "duration = 0.01").replace("{ steps = 1000 }", "{ steps = 20 }");
    assert_survives_a_kill(&short.replace("{ steps = 1 }", "{ steps = 7 }"), 45, "between two looks");
    let home = tempfile::tempdir().unwrap();
    whole(&short.replace("dissipation = { steps = 1 }", ""), home.path());
    assert!(!last_row(home.path()).keys().any(|name| name.starts_with("dissipated_")));
    let alone = Scene::parse(&BALLS.replace("series = { steps = 1000 }", "")).unwrap();
    let error = grains::Simulation::new(&alone, ".", false).unwrap_err().to_string();
    assert!(error.contains("`output.dissipation`") && error.contains("add `series`"), "{error}");
}
