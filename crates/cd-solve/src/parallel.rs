//! Loops over rows on all threads: the same leaves in the same order with any number of threads, and without rayon.
//!
//! Every parallel loop of the crate goes through this module. Sums are grouped by the number of rows alone, so that
//! results have the same bits for any number of threads.

/// Rows in one leaf.
pub(crate) const LEAF: usize = 1024;

/// Fewer rows are not worth a thread.
#[cfg(feature = "rayon")]
const PARALLEL: usize = 4 * LEAF;

/// Columns that can be cut at a row.
pub(crate) trait Split: Sized + Send {
    /// Number of rows.
    fn rows(&self) -> usize;

    /// The first `mid` rows and the others.
    fn cut(self, mid: usize) -> (Self, Self);
}

impl<T: Sync> Split for &[T] {
    fn rows(&self) -> usize {
        self.len()
    }

    fn cut(self, mid: usize) -> (Self, Self) {
        self.split_at(mid)
    }
}

impl<T: Send> Split for &mut [T] {
    fn rows(&self) -> usize {
        self.len()
    }

    fn cut(self, mid: usize) -> (Self, Self) {
        self.split_at_mut(mid)
    }
}

macro_rules! split_tuple {
    ($($name:ident),+) => {
        impl<$($name: Split),+> Split for ($($name,)+) {
            fn rows(&self) -> usize {
                self.0.rows()
            }

            #[allow(non_snake_case, reason = "the columns are named after their types")]
            fn cut(self, mid: usize) -> (Self, Self) {
                let ($($name,)+) = self;
                $(let $name = $name.cut(mid);)+
                (($($name.0,)+), ($($name.1,)+))
            }
        }
    };
}
split_tuple!(A, B);
split_tuple!(A, B, C);
split_tuple!(A, B, C, D);
split_tuple!(A, B, C, D, E);

/// Runs `leaf` on consecutive parts of at most [`LEAF`] rows, with the number of their first row; adds up the values
/// that it returns. The grouping of the sums depends on the number of rows only.
pub(crate) fn sum_leaves<T: Split, const N: usize>(
    columns: T,
    leaf: &(impl Fn(usize, T) -> [f64; N] + Sync),
) -> [f64; N] {
    sum_pieces(LEAF, columns, leaf)
}

/// As [`sum_leaves`] with pieces of `size` rows, the last one shorter.
pub(crate) fn sum_pieces<T: Split, const N: usize>(
    size: usize,
    columns: T,
    leaf: &(impl Fn(usize, T) -> [f64; N] + Sync),
) -> [f64; N] {
    if columns.rows() == 0 {
        return [0.0; N];
    }
    fold_pieces(size, columns, leaf, &|lower, upper| std::array::from_fn(|k| lower[k] + upper[k]))
}

/// As [`sum_leaves`], without a sum.
pub(crate) fn each_leaf<T: Split>(columns: T, leaf: &(impl Fn(usize, T) + Sync)) {
    fold_leaves(columns, leaf, &|(), ()| ());
}

/// As [`sum_leaves`] with any `join` of the values of the lower and the upper part.
pub(crate) fn fold_leaves<T: Split, R: Send>(
    columns: T,
    leaf: &(impl Fn(usize, T) -> R + Sync),
    join: &(impl Fn(R, R) -> R + Sync),
) -> R {
    fold_pieces(LEAF, columns, leaf, join)
}

fn fold_pieces<T: Split, R: Send>(
    size: usize,
    columns: T,
    leaf: &(impl Fn(usize, T) -> R + Sync),
    join: &(impl Fn(R, R) -> R + Sync),
) -> R {
    #[cfg(feature = "rayon")]
    let parallel = columns.rows() > size.max(PARALLEL - 1) && rayon::current_num_threads() > 1;
    #[cfg(not(feature = "rayon"))]
    let parallel = false;
    // As trait objects, so that the recursion is compiled once for each type of columns, not for each closure.
    fork(Rows { first: 0, leaf_size: size }, columns, leaf, join, parallel)
}

/// Runs `work` on each item.
pub(crate) fn each_item<T: Send>(items: &mut [T], work: &(impl Fn(usize, &mut T) + Sync)) {
    #[cfg(feature = "rayon")]
    if items.len() > 1 && rayon::current_num_threads() > 1 {
        use rayon::prelude::*;
        items.par_iter_mut().enumerate().for_each(|(i, item)| work(i, item));
        return;
    }
    items.iter_mut().enumerate().for_each(|(i, item)| work(i, item));
}

/// The number of the first row of columns, and the rows in one leaf.
#[derive(Debug, Clone, Copy)]
struct Rows {
    first: usize,
    leaf_size: usize,
}

fn fork<T: Split, R: Send>(
    Rows { first, leaf_size }: Rows,
    columns: T,
    leaf: &(dyn Fn(usize, T) -> R + Sync),
    join: &(dyn Fn(R, R) -> R + Sync),
    parallel: bool,
) -> R {
    let rows = columns.rows();
    if rows <= leaf_size {
        return leaf(first, columns);
    }
    // Halves are whole numbers of pieces.
    let half = (rows / 2).next_multiple_of(leaf_size).min(rows);
    let (lower, upper) = columns.cut(half);
    let run_lower = || fork(Rows { first, leaf_size }, lower, leaf, join, parallel);
    let run_upper = || fork(Rows { first: first + half, leaf_size }, upper, leaf, join, parallel);
    #[cfg(feature = "rayon")]
    if parallel {
        let (lower, upper) = rayon::join(run_lower, run_upper);
        return join(lower, upper);
    }
    let _ = parallel;
    let lower = run_lower();
    join(lower, run_upper())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_visited_once_and_sums_do_not_depend_on_threads() {
        for rows in [0, 1, LEAF, LEAF + 1, 9 * LEAF + 7, 40 * LEAF + 1] {
            let input: Vec<f64> = (0..rows).map(|i| (i as f64).sin()).collect();
            let run = |threads: usize| {
                let mut column = vec![0.0; rows];
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let [sum] = pool.install(|| {
                    sum_leaves((&input[..], &mut column[..]), &|first, (input, output)| {
                        assert!(input.len() <= LEAF);
                        output.iter_mut().zip(input).enumerate().for_each(|(i, (o, x))| *o += x + (first + i) as f64);
                        [input.iter().sum()]
                    })
                });
                (column, sum.to_bits())
            };
            let one = run(1);
            assert!(one.0.iter().enumerate().all(|(i, o)| (o - (i as f64).sin() - i as f64).abs() < 1e-9));
            assert_eq!(one, run(2));
            assert_eq!(one, run(3));
        }
    }
}
