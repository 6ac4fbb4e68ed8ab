//! The histories of the pairs of one tile.

use crate::force::tiles::batch::{BATCH, PairsOfBatch};
use crate::law::contact_history::ContactHistory;

/// A history for each pair that touches, by index of the pair in its tile.
#[derive(Debug, Clone)]
pub(crate) struct PairHistories<M> {
    /// A bit for each pair that has a history.
    exists: Vec<u64>,
    /// Of the other pairs any value.
    history: Vec<M>,
}

/// Pairs whose bits are in one number.
const WORD: usize = u64::BITS as usize;

impl<M: ContactHistory> PairHistories<M> {
    /// Whether contacts have a history at all.
    const EXIST: bool = size_of::<M>() > 0;

    /// Without histories, for so many pairs.
    pub(crate) fn new(pairs: usize) -> Self {
        let pairs = if Self::EXIST { pairs } else { 0 };
        Self { exists: vec![0; pairs.div_ceil(WORD)], history: vec![M::default(); pairs] }
    }

    /// Writes the histories of the pairs of a batch to `histories`.
    pub(crate) fn read(&self, batch: &PairsOfBatch, histories: &mut [M; BATCH]) {
        if Self::EXIST {
            for (&pair, history) in batch.index[..batch.count.min(BATCH)].iter().zip(histories) {
                *history = self.get(pair as usize);
            }
        }
    }

    /// Sets the histories of those pairs of a batch that touch.
    pub(crate) fn write(&mut self, batch: &PairsOfBatch, overlap: &[f64; BATCH], histories: &[M; BATCH]) {
        if Self::EXIST {
            for slot in 0..batch.count.min(BATCH) {
                if overlap[slot] > 0.0 {
                    self.set(batch.index[slot] as usize, histories[slot]);
                }
            }
        }
    }

    /// The history of a pair; a new one if it has none.
    #[inline(always)]
    pub(crate) fn get(&self, pair: usize) -> M {
        let (history, exists) = (self.history[pair], self.exists[pair / WORD] >> (pair % WORD) & 1 == 1);
        if exists { history } else { M::default() }
    }

    /// Sets the history of a pair that had none.
    #[inline(always)]
    pub(crate) fn set(&mut self, pair: usize, history: M) {
        if Self::EXIST {
            self.exists[pair / WORD] |= 1 << (pair % WORD);
            self.history[pair] = history;
        }
    }

    /// Drops all histories.
    pub(crate) fn clear(&mut self) {
        self.exists.fill(0);
    }

    /// The pairs that have a history, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, M)> + '_ {
        self.exists.iter().enumerate().flat_map(move |(word, &bits)| {
            let pairs = (0..WORD).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word * WORD + bit);
            pairs.map(|pair| (pair, self.history[pair]))
        })
    }
}

/// The histories of one tile: committed ones, and those of the last evaluation.
#[derive(Debug, Clone)]
pub(crate) struct TileHistory<M> {
    pub(crate) committed: PairHistories<M>,
    pub(crate) pending: PairHistories<M>,
    /// Whether the pending ones are those of an evaluation.
    pub(crate) is_evaluated: bool,
}

impl<M: ContactHistory> TileHistory<M> {
    /// Without histories, for so many pairs.
    pub(crate) fn new(pairs: usize) -> Self {
        Self { committed: PairHistories::new(pairs), pending: PairHistories::new(pairs), is_evaluated: false }
    }

    /// Makes the pending histories the committed ones, if there was an evaluation since the last time.
    pub(crate) fn commit(&mut self) {
        if std::mem::take(&mut self.is_evaluated) {
            std::mem::swap(&mut self.committed, &mut self.pending);
        }
    }
}
