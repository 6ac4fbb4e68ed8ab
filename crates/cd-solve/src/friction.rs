//! Contacts with dry friction: the problem, its solvers, and the forces that slow loading leaves.
//!
//! - [`law`] and [`one_contact`]: one contact, its projections and its exact solution.
//! - [`frame`], [`contact_map`], [`block_matrix`]: what W is made of; [`problem`]: the problem and its residual.
//! - [`solver`]: the trait of solvers.
//!
//! This folder uses [`crate::problem`] for bodies and [`crate::linear`] for factors.

pub(crate) mod anderson;
pub(crate) mod block_matrix;
pub(crate) mod body_system;
pub(crate) mod compliant_contacts;
pub(crate) mod contact_map;
pub(crate) mod coulomb_solver;
pub(crate) mod divergence;
pub(crate) mod frame;
pub(crate) mod law;
pub(crate) mod linear_system;
pub(crate) mod one_contact;
pub(crate) mod problem;
pub(crate) mod proximal_newton;
pub(crate) mod proximal_system;
pub(crate) mod solver;
pub(crate) mod sweeps;

pub use block_matrix::BlockMatrix;
pub use contact_map::{ContactMap, Resistance};
pub use coulomb_solver::CoulombSolver;
pub use frame::{Frame, FrictionContact};
pub use problem::{FrictionCoefficients, FrictionLaw, FrictionMatrix, FrictionProblem};
pub use proximal_newton::ProximalNewton;
pub use solver::{FrictionReport, FrictionSolver};
pub use sweeps::AcceleratedSweeps;
