//! The page of columns explains all that are written, in their order, and no others.

use super::columns::{BOX, CONTACTS, DISSIPATION, FRAGMENTS, LIQUID, PASSED, SERIES};
use super::measured::{self, FIELDS, MEANS};

const PAGE: &str = include_str!("../../columns.md");

/// Returns the columns that a section of the page of columns explains. Names with capitals, which stand for several
/// columns, are left out.
fn explained(heading: &str) -> Vec<&'static str> {
    let section = PAGE.split("\n## ").find_map(|section| section.strip_prefix(heading)).unwrap();
    let cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let names = cells.flat_map(|cell| cell.split('`').step_by(2));
    names.filter(|name| !name.contains(char::is_uppercase)).collect()
}

#[test]
fn the_page_explains_the_columns_of_all_tables() {
    let series = [&SERIES[..], &BOX, &LIQUID, &DISSIPATION, &FRAGMENTS].concat();
    let measured = |columns: &'static str| ["step", "time"].into_iter().chain(columns.split(',')).collect::<Vec<_>>();
    assert_eq!(explained("`series.csv`\n"), series);
    assert_eq!(explained("`contacts.csv`\n"), CONTACTS);
    assert_eq!(explained("`passed.csv`\n"), PASSED);
    assert_eq!(explained("`measure-NAME.csv`\n"), measured(MEANS));
    assert_eq!(explained("`measure-NAME.csv` with `grid`\n"), measured(FIELDS));
    assert_eq!(explained("`measure-NAME.csv` with `fragments`\n"), measured(measured::FRAGMENTS));
}
