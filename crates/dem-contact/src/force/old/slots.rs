//! What the close pairs of one block remember.

use crate::force::old::close_pairs::WORD;
use crate::util::reserve::reserve_tight;

/// Slots that are evaluated together; all blocks have a multiple.
pub(crate) const BATCH: usize = 32;

/// What the close pairs of one block remember, in their order.
#[derive(Debug, Clone)]
pub(crate) struct Slots<M> {
    /// A bit for each that is remembered.
    pub(crate) touched: Vec<u64>,
    /// Where the bit is not set: the default if the batch [is dense](is_dense), else anything.
    pub(crate) memory: Vec<M>,
}

/// Whether most of so many pairs of a batch have a bit.
#[inline(always)]
pub(crate) fn is_dense(bits: u64, pairs: usize) -> bool {
    8 * bits.count_ones() as usize >= 5 * pairs
}

impl<M> Default for Slots<M> {
    fn default() -> Self {
        Self { touched: Vec::new(), memory: Vec::new() }
    }
}

impl<M: Copy + Default> Slots<M> {
    /// Laws without memory need no storage.
    pub(crate) const NOTHING: bool = size_of::<M>() == 0;

    /// Makes room for so many pairs; what is remembered is lost.
    pub(crate) fn reserve(&mut self, pairs: usize) {
        if Self::NOTHING {
            return;
        }
        reserve_tight(&mut self.touched, pairs.div_ceil(WORD));
        reserve_tight(&mut self.memory, pairs.next_multiple_of(BATCH));
    }

    /// Forgets all, with slots for so many pairs, which have the default.
    pub(crate) fn clear(&mut self, pairs: usize) {
        if Self::NOTHING {
            return;
        }
        self.reserve(pairs);
        self.touched.resize(pairs.div_ceil(WORD), 0);
        self.memory.resize(pairs.next_multiple_of(BATCH), M::default());
    }

    /// Remembers a pair.
    pub(crate) fn set(&mut self, pair: usize, memory: M) {
        if let (Some(word), Some(slot)) = (self.touched.get_mut(pair / WORD), self.memory.get_mut(pair)) {
            *word |= 1 << (pair % WORD);
            *slot = memory;
        }
    }

    /// What a pair remembers, if it does.
    pub(crate) fn get(&self, pair: usize) -> Option<M> {
        let word = self.touched.get(pair / WORD)?;
        (word >> (pair % WORD) & 1 == 1).then(|| self.memory[pair])
    }
}
