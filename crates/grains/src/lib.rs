#![doc = include_str!("../README.md")]

mod build;
mod checkpoint;
pub mod command;
mod convert;
mod energy_guard;
mod engine;
mod error;
mod estimate;
mod files;
mod laws;
mod memory;
pub mod output;
mod plan;
mod progress;
pub mod ranks;
pub mod reading;
pub mod reference;
mod report;
mod run;
pub mod scene;
mod simulation;
mod source;
mod storage;
mod stored_measures;
pub mod templates;
mod value;

pub use checkpoint::Checkpoint;
pub use convert::{ConvertOptions, convert};
pub use error::{CheckpointError, Excerpt, GrainsError, Location, Note, OnRanksError};
pub use estimate::Estimate;
pub use reading::Reading;
pub use run::{Run, RunOptions};
pub use scene::Scene;
pub use simulation::Simulation;
pub use stored_measures::{Stored, measure};
