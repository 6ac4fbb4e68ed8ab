#![doc = include_str!("../README.md")]

mod collective;
mod contacts;
pub mod error;
mod failure;
mod ghosts;
mod migration;
mod motion;
mod owners;
mod run;
mod scene;
mod share;
pub mod transport;
mod whole_forces;

pub use error::{RanksError, TransportError};
pub use owners::{EvenRuns, TileOwners};
pub use run::RankRun;
pub use run::balance::{Balance, RankLoad, WorkTally};
pub use scene::Scene;
pub use transport::{Alone, Message, Ranks, Threads, poll_for_a_while};
pub use whole_forces::WholeForces;
