use std::ops::Range;

use crate::join::{join, threads};
use crate::parts::{Part, Parts};
use crate::split::Split;

/// Number of runs of items per thread in [`for_each_item_with`], each with its own scratch memory. More runs balance
/// the load better, but need more memory.
const RUNS: usize = 8;

/// Runs `work` on each part of the [columns](Split) in parallel. Each column needs a row for each row of `parts`;
/// further rows are ignored.
pub fn for_each_part<T: Split>(parts: Parts<'_>, columns: T, work: &(dyn Fn(Part, T) + Sync)) {
    fold_parts(parts, columns, work, &|(), ()| ());
}

/// Runs `work` like [`for_each_part`] and merges the results of neighbouring parts, in a tree that depends only on the
/// rows of the parts. Returns `None` if there are no parts.
pub fn fold_parts<T: Split, R: Send>(
    parts: Parts<'_>,
    mut columns: T,
    work: &(dyn Fn(Part, T) -> R + Sync),
    merge: &(dyn Fn(R, R) -> R + Sync),
) -> Option<R> {
    let count = parts.count();
    let fold = Fold { parts, on_threads: parts.are_worth_threads(), work, merge };
    (count > 0).then(|| fold.run(0..count, columns.cut(parts.extent(&(0..count)))))
}

/// Runs `work` like [`for_each_part`] and sums the arrays that it returns, in the tree of [`fold_parts`].
pub fn sum_parts<T: Split, const N: usize>(
    parts: Parts<'_>,
    columns: T,
    work: &(dyn Fn(Part, T) -> [f64; N] + Sync),
) -> [f64; N] {
    let add = |lower: [f64; N], upper: [f64; N]| std::array::from_fn(|k| lower[k] + upper[k]);
    fold_parts(parts, columns, work, &add).unwrap_or([0.0; N])
}

/// Runs `work` like [`for_each_part`], always on all parts; returns whether `work` returned true for all of them.
pub fn all_parts<T: Split>(parts: Parts<'_>, columns: T, work: &(dyn Fn(Part, T) -> bool + Sync)) -> bool {
    fold_parts(parts, columns, work, &|lower, upper| lower & upper).unwrap_or(true)
}

/// Runs `work` on each item with its index, in parallel if there are two or more items.
pub fn for_each_item<I: Send>(items: &mut [I], work: &(dyn Fn(usize, &mut I) + Sync)) {
    for_each_part(Parts::of_size(items.len(), 1), items, &|part, items| {
        items.iter_mut().for_each(|item| work(part.index, item));
    });
}

/// Runs `work` on each item with its index, like [`for_each_item`], with scratch memory that is reused from item to
/// item. The contents of the scratch memory must not change results.
pub fn for_each_item_with<I: Send, S: Default>(items: &mut [I], work: &(dyn Fn(usize, &mut I, &mut S) + Sync)) {
    let runs = if threads() > 1 { RUNS * threads() } else { 1 };
    let parts = Parts::of_size(items.len(), items.len().div_ceil(runs));
    for_each_part(parts, items, &|part, items| {
        let mut scratch = S::default();
        part.rows.zip(items).for_each(|(index, item)| work(index, item, &mut scratch));
    });
}

/// Runs `work`, which contains loops over `parts`, on a thread of the pool if these loops use threads. Otherwise each
/// loop would be handed over to the pool separately.
pub fn in_pool<R: Send>(parts: Parts<'_>, work: impl FnOnce() -> R + Send) -> R {
    if parts.are_worth_threads() { join(work, || ()).0 } else { work() }
}

struct Fold<'a, T, R> {
    parts: Parts<'a>,
    on_threads: bool,
    // Trait objects: the recursion is compiled once for each type of columns, not for each closure.
    work: &'a (dyn Fn(Part, T) -> R + Sync),
    merge: &'a (dyn Fn(R, R) -> R + Sync),
}

impl<T: Split, R: Send> Fold<'_, T, R> {
    fn run(&self, run: Range<usize>, mut columns: T) -> R {
        if run.len() == 1 {
            return (self.work)(self.parts.part(run.start), columns);
        }
        let middle = self.parts.middle(&run);
        let lower = columns.cut(self.parts.extent(&(run.start..middle)));
        let run_lower = || self.run(run.start..middle, lower);
        let run_upper = || self.run(middle..run.end, columns);
        let (lower, upper) = if self.on_threads { join(run_lower, run_upper) } else { (run_lower(), run_upper()) };
        (self.merge)(lower, upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::BLOCK;
    use crate::split::PerPart;

    #[test]
    fn every_row_is_visited_once_and_sums_do_not_depend_on_threads() {
        for rows in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 9 * BLOCK + 7, 40 * BLOCK + 1] {
            let parts = Parts::blocks(rows);
            let input: Vec<f64> = (0..rows).map(|i| (i as f64).sin()).collect();
            let run = |threads: usize| {
                let mut column = vec![0.0; rows];
                let mut counts = vec![0; parts.count()];
                let columns = (&input[..], [&mut column[..]], PerPart(&mut counts), Some(&input[..]));
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let [sum] = pool.install(|| {
                    sum_parts(parts, columns, &|part, (input, [output], counts, again)| {
                        assert!(input.len() == part.rows.len() && again == Some(input));
                        counts.0.iter_mut().for_each(|count| *count += input.len());
                        output.iter_mut().zip(input).zip(part.rows).for_each(|((o, x), i)| *o += x + i as f64);
                        [input.iter().sum()]
                    })
                });
                assert_eq!(counts, (0..parts.count()).map(|index| parts.part(index).rows.len()).collect::<Vec<_>>());
                (column, sum.to_bits())
            };
            let one = run(1);
            assert!(one.0.iter().enumerate().all(|(i, o)| (o - (i as f64).sin() - i as f64).abs() < 1e-9));
            assert_eq!(one, run(2));
            assert_eq!(one, run(3));
        }
    }

    #[test]
    fn a_column_that_is_empty_stays_empty() {
        let mut nothing = Vec::<f64>::new();
        let parts = Parts::blocks(9 * BLOCK);
        assert!(all_parts(parts, (&mut nothing[..], ()), &|_, (column, ())| column.is_empty()));
    }

    #[test]
    fn one_failing_part_is_reported() {
        assert!(!all_parts(Parts::blocks(20 * BLOCK), (), &|part, ()| part.index != 15));
        assert!(!all_parts(Parts::blocks(20 * BLOCK - 9), (), &|part, ()| part.rows.end != 20 * BLOCK - 9));
        assert!(all_parts(Parts::blocks(20 * BLOCK), (), &|_, ()| true));
    }

    #[test]
    fn items_are_visited_once_with_room_that_is_handed_on() {
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for count in [0, 1, 2, 100] {
                let mut items = vec![0; count];
                pool.install(|| {
                    for_each_item(&mut items, &|index, item| *item += index);
                    for_each_item_with(&mut items, &|index, item, room: &mut Vec<usize>| {
                        room.push(index);
                        *item += room.last().unwrap() + 1;
                    });
                });
                assert!(items.iter().enumerate().all(|(index, &item)| item == 2 * index + 1), "{count}");
            }
        }
    }
}
