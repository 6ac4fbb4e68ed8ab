//! The figures of the three papers and our own, each a function from a context to an artifact.
//!
//! Each subject has a folder: `rodrigues` and `torus` of `[BG21]`, `dem` of `[DK21]`, `contact_dynamics` of `[OK18]`.
//! `demo` has made-up figures for tests, `cost` the computing time of each figure. `colour` and `shot` are shared by
//! drawings. A figure writes no files and does not know the command.
mod colour;
mod contact_dynamics;
pub(crate) mod cost;
mod dem;
pub(crate) mod demo;
mod rodrigues;
mod shot;
mod torus;

pub(crate) use contact_dynamics::friction;
pub(crate) use rodrigues::sabotage;

use crate::model::Figure;

/// Returns all figures of `cargo xtask reproduce`.
///
/// Tests of the table of figures are in `tests/command`, and ask the program for it: a unit test that calls this
/// function would compile all figures a second time.
pub(crate) fn table() -> Vec<Figure> {
    let entries =
        [rodrigues::FIGURES, torus::FIGURES, dem::FIGURES, contact_dynamics::FIGURES, friction::FIGURES, dem::BEYOND];
    let table: Vec<Figure> = entries.concat().into_iter().map(Figure::from).collect();
    debug_assert!(cost::ids().all(|id| table.iter().any(|figure| figure.id == id)), "a cost of an unknown figure");
    table
}
