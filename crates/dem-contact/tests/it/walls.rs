//! Tests of walls of all shapes: geometry, motion, meshes and their files, in every method that takes walls.

mod files;
mod folds;
mod imports;
mod meshes;
mod methods;
mod misuse;
mod motion;
#[cfg(feature = "serde")]
mod restart;
mod rounding;
mod shapes;
pub(crate) mod support;
