//! What the command and the library promise.

#![allow(clippy::print_stdout, reason = "figures are shown with --nocapture")]

mod adhesion;
mod cases;
mod checkpoints;
mod confined;
mod damage;
mod dissipation;
mod driven;
mod energy;
mod examples;
mod exchange;
mod faces;
#[cfg(target_os = "linux")]
mod faults;
mod felt;
mod files;
mod frames;
mod global_damping;
mod golden;
mod groups;
mod idle;
mod killed;
mod kills;
mod lammps;
mod ledgers;
mod limits;
mod liquid;
mod malformed;
mod materials;
mod means;
mod measures;
mod meshes;
mod mistakes;
mod pair_laws;
mod parallel_bonds;
mod places;
mod random_scenes;
mod ranks;
mod ranks_kinds;
mod ranks_laws;
mod ranks_list;
mod ranks_scenes;
mod rigid_friction;
mod rolling;
mod schema;
mod soak;
mod stage_walls;
mod stages;
mod starts;
mod step_rates;
mod streams;
mod support;
mod templates;
mod turning;
mod unwritten;
