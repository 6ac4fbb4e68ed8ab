//! What the command and the library promise.

#![allow(clippy::print_stdout, reason = "figures are shown with --nocapture")]

mod checkpoints;
mod energy;
mod examples;
mod exchange;
mod files;
mod killed;
mod lammps;
mod ledgers;
mod limits;
mod malformed;
mod materials;
mod meshes;
mod places;
mod rigid_friction;
mod rolling;
mod soak;
mod stages;
mod support;
mod unwritten;
