//! Parallel loops over blocks of bodies, and over tiles.
//!
//! `blocks` cuts slots into blocks of a fixed size; `fork_join` runs a loop over them. `tiles` runs a loop over tiles.
//! These two are the only callers of rayon in this crate. The cut and the order of sums do not depend on the number of
//! threads, so results have the same bits.

pub(crate) mod blocks;
pub(crate) mod fork_join;
pub(crate) mod tiles;
