//! The parts of loops over rows or bodies.

use rrp_parallel::Parts;

/// Number of rows or bodies in one leaf of a parallel loop.
pub(crate) const LEAF: usize = 1024;

/// Fewest leaves for which a loop over rows or bodies uses threads.
const FEWEST: usize = 4;

/// Cuts a loop over `rows` rows into leaves. The cuts, and so the bits of sums, do not depend on the number of threads.
pub(crate) fn leaves(rows: usize) -> Parts<'static> {
    Parts::of_size(rows, LEAF).worth_threads_from(FEWEST)
}
