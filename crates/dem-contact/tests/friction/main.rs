//! Laws with memory and of several materials: against closed forms, LAMMPS, and themselves after a restart.

#![allow(clippy::print_stdout, reason = "figures are shown with --nocapture")]

#[cfg(feature = "gzip")]
mod bed;
mod closed_forms;
mod incline;
mod lammps;
mod ledger;
mod materials;
mod memory;
mod mixes;
mod numbers;
mod oblique;
#[path = "../it/support.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod support;
mod turning;
