#![doc = include_str!("../README.md")]

#[cfg(feature = "conformance")]
pub mod conformance;
pub mod disjoint_sets;
pub mod error;
mod exact;
pub mod fclib;
pub mod friction;
mod lcp_solver;
mod leaves;
pub mod linear;
mod newton;
mod problem;
mod report;

pub use error::SolveError;
pub use faer;
pub use lcp_solver::apgd::Apgd;
pub use lcp_solver::pgs::ProjectedGaussSeidel;
pub use lcp_solver::{apgd, pgs, pivoting};
pub use newton::compatible_forces::CompatibleForces;
pub use newton::compliant_step::{CompliantStep, CompliantStepInput, CompliantStepProblem};
pub use problem::body_blocks::BodyBlocks;
pub use problem::compatibility::{CompatibilityProblem, CompatibilitySolver, open_contacts};
pub use problem::contact_jacobian::{BodyPair, ContactJacobian};
pub use problem::delassus::Delassus;
pub use problem::lcp::{Lcp, LcpMatrix, LcpSolver};
pub use problem::operator::LinearOperator;
pub use report::{Options, Report, Status};
