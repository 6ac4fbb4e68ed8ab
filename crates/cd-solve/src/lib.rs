#![doc = include_str!("../README.md")]

mod body_blocks;
mod compatibility;
mod contact_map;
mod delassus;
mod error;
mod law;
mod lcp;
mod newton;
mod newton_cg;
mod operator;
mod par;
mod penalty;
mod report;
mod rows;
mod sweep_cg;
mod sweeps;

pub use body_blocks::BodyBlocks;
pub use compatibility::{CompatibilityProblem, CompatibilitySolver, open_contacts};
pub use contact_map::{ContactMap, Pair};
pub use delassus::Delassus;
pub use error::SolveError;
pub use faer;
pub use lcp::{Lcp, LcpMatrix, LcpSolver};
pub use newton_cg::NewtonCg;
pub use operator::SymmetricOperator;
pub use report::{Options, Report, Status};
