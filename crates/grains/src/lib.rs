#![doc = include_str!("../README.md")]

mod build;
mod checkpoint;
mod convert;
mod engine;
mod error;
mod estimate;
mod laws;
pub mod output;
pub mod reading;
mod run;
pub mod scene;
mod simulation;
mod source;
mod value;

pub use checkpoint::Checkpoint;
pub use convert::convert;
pub use error::{GrainsError, Location};
pub use estimate::Estimate;
pub use reading::Reading;
pub use run::{Run, RunOptions};
pub use scene::Scene;
pub use simulation::Simulation;
