#![doc = include_str!("../README.md")]

mod body_blocks;
mod compatibility;
mod contact_map;
mod delassus;
mod error;
mod law;
mod lcp;
mod operator;
mod par;
mod report;
mod rows;

pub use body_blocks::BodyBlocks;
pub use compatibility::{CompatibilityProblem, CompatibilitySolver, open_contacts};
pub use contact_map::{ContactMap, Pair};
pub use delassus::Delassus;
pub use error::SolveError;
pub use faer;
pub use lcp::{Lcp, LcpMatrix, LcpSolver};
pub use operator::SymmetricOperator;
pub use report::{Options, Report, Status};
