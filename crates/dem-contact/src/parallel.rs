//! Parallel loops over blocks of bodies.
//!
//! `blocks` cuts slots into blocks of a fixed size; `fork_join` runs a loop over them and is the only caller of rayon
//! in this crate. The cut and the order of sums do not depend on the number of threads, so results have the same bits.

pub(crate) mod blocks;
pub(crate) mod fork_join;
