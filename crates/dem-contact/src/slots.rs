//! What the close pairs of one block remember.

use crate::close_pairs::WORD;

/// Slots that are evaluated together; all blocks have a multiple.
pub(crate) const BATCH: usize = 32;

/// What the close pairs of one block remember, in their order.
#[derive(Debug, Clone)]
pub(crate) struct Slots<M> {
    /// A bit for each that is remembered; the others have the default.
    pub(crate) touched: Vec<u64>,
    pub(crate) memory: Vec<M>,
}

impl<M> Default for Slots<M> {
    fn default() -> Self {
        Self { touched: Vec::new(), memory: Vec::new() }
    }
}

impl<M: Copy + Default> Slots<M> {
    /// Laws without memory need no storage.
    pub(crate) const NOTHING: bool = size_of::<M>() == 0;

    /// Forgets all, with slots for so many pairs.
    pub(crate) fn clear(&mut self, pairs: usize) {
        if Self::NOTHING {
            return;
        }
        for (wanted, room) in [(pairs.div_ceil(WORD), self.touched.capacity()), (pairs, self.memory.capacity())] {
            if room > wanted + wanted / 16 + BATCH {
                *self = Self::default();
            }
        }
        self.touched.clear();
        self.touched.reserve_exact(pairs.div_ceil(WORD));
        self.touched.resize(pairs.div_ceil(WORD), 0);
        let slots = pairs.next_multiple_of(BATCH);
        self.memory.clear();
        self.memory.reserve_exact(slots);
        self.memory.resize(slots, M::default());
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
