//! The contact loop of one box: sums of pair forces over a list, in parallel, with the histories of pairs.
//!
//! It is replaced by the loop on tiles and left as it is until then. `force::evaluate` calls `sums` and `pair_memory`.

pub(crate) mod apart;
pub(crate) mod buffers;
pub(crate) mod carried;
pub(crate) mod close_keys;
pub(crate) mod close_pairs;
pub(crate) mod close_watch;
pub(crate) mod exchange;
pub(crate) mod half_rows;
pub(crate) mod homes;
pub(crate) mod kernel;
pub(crate) mod moving;
pub(crate) mod pair_memory;
pub(crate) mod pool;
pub(crate) mod prefetch;
pub(crate) mod relay;
pub(crate) mod sink;
pub(crate) mod slots;
pub(crate) mod sums;
pub(crate) mod touching;
pub(crate) mod tray;
pub(crate) mod wrench_columns;
