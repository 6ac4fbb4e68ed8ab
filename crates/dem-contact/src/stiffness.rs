//! TODO

pub(crate) mod assembly;
pub(crate) mod block_jacobi;
pub(crate) mod cg_f32;
pub(crate) mod pair_matrix;
