//! Iterative solvers of linear systems, usable alone.

mod bicgstab;
mod block_jacobi;
mod conjugate_gradient;
mod solver;
mod vectors;

pub use bicgstab::BiCgStab;
pub use block_jacobi::BlockJacobi;
pub use conjugate_gradient::ConjugateGradient;
pub use solver::{LinearSolver, Preconditioner};
