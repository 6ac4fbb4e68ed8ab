//! Means over time, mean positions of grains, and mixing index.

use std::path::Path;

use crate::refused::assert_refused;
use crate::support::{assert_survives_kills, whole};
use crate::table::Table;

const FLIGHT: &str = include_str!("../data/layers.toml");

#[test]
fn rows_are_means_of_the_times_since_the_row_before() {
    let home = tempfile::tempdir().unwrap();
    whole(FLIGHT, home.path());
    let near = |found: Vec<f64>, expected: &[f64]| {
        assert_eq!(found.len(), expected.len());
        let off = found.iter().zip(expected).map(|(found, expected)| (found - expected).abs()).fold(0.0, f64::max);
        assert!(off < 1e-12, "{found:?} {expected:?}");
    };
    let column = |folder: &Path, measure: &str, name: &str| {
        Table::read(folder.join(format!("measure-{measure}.csv"))).column(name)
    };
    let all = |name| column(home.path(), "all", name);
    // Samples after 0 steps; after 2, 4, 6, 8 and 10; after 12 to 20; and after 22, 24 and 25 steps.
    near(all("x"), &[1.0, 1.006, 1.016, 1.0 + 0.071 / 3.0]);
    near(all("high_x"), &[1.7, 1.706, 1.716, 1.7 + 0.071 / 3.0]);
    near(all("grains"), &[4.0; 4]);
    near(all("z"), &[1.25; 4]);
    near([all("low_z"), all("high_z")].concat(), &[[0.4; 4], [1.7; 4]].concat());
    assert!(all("mixing").iter().chain(&all("volume")).all(|value| value.is_nan()));
    // The index is 0 for columns with both kinds in each cell, 2 for a chessboard of pairs.
    near(column(home.path(), "layers", "mixing"), &[0.0, 0.0]);
    near(column(home.path(), "columns", "mixing"), &[2.0, 2.0]);
    near(column(home.path(), "field", "vx"), &[1.0; 8]);
    near(column(home.path(), "field", "temperature"), &[0.0; 8]);
    // Three samples in ten steps: after 3, 6 and 10.
    let three = home.path().join("three");
    whole(&FLIGHT.replace("samples = 5", "samples = 3"), &three);
    near(column(&three, "all", "x")[..3].to_vec(), &[1.0, 1.0 + 0.019 / 3.0, 1.0 + 0.049 / 3.0]);
    assert_survives_kills(FLIGHT, &[7, 24], "means");
}

#[test]
fn means_and_mixing_without_meaning_are_refused_with_their_key() {
    let table = r#"
        samples = 5 => samples = 0 | measure[0].samples
        samples = 5 => samples = 11 | measure[0].samples
        samples = 5 => mixing = { cells = [1, 1, 2] } | measure[0].mixing
        cells = [1, 1, 2] => cells = [1, 0, 2] | measure[1].mixing.cells
        samples = 4 => group = "low"\nmixing = { cells = [1, 1, 2] } | measure[3].mixing
    "#;
    assert_refused(FLIGHT, table);
}
