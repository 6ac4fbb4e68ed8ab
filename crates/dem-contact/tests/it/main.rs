//! Integration tests: against brute force, closed forms, LAMMPS, and restarts.
//!
//! All tests are one program, since each program has to be linked separately.

#![allow(clippy::print_stdout, reason = "figures are shown with --nocapture")]

mod adhesion;
mod allocation;
mod bad_input;
mod bonds;
mod box_fill;
mod bridges;
mod contact_dynamics;
mod determinism;
mod friction;
mod history;
mod impact;
mod implicit_failures;
mod implicit_orders;
mod implicit_solver;
mod implicit_ties;
mod lammps_files;
mod laws;
mod ledger;
mod lists;
mod measures;
mod own_laws;
mod prelude;
mod random_packings;
mod static_beds;
mod static_problems;
#[cfg(feature = "serde")]
mod stored;
mod support;
mod vtp_files;
mod walls;
