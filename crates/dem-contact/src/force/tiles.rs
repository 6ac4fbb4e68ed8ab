//! The contact loop: the pairs of one tile.
//!
//! `kernel` evaluates the pairs of a tile in batches, with the stages `touching`, `kinematics`, the laws and `loads`;
//! `scratch` has copies of the spheres of a tile, `batch` is the layout of a batch. `scene` is the input that all tiles
//! share, `sums` the output. A friction spring is stretched by the slip in the middle of each step, see `kinematics`.
//! The folder builds on `histories`, `neighbor` and `law`.

pub(crate) mod batch;
pub(crate) mod kernel;
pub(crate) mod kinematics;
pub(crate) mod loads;
pub(crate) mod scene;
pub(crate) mod scratch;
pub(crate) mod sums;
pub(crate) mod touching;

#[cfg(test)]
mod tests;
