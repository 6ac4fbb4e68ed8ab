//! The table of figures: one line per figure, in the order of the page.
mod contact_dynamics;
mod dem;
mod rodrigues;
mod torus;

pub(crate) use rodrigues::sabotage;

use crate::figure::Figure;

/// Every figure that `cargo xtask reproduce` knows.
pub(crate) fn table() -> Vec<Figure> {
    [rodrigues::table(), torus::table(), dem::table(), contact_dynamics::table()].concat()
}
