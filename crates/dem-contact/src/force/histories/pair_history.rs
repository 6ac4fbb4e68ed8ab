//! The histories of the pairs of one tile.

use crate::force::tiles::batch::{BATCH, PairsOfBatch};
use crate::law::contact_history::ContactHistory;

/// A history for each pair that touches, in the order of the pairs in their tile.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairHistories<M> {
    /// The pairs that have a history, by index in the tile.
    pair: Vec<u32>,
    history: Vec<M>,
}

impl<M: ContactHistory> PairHistories<M> {
    /// Whether contacts have a history at all.
    const EXIST: bool = size_of::<M>() > 0;

    /// Adds the histories of those pairs of the next batch whose overlap (m) is above `least`.
    pub(crate) fn add(&mut self, batch: &PairsOfBatch, overlap: &[f64; BATCH], least: f64, histories: &[M; BATCH]) {
        if !Self::EXIST {
            return;
        }
        let pairs = &batch.index[..batch.count.min(BATCH)];
        // By far most batches: all at once.
        if overlap[..pairs.len()].iter().fold(true, |touch, &overlap| touch & (overlap > least)) {
            self.pair.extend_from_slice(pairs);
            self.history.extend_from_slice(&histories[..pairs.len()]);
            return;
        }
        for (slot, &pair) in pairs.iter().enumerate().filter(|&(slot, _)| overlap[slot] > least) {
            self.set(pair as usize, histories[slot]);
        }
    }

    /// Sets the history of a pair. Those of the pairs before it are known already, those behind it are not.
    pub(crate) fn set(&mut self, pair: usize, history: M) {
        if Self::EXIST {
            self.pair.push(pair as u32);
            self.history.push(history);
        }
    }

    /// Drops all histories, and makes room for `wanted` ones.
    pub(crate) fn clear(&mut self, wanted: usize) {
        self.pair.clear();
        self.history.clear();
        self.pair.reserve_exact(wanted);
        self.history.reserve_exact(wanted);
    }

    /// Gives room back that is not needed.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.pair.shrink_to_fit();
        self.history.shrink_to_fit();
    }

    /// The same, if it is much.
    pub(super) fn shrink(&mut self) {
        let len = self.pair.len();
        if self.pair.capacity() > len + len / 4 + BATCH {
            self.shrink_to_fit();
        }
    }

    /// Number of histories.
    pub(crate) fn len(&self) -> usize {
        self.pair.len()
    }

    /// The pairs that have a history, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, M)> + '_ {
        self.pair.iter().zip(&self.history).map(|(&pair, &history)| (pair as usize, history))
    }

    /// The history of a pair; a new one if it has none.
    pub(crate) fn get(&self, pair: usize) -> M {
        self.pair.binary_search(&(pair as u32)).map_or_else(|_| M::default(), |at| self.history[at])
    }

    /// Writes the histories of the pairs of the next batch to `histories`; new ones for those that have none. `next`
    /// tells how many histories are of pairs before.
    pub(crate) fn read(&self, next: &mut usize, batch: &PairsOfBatch, histories: &mut [M; BATCH]) {
        if !Self::EXIST {
            return;
        }
        let pairs = &batch.index[..batch.count.min(BATCH)];
        // The same pairs as before: all at once.
        if self.pair[*next..].starts_with(pairs) {
            histories[..pairs.len()].copy_from_slice(&self.history[*next..*next + pairs.len()]);
            *next += pairs.len();
            return;
        }
        for (&pair, history) in pairs.iter().zip(histories) {
            // Pairs that touch no more are passed over.
            while *next < self.pair.len() && self.pair[*next] < pair {
                *next += 1;
            }
            let is_known = *next < self.pair.len() && self.pair[*next] == pair;
            *history = if is_known { self.history[*next] } else { M::default() };
            *next += usize::from(is_known);
        }
    }
}
