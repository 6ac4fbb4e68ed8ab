//! The parts of loops over rows or bodies.

use rrp_parallel::Parts;

/// Rows in one leaf.
pub(crate) const LEAF: usize = 1024;

/// Leaves that are worth a thread, at least.
const FEWEST: usize = 4;

/// So many rows in leaves. Sums over leaves are grouped by the number of rows alone.
pub(crate) fn leaves(rows: usize) -> Parts<'static> {
    Parts::of_size(rows, LEAF).worth_threads_from(FEWEST)
}
