//! Laws with memory and of several materials: against closed forms, LAMMPS, and themselves after a restart.

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
mod turning;
