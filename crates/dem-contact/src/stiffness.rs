//! Stiffness matrices of packings, and what solves with them.
//!
//! `pair_matrix` is the symmetric matrix of pairs with a normal and two stiffnesses each; `assembly` fills it row by
//! row. `block_jacobi` preconditions, `cg_f32` solves in single precision. Implicit steps (`implicit`) and static
//! equilibrium (`statics`) use them for the directions of Newton's method. Loops over blocks are those of `parallel`.

pub(crate) mod assembly;
pub(crate) mod block_jacobi;
pub(crate) mod cg_f32;
pub(crate) mod pair_matrix;
