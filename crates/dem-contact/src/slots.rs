//! What the pairs of one block remember.

use crate::close_pairs::{WORD, below};

/// Memory of the pairs that touched, and of no others, in their order.
#[derive(Debug, Clone)]
pub(crate) struct Slots<M> {
    /// A bit for each pair that is remembered; the others have the default.
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

    /// Contacts that room is made for when there is none left.
    const MORE: usize = 16;

    /// Forgets all, for so many pairs of which about as many `touch`. Room is kept, unless it is much more than that takes.
    pub(crate) fn clear(&mut self, pairs: usize, touch: usize) {
        if Self::NOTHING {
            return;
        }
        let words = pairs.div_ceil(WORD);
        if self.touched.capacity() > words + words / 16 {
            self.touched = Vec::new();
        }
        self.touched.clear();
        self.touched.reserve_exact(words);
        self.touched.resize(words, 0);
        self.memory.clear();
        if self.memory.capacity() > touch + touch / 16 + 2 * Self::MORE {
            self.memory = Vec::new();
        }
        self.memory.reserve_exact(touch);
    }

    /// Makes room for `count` more.
    #[inline(always)]
    pub(crate) fn reserve(&mut self, count: usize) {
        if self.memory.capacity() - self.memory.len() < count {
            self.memory.reserve_exact(count.max(Self::MORE));
        }
    }

    /// Remembers a pair, the last one so far.
    pub(crate) fn push(&mut self, pair: usize, memory: M) {
        if let Some(word) = self.touched.get_mut(pair / WORD) {
            *word |= 1 << (pair % WORD);
            self.reserve(1);
            self.memory.push(memory);
        }
    }

    /// What a pair remembers, if it does.
    pub(crate) fn get(&self, pair: usize) -> Option<M> {
        let word = *self.touched.get(pair / WORD)?;
        if word >> (pair % WORD) & 1 == 0 {
            return None;
        }
        let before: usize = self.touched[..pair / WORD].iter().map(|word| word.count_ones() as usize).sum();
        self.memory.get(before + below(word, (pair % WORD) as u32)).copied()
    }

    /// Shows what is remembered, in the order of pairs.
    pub(crate) fn each(&self, show: &mut impl FnMut(usize, M)) {
        let mut memory = self.memory.iter();
        for (word, &touched) in self.touched.iter().enumerate() {
            let mut bits = touched;
            while bits != 0 {
                memory
                    .next()
                    .into_iter()
                    .for_each(|&memory| show(word * WORD + bits.trailing_zeros() as usize, memory));
                bits &= bits - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pushed_is_found_again_and_nothing_else() {
        let mut slots = Slots::default();
        for turn in 1..4 {
            let remembered = |pair: usize| pair * turn % 7 < 3;
            slots.clear(300, 10);
            (0..300).filter(|&pair| remembered(pair)).for_each(|pair| slots.push(pair, pair as f64));
            let mut shown = Vec::new();
            slots.each(&mut |pair, memory| shown.push((pair, memory)));
            assert!(shown.len() > 100 && shown.is_sorted_by_key(|&(pair, _)| pair));
            for pair in 0..320 {
                let expected = (pair < 300 && remembered(pair)).then_some(pair as f64);
                assert_eq!(slots.get(pair), expected);
                assert_eq!(shown.contains(&(pair, pair as f64)), expected.is_some());
            }
        }
    }
}
