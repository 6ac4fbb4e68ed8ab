//! The parts of loops over rows or bodies.

use rrp_parallel::Parts;

/// Number of rows or bodies in a leaf: a run of them on which one task of a parallel loop works.
pub(crate) const LEAF: usize = 1024;

/// Fewest leaves (runs of rows or bodies, one for each task) for which a loop uses threads.
const FEWEST: usize = 4;

/// Cuts a loop over `rows` rows into leaves, one for each task. Cuts, and so bits of sums, do not depend on threads.
pub(crate) fn leaves(rows: usize) -> Parts<'static> {
    Parts::of_size(rows, LEAF).worth_threads_from(FEWEST)
}
