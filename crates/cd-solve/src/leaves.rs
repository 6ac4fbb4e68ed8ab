//! The parts of loops over rows or bodies.

use rrp_parallel::Parts;

/// Rows in one leaf.
pub(crate) const LEAF: usize = 1024;

/// Loops over so many leaves use threads.
const FEWEST: usize = 4;

/// So many rows in leaves. Sums over leaves are grouped by the number of rows alone.
pub(crate) fn leaves(rows: usize) -> Parts<'static> {
    Parts::of_size(rows, LEAF).worth_threads_from(FEWEST)
}
