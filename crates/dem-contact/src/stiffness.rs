//! Stiffness matrices of packings, and solvers for them.
//!
//! `pair_matrix` is the symmetric matrix of pairs with a normal and two stiffnesses each; `assembly` fills it row by
//! row. `block_jacobi` is the preconditioner, `cg_f32` the single-precision solver. Implicit steps (`implicit`) and
//! static equilibrium (`statics`) solve for Newton steps with these matrices. Loops run in parallel through
//! `rrp_parallel`.

pub(crate) mod assembly;
pub(crate) mod block_jacobi;
pub(crate) mod cg_f32;
pub(crate) mod pair_matrix;
