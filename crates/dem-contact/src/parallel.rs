//! Parallel loops: over parts of columns, such as those of tiles (`parts`), and over blocks of a fixed number of bodies
//! (`fork_join`, cut by `blocks`).
//!
//! This is the only caller of rayon in this crate. The cut and the order of sums do not depend on the number of
//! threads, so results have the same bits.

pub(crate) mod blocks;
pub(crate) mod fork_join;
pub(crate) mod parts;
