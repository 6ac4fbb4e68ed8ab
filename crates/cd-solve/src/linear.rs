//! Solvers of linear systems A x = b, usable alone.
//!
//! - Iterative solvers implement [`LinearSolver`]: [`ConjugateGradient`] and [`BiCgStab`]. They access A by its
//!   products, a [`LinearOperator`], and take a [`Preconditioner`].
//! - [`SparseCholesky`] factorises a sparse matrix, and further matrices of the same pattern.

pub(crate) mod bicgstab;
pub(crate) mod conjugate_gradient;
mod scaled;
pub(crate) mod solver;
pub(crate) mod sparse_cholesky;
mod vectors;

pub use crate::problem::operator::LinearOperator;
pub use bicgstab::BiCgStab;
pub use conjugate_gradient::ConjugateGradient;
pub use solver::{LinearSolver, Preconditioner};
pub use sparse_cholesky::SparseCholesky;
