//! The commands of `cargo xtask`, their options and their reports.
//!
//! `reproduce` computes figures and writes the page; `report` formats its result. `bench_table`, `keys` and `soak`
//! start cargo. `fclib` solves files of friction problems and, in `least_energy`, selects unique forces; `heap` pours
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
