//! Contacts with dry friction: the problem, its solvers, and the forces that slow loading leaves.
//!
//! - `law`, `one_contact`: one contact, its projections and its exact solution.
//! - `frame`, `contact_map` with `contact_rows`, `block_matrix`: the matrix W; `problem`: the problem and its residual.
//! - `solver`: the trait. `coulomb_solver` is the one to use: first `sweeps`, for many bodies on several threads
//!   (`subdomain_sweep`, `subdomains`, `subdomain_walk`), then `proximal_newton`. `convex_newton` solves the convex
//!   law. `divergence` proves infeasibility; `refinement` corrects forces with velocities of 256 bits if masses differ
//!   by many orders.
//! - `compatible`, `least_energy`: selections of forces if the rigid problem has many solutions; `body_balance` judges
//!   forces body by body.
//! - `compliant_contacts` with `proximal_system`, `body_system`: Newton's method on springs. `linear_system` with
//!   `block_lu`, or `krylov`, solve its linear systems; `small_matrix` is one block.
//!
//! This folder uses `problem` for bodies.

pub(crate) mod anderson;
pub(crate) mod block_lu;
pub(crate) mod block_matrix;
pub(crate) mod body_balance;
pub(crate) mod body_system;
pub(crate) mod compatible;
pub(crate) mod compatible_problem;
pub(crate) mod compliant_contacts;
pub(crate) mod contact_map;
pub(crate) mod contact_rows;
pub(crate) mod convex_newton;
pub(crate) mod convex_step;
pub(crate) mod coulomb_solver;
pub(crate) mod divergence;
pub(crate) mod frame;
pub(crate) mod krylov;
pub(crate) mod law;
pub(crate) mod least_energy;
pub(crate) mod linear_system;
pub(crate) mod one_contact;
pub(crate) mod problem;
pub(crate) mod proximal_newton;
pub(crate) mod proximal_system;
pub(crate) mod refinement;
pub(crate) mod small_matrix;
pub(crate) mod solver;
pub(crate) mod springs;
pub(crate) mod subdomain_sweep;
pub(crate) mod subdomain_walk;
pub(crate) mod subdomains;
pub(crate) mod sweeps;

pub use block_matrix::BlockMatrix;
pub use compatible::CompatibleFriction;
pub use compatible_problem::CompatibleFrictionProblem;
pub use contact_map::{ContactMap, Resistance};
pub use convex_newton::ConvexNewton;
pub use coulomb_solver::CoulombSolver;
pub use frame::{Frame, FrictionContact};
pub use least_energy::LeastEnergyForces;
pub use problem::{FrictionCoefficients, FrictionLaw, FrictionMatrix, FrictionProblem};
pub use proximal_newton::ProximalNewton;
pub use solver::{FrictionReport, FrictionSolver};
pub use springs::Springs;
pub use sweeps::AcceleratedSweeps;
