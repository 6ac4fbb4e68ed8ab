//! The histories of the pairs of one tile.

use crate::law::batch::{BATCH, LANES};
use crate::law::material::assignment::LawAssignment;
use crate::neighbor::tiles::tile::{Run, Tile};

/// Histories of the touching pairs of a tile in the order of the pairs, grouped by runs: consecutive pairs with one
/// contact law.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairHistories {
    runs: Vec<RunHistories>,
}

/// Contact histories of one run: consecutive pairs of a tile with the same contact law.
#[derive(Debug, Clone, Default)]
pub(in crate::force) struct RunHistories {
    /// Index, among the pairs of the tile, of the first pair after this run.
    end: u32,
    /// Number of numbers in the contact history of each pair of this run.
    width: usize,
    /// Pairs of this run that have a history, by index among the pairs of the tile.
    pairs: Vec<u32>,
    numbers: Vec<f64>,
}

impl PairHistories {
    pub(crate) fn for_tile(tile: &Tile, laws: &LawAssignment) -> Self {
        let run = |run: Run<'_>| RunHistories {
            end: run.segments.last().map_or(0, |segment| segment.end),
            width: laws.by_index(laws.index_of(run.kinds())).traits().layout.width(),
            ..RunHistories::default()
        };
        Self { runs: tile.runs().map(run).collect() }
    }

    /// Takes over the runs of `other`, without its histories, if the number of runs differs; otherwise nothing changes.
    pub(in crate::force) fn lay_out_as(&mut self, other: &Self) {
        let empty = |run: &RunHistories| RunHistories { end: run.end, width: run.width, ..RunHistories::default() };
        if self.runs.len() != other.runs.len() {
            self.runs = other.runs.iter().map(empty).collect();
        }
    }

    pub(in crate::force) fn run(&self, run: usize) -> &RunHistories {
        &self.runs[run]
    }

    pub(in crate::force) fn run_mut(&mut self, run: usize) -> &mut RunHistories {
        &mut self.runs[run]
    }

    /// Appends the history of a pair; call this for pairs in ascending order. Does nothing for laws without a history.
    pub(crate) fn push(&mut self, pair: usize, row: &[f64]) {
        let at = self.run_of(pair);
        let run = &mut self.runs[at];
        if run.width > 0 {
            run.pairs.push(pair as u32);
            run.numbers.extend_from_slice(row);
        }
    }

    fn run_of(&self, pair: usize) -> usize {
        self.runs.partition_point(|run| run.end as usize <= pair)
    }

    pub(crate) fn get(&self, pair: usize) -> Option<&[f64]> {
        let run = self.runs.get(self.run_of(pair))?;
        let at = run.pairs.binary_search(&(pair as u32)).ok()?;
        Some(run.row(at))
    }

    pub(super) fn len(&self) -> usize {
        self.runs.iter().map(|run| run.pairs.len()).sum()
    }

    pub(super) fn numbers(&self) -> usize {
        self.runs.iter().map(|run| run.numbers.len()).sum()
    }

    pub(in crate::force) fn iter(&self) -> impl Iterator<Item = (usize, &[f64])> {
        self.runs.iter().flat_map(|run| run.pairs.iter().enumerate().map(|(at, &pair)| (pair as usize, run.row(at))))
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.runs.iter_mut().for_each(RunHistories::shrink_to_fit);
    }
}

impl RunHistories {
    fn shrink_to_fit(&mut self) {
        self.pairs.shrink_to_fit();
        self.numbers.shrink_to_fit();
    }

    /// Shrinks the vectors of this run if their capacity is more than 5/4 of their length plus one batch.
    pub(in crate::force) fn shrink(&mut self) {
        if self.pairs.capacity() > self.pairs.len() + self.pairs.len() / 4 + BATCH {
            self.shrink_to_fit();
        }
    }

    fn row(&self, at: usize) -> &[f64] {
        &self.numbers[at * self.width..(at + 1) * self.width]
    }

    /// Drops all histories of this run, and reserves memory for as many as `before` has, plus one vector register.
    pub(in crate::force) fn clear_for(&mut self, before: &Self) {
        self.pairs.clear();
        self.numbers.clear();
        if self.width > 0 {
            self.pairs.reserve_exact(before.pairs.len());
            self.numbers.reserve_exact(before.numbers.len() + LANES * self.width);
        }
    }

    /// Returns the histories at the accepted state of `pairs`, the next touching pairs of this run: one row of numbers
    /// for each of `lanes` slots. Histories that are stored consecutively are read in place. Otherwise they are copied
    /// to `room`, with zeros for new contacts. `known` is the index of the first stored history that no earlier batch
    /// has passed; it is moved past these pairs.
    pub(in crate::force) fn before<'a>(
        &'a self,
        known: &mut usize,
        pairs: &[u32],
        lanes: usize,
        room: &'a mut Vec<f64>,
    ) -> &'a [f64] {
        let width = self.width;
        if width == 0 {
            return &[];
        }
        let from = *known;
        let are_known = self.pairs[from..].starts_with(pairs);
        if are_known {
            *known += pairs.len();
            if let Some(rows) = self.numbers.get(from * width..(from + lanes) * width) {
                return rows;
            }
        }
        room.clear();
        room.resize(lanes * width, 0.0);
        if are_known {
            let rows = &self.numbers[from * width..(from + pairs.len()) * width];
            room[..rows.len()].copy_from_slice(rows);
            return room;
        }
        for (&pair, row) in pairs.iter().zip(room.chunks_exact_mut(width)) {
            while *known < self.pairs.len() && self.pairs[*known] < pair {
                *known += 1;
            }
            if self.pairs.get(*known) == Some(&pair) {
                row.copy_from_slice(self.row(*known));
                *known += 1;
            }
        }
        room
    }

    /// Appends zeros for the histories of the next pairs of this run, one for each slot of a batch. Call
    /// [`end_batch`](Self::end_batch) after writing the histories.
    pub(in crate::force) fn begin_batch(&mut self, pairs: &[u32], lanes: usize) -> &mut [f64] {
        if self.width == 0 {
            return &mut [];
        }
        let from = self.numbers.len();
        self.pairs.extend_from_slice(pairs);
        self.numbers.resize(from + lanes * self.width, 0.0);
        &mut self.numbers[from..]
    }

    /// Drops the histories of the slots that only fill up vector registers.
    pub(in crate::force) fn end_batch(&mut self) {
        self.numbers.truncate(self.pairs.len() * self.width);
    }
}
