//! Fragments, grains joined by intact bonds: in measurements, frames and the time series.

use std::fs;

use dem_contact::io::VtpPoints;
use grains::{Stored, measure};

use crate::refused::assert_refused;
use crate::support::whole;
use crate::table::Table;

pub(crate) const CHAIN: &str = include_str!("../data/chain.toml");

/// Returns the rows of a step without the columns of step and time.
fn of_step(table: &Table, step: &str) -> Vec<String> {
    table.rows.iter().filter(|row| row[0] == step).map(|row| row[2..].join(",")).collect()
}

#[test]
fn a_chain_of_ten_that_breaks_in_the_middle_has_two_fragments_of_five() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    whole(CHAIN, &folder);
    let [all, left, series] =
        ["measure-all.csv", "measure-left.csv", "series.csv"].map(|name| Table::read(folder.join(name)));
    assert_eq!(all.names, ["step", "time", "fragment", "grains", "mass"]);
    // The right half has the ids 0 to 4. Fragments of equal mass are sorted by id.
    assert_eq!(of_step(&all, "0"), ["0,10,20"]);
    assert_eq!(of_step(&all, "50"), ["0,5,10", "5,5,10"]);
    // Three grains of the left half are in the box.
    assert_eq!([of_step(&left, "0"), of_step(&left, "50")], [["0,3,6"], ["5,3,6"]]);
    let ends = ["broken", "fragments", "largest_fragment"]
        .map(|name| [0, series.rows.len() - 1].map(|row| series.value(&series.rows[row], name) as usize));
    assert_eq!(ends, [[0, 1], [1, 2], [20, 10]]);
    let marks = |name: &str| {
        let bytes = fs::read(folder.join(name)).unwrap();
        VtpPoints::read_with_marks(&mut &bytes[..], usize::MAX).unwrap().1.fragment.unwrap()
    };
    assert_eq!(marks("frames-000000.vtp"), [0; 10]);
    assert_eq!(marks("frames-000002.vtp"), [0, 0, 0, 0, 0, 5, 5, 5, 5, 5]);
    // Measurements of frames and checkpoints equal those of the run.
    let again = measure(&folder, None, Stored::Frames).unwrap();
    let last = again[0].csv.lines().rev().take(3).collect::<Vec<_>>().join(" ");
    assert!(last.contains(",5,5,10") && last.contains(",0,5,10"), "{again:?}");
    assert!(measure(&folder, None, Stored::Checkpoints).unwrap()[0].csv.contains("50,0.05"), "{again:?}");
}

#[test]
fn tables_of_fragments_without_meaning_are_refused_with_their_key() {
    let table = r#"
        fragments = {} => fragments = {}\nsamples = 3 | `measure[0].samples` | another `[[measure]]`
        fragments = {} => fragments = {}\nleast-contacts = 3 | `measure[0].least-contacts` | fragments
        fragments = {} => fragments = {}\ngrid = { cells = [1, 1, 1], kernel = { lucy = { range = 1.0 } } }
            | `measure[0].grid` | fragments
        least-grains = 3 => least-grains = 0 | `measure[1].fragments.least-grains` | positive
        bonds = { gap = 1e-6, stretching = 100.0, break-stretch = 0.01 } => | `measure[0].fragments` | needs `bonds`
    "#;
    assert_refused(CHAIN, table);
}
