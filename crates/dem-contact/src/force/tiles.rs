//! The contact loop: the pairs of a tile, and the histories of contacts by tile.
//!
//! `kernel` evaluates the pairs of one tile in batches, with the stages `touching`, `kinematics`, `laws` and `loads`;
//! `batch` is the layout of a batch, `scene` what all tiles read and `sums` what they write. `pair_history` and
//! `wall_history` are the histories of one tile, `histories` those of all tiles of a list; `carried` takes them to the next
//! list and to files, `row_histories` to methods that evaluate body by body. A friction spring grows by the slip in the middle of each step, see `kinematics`.

pub(crate) mod batch;
pub(crate) mod carried;
pub(crate) mod histories;
pub(crate) mod kernel;
pub(crate) mod kinematics;
pub(crate) mod laws;
pub(crate) mod loads;
pub(crate) mod pair_history;
pub(crate) mod row_histories;
pub(crate) mod scene;
pub(crate) mod sums;
pub(crate) mod touching;
pub(crate) mod wall_history;

#[cfg(test)]
mod tests;
