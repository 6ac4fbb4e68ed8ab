//! The commands, their options and their reports.
//!
//! `reproduce` runs figures and writes the page; `report` prints the result at the end. `bench_table`, `keys` and
//! `soak` start cargo. `fclib` solves files of friction problems, `least_energy` selects unique forces, `heap` pours
//! heaps.
pub(crate) mod args;
pub(crate) mod bench_table;
pub(crate) mod fclib;
pub(crate) mod heap;
pub(crate) mod keys;
mod report;
pub(crate) mod reproduce;
pub(crate) mod soak;
mod stopwatch;
