//! The contact loop: the pairs of one tile.
//!
//! `kernel` evaluates the pairs of a tile in batches, with the stages `touching`, `kinematics`, `laws` and `loads`;
//! `batch` is the layout of a batch, `scene` what all tiles read and `sums` what they write. A friction spring grows by
//! the slip in the middle of each step, see `kinematics`.

pub(crate) mod batch;
pub(crate) mod kernel;
pub(crate) mod kinematics;
pub(crate) mod laws;
pub(crate) mod loads;
pub(crate) mod scene;
pub(crate) mod sums;
pub(crate) mod touching;

#[cfg(test)]
mod tests;
