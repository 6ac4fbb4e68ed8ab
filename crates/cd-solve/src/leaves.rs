//! The parts of loops over rows or bodies.

use rrp_parallel::Parts;

/// Rows in one leaf.
pub(crate) const LEAF: usize = 1024;

/// Fewest leaves for which a loop uses threads.
const FEWEST: usize = 4;

/// Leaves of `rows` rows. Sums over leaves are grouped by the number of rows alone, not by the number of threads.
pub(crate) fn leaves(rows: usize) -> Parts<'static> {
    Parts::of_size(rows, LEAF).worth_threads_from(FEWEST)
}
