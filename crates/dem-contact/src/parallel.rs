//! TODO

pub(crate) mod blocks;
pub(crate) mod fork_join;
