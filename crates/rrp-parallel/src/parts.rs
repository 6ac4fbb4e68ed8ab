use std::ops::Range;

use crate::join::threads;
use crate::split::Extent;

/// Number of rows in a block of a parallel loop: small enough for the cache of a core, large enough to pay for a task.
pub const BLOCK: usize = 512;

/// Smallest number of blocks for which a loop uses threads.
const FEWEST_BLOCKS: usize = 4;

/// A run of consecutive rows of a parallel loop, the work of one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Number of this part among the parts of the loop, from zero.
    pub index: usize,
    /// Rows of the loop that belong to this part.
    pub rows: Range<usize>,
}

/// Partition of the rows of a loop into consecutive parts, the same for any number of threads.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'a> {
    cut: Cut<'a>,
    /// Smallest number of parts for which a loop uses threads.
    fewest: usize,
}

#[derive(Debug, Clone, Copy)]
enum Cut<'a> {
    /// Parts of `size` rows; the last part may be smaller.
    Equal { rows: usize, size: usize },
    /// Parts of any size, given by the index of the row after the last one of each part.
    Given(&'a [usize]),
}

impl<'a> Parts<'a> {
    /// Cuts `rows` into blocks of [`BLOCK`] rows, the last one shorter. Loops over four or more blocks use threads.
    #[must_use]
    pub fn blocks(rows: usize) -> Self {
        Self::of_size(rows, BLOCK).worth_threads_from(FEWEST_BLOCKS)
    }

    /// Cuts `rows` into parts of `size` rows (at least one), the last one shorter. Loops over two or more parts use
    /// threads.
    #[must_use]
    pub fn of_size(rows: usize, size: usize) -> Self {
        Self { cut: Cut::Equal { rows, size: size.max(1) }, fewest: 2 }
    }

    /// Makes parts of any size; `ends` has the index of the row after the last one of each part. Loops over two or more
    /// parts use threads.
    #[must_use]
    pub fn of(ends: &'a [usize]) -> Self {
        Self { cut: Cut::Given(ends), fewest: 2 }
    }

    /// Sets the smallest number of parts for which a loop over these parts uses threads.
    #[must_use]
    pub fn worth_threads_from(self, fewest: usize) -> Self {
        Self { fewest, ..self }
    }

    /// Number of parts that the rows of the loop are cut into.
    #[must_use]
    pub fn count(self) -> usize {
        match self.cut {
            Cut::Equal { rows, size } => rows.div_ceil(size),
            Cut::Given(ends) => ends.len(),
        }
    }

    /// The part with the number `index`, which must be less than [`count`](Self::count).
    #[must_use]
    pub fn part(self, index: usize) -> Part {
        Part { index, rows: self.start(index)..self.start(index + 1) }
    }

    pub(crate) fn are_worth_threads(self) -> bool {
        self.count() >= self.fewest && threads() > 1
    }

    /// First row of part `index`; the number of all rows if `index` is the number of parts.
    fn start(self, index: usize) -> usize {
        match self.cut {
            Cut::Equal { rows, size } => (index * size).min(rows),
            Cut::Given(ends) => index.checked_sub(1).map_or(0, |before| ends[before]),
        }
    }

    pub(crate) fn extent(self, run: &Range<usize>) -> Extent {
        Extent { rows: self.start(run.end) - self.start(run.start), parts: run.len() }
    }

    /// Number of the part at which a run of parts is halved between two tasks: the first part that begins in the upper
    /// half of the rows of the run.
    pub(crate) fn middle(self, run: &Range<usize>) -> usize {
        let half = self.start(run.start) + self.extent(run).rows / 2;
        let first = match self.cut {
            Cut::Equal { size, .. } => half.div_ceil(size),
            Cut::Given(ends) => ends.partition_point(|&end| end < half) + 1,
        };
        first.clamp(run.start + 1, run.end - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_all_rows_once() {
        for rows in (0..2000).chain([32_000, 1_024_001]) {
            let parts = Parts::blocks(rows);
            let all: Vec<Part> = (0..parts.count()).map(|index| parts.part(index)).collect();
            assert!(all.iter().all(|part| !part.rows.is_empty() && part.rows.len() <= BLOCK), "{rows}");
            assert_eq!(all.iter().map(|part| part.rows.len()).sum::<usize>(), rows);
            assert!(all.windows(2).all(|pair| pair[0].rows.end == pair[1].rows.start), "{rows}");
        }
    }

    /// The last digits of sums depend on where a run is halved, so halves must consist of whole parts.
    #[test]
    fn a_run_of_equal_parts_is_halved_at_whole_parts() {
        for (rows, size) in (2..500).flat_map(|rows| [1, 2, 7, 100].map(|size| (rows, size))) {
            let parts = Parts::of_size(rows, size);
            if parts.count() > 1 {
                let half = (rows / 2).next_multiple_of(size).min(rows);
                assert_eq!(parts.start(parts.middle(&(0..parts.count()))), half, "{rows} rows in parts of {size}");
            }
        }
    }

    #[test]
    fn a_run_of_uneven_parts_has_parts_on_both_sides() {
        for (ends, middle) in [(&[100, 101, 102][..], 1), (&[1, 2, 102], 2), (&[5, 10, 15, 20], 2), (&[0, 0], 1)] {
            let start = |index: usize| if index > 0 { ends[index - 1] } else { 0 };
            let parts = Parts::of(ends);
            assert_eq!(parts.middle(&(0..parts.count())), middle, "{ends:?}");
            assert!((0..ends.len()).all(|index| parts.part(index).rows == (start(index)..ends[index])), "{ends:?}");
        }
    }
}
