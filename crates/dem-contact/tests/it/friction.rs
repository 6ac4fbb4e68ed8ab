//! Tests of laws with a history and of several materials: against closed forms, LAMMPS, and restarts.

#[cfg(feature = "gzip")]
mod bed;
mod closed_forms;
mod history;
mod incline;
mod lammps;
mod ledger;
mod materials;
mod numbers;
mod oblique;
mod paths;
mod time_level;
mod turning;
