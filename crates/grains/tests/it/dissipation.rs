//! Columns of the time series for the energy dissipated by contacts, by kind of motion.

use crate::refused::assert_refused;
use crate::rolling::BALL;
use crate::support::{assert_survives_kills, with};
use crate::table::Table;

/// A ball that rolls and spins, one that slides until it rolls, and one that bounces until it rests.
fn balls(series: u32, dissipation: u32) -> String {
    let more = r#"
    [[bodies]]
    place = { list = [[0.0, 2.0, 0.4999]] }
    radius = 0.5
    mass = 1.0
    velocity = [1.0, 0.0, 0.0]
    [[bodies]]
    place = { list = [[0.0, 4.0, 0.55]] }
    radius = 0.5
    mass = 1.0
    [output]"#;
    format!("{BALL}{more}\nseries = {{ steps = {series} }}\ndissipation = {{ steps = {dissipation} }}\n")
}

#[test]
fn each_motion_loses_its_energy_in_its_own_column() {
    for every in [1, 10] {
        let series = Table::of_series(&balls(1000, every));
        // Rolling friction slows the first ball by 5/7 μ g. The second ball decelerates by 8 m/s² while its surface
        // speed grows by 18.75 m/s²; the force of 8 N slips by half of the distance at the initial speed.
        let rolling = |from: f64, time: f64| 0.7 * (from.powi(2) - (from - 5.0 / 7.0 * 0.5 * time).powi(2));
        let slides = 1.0 / (8.0 + 18.75);
        let expected = [
            ("normal", 0.5),
            ("sliding", 0.5 * 8.0 * slides),
            ("rolling", rolling(1.0, 1.0) + rolling(5.0 / 7.0, 1.0 - slides)),
            ("twisting", 0.05 * (9.0 - 1.0)),
        ];
        // Damping takes 100 W at the first touch, and 0.366 of that at each further impact; at each impact, half of the
        // time between two readings may be missed.
        let missed = 0.5 * f64::from(every) * 1e-4 * 100.0 / (1.0 - 0.366);
        let mut sum = 0.0;
        for (motion, expected) in expected {
            let found = series.last(&format!("dissipated_{motion}"));
            sum += found;
            println!("every {every} steps, {motion}: {found:.5} of {expected:.5}");
            let off = if motion == "normal" { missed } else { 3e-3 * expected };
            assert!((found - expected).abs() < off, "{motion}: {found} {expected}");
        }
        let total = series.last("dissipated");
        assert!((sum - total).abs() < missed, "{every}: {sum} {total}");
        assert!((series.last("dissipated_walls") - sum).abs() < 1e-12);
    }
}

#[test]
fn sums_of_powers_survive_a_kill_and_belong_to_a_series() {
    let short = |dissipation: u32| with(&balls(20, dissipation), "duration = 1.0", "duration = 0.01");
    assert_survives_kills(&short(7), &[45], "between two looks");
    let without = Table::of_series(&short(1).replace("dissipation = { steps = 1 }", ""));
    assert!(!without.names.iter().any(|name| name.starts_with("dissipated_")));
    assert_refused(&balls(20, 1), "series = { steps = 20 } => | `output.dissipation` | add `series`");
}
