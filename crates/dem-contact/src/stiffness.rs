//! Stiffness matrices of packings, and solvers for them.
//!
//! `pair_matrix` is the symmetric matrix of pairs with a normal and two stiffnesses each; `assembly` fills it row by
//! row. `block_jacobi` preconditions, `cg_f32` solves in single precision. Implicit steps (`implicit`) and static
//! equilibrium (`statics`) use these matrices for the directions of Newton's method. Loops over blocks run in parallel
//! through `rrp_parallel`.

pub(crate) mod assembly;
pub(crate) mod block_jacobi;
pub(crate) mod cg_f32;
pub(crate) mod pair_matrix;
