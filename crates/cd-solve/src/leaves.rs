use rrp_parallel::Parts;

/// Number of rows or bodies in a leaf: the piece of a parallel loop that one task runs.
const LEAF: usize = 1024;

/// Fewest leaves (pieces of 1024 rows or bodies, one for each task) for which a loop uses several threads.
const FEWEST: usize = 4;

/// Number of partial sums computed side by side: in a single sum each addition would wait for the latency of the last.
const LANES: usize = 8;

/// Cuts a loop over `rows` rows into leaves, pieces that one task runs each. Where a loop is cut, and so the bits of
/// sums, does not depend on the number of threads.
pub(crate) fn leaves(rows: usize) -> Parts<'static> {
    Parts::of_size(rows, LEAF).worth_threads_from(FEWEST)
}

pub(crate) fn dot_of_leaf(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        (0..LANES).for_each(|k| sums[k] += a[k] * b[k]);
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}
