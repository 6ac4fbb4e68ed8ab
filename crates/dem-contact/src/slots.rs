//! What the pairs of one block remember.

use crate::close_pairs::{WORD, below};

/// Memory of pairs in their order: of those that touched and, where most of the close ones did, of all close ones there. Those
/// that do not touch have the default, as those have that are not held.
#[derive(Debug, Clone)]
pub(crate) struct Slots<M> {
    /// A bit for each pair that is held, by word.
    pub(crate) held: Vec<u64>,
    /// By word too: a bit for each of these, from the first one on, that touched.
    pub(crate) touched: Vec<u64>,
    pub(crate) memory: Vec<M>,
}

impl<M> Default for Slots<M> {
    fn default() -> Self {
        Self { held: Vec::new(), touched: Vec::new(), memory: Vec::new() }
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
        for marks in [&mut self.held, &mut self.touched] {
            if marks.capacity() > words + words / 16 {
                *marks = Vec::new();
            }
            marks.clear();
            marks.reserve_exact(words);
            marks.resize(words, 0);
        }
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
        if let (Some(held), Some(touched)) = (self.held.get_mut(pair / WORD), self.touched.get_mut(pair / WORD)) {
            *held |= 1 << (pair % WORD);
            *touched = *touched << 1 | 1;
            self.reserve(1);
            self.memory.push(memory);
        }
    }

    /// What a pair remembers, if it is held.
    pub(crate) fn get(&self, pair: usize) -> Option<M> {
        let word = *self.held.get(pair / WORD)?;
        if word >> (pair % WORD) & 1 == 0 {
            return None;
        }
        let before: usize = self.held[..pair / WORD].iter().map(|word| word.count_ones() as usize).sum();
        self.memory.get(before + below(word, (pair % WORD) as u8)).copied()
    }

    /// Shows what pairs that touched remember, in the order of pairs.
    pub(crate) fn each(&self, show: &mut impl FnMut(usize, M)) {
        let mut memory = self.memory.iter();
        for (word, (&held, &touched)) in self.held.iter().zip(&self.touched).enumerate() {
            let (mut held, mut touched) = (held, touched);
            while held != 0 {
                let pair = word * WORD + held.trailing_zeros() as usize;
                memory.next().filter(|_| touched & 1 == 1).into_iter().for_each(|&memory| show(pair, memory));
                held &= held - 1;
                touched >>= 1;
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
            let is_held = |pair: usize| pair * turn % 7 < 3;
            slots.clear(300, 10);
            (0..300).filter(|&pair| is_held(pair)).for_each(|pair| slots.push(pair, pair as f64));
            let mut shown = Vec::new();
            slots.each(&mut |pair, memory| shown.push((pair, memory)));
            assert!(shown.len() > 100 && shown.is_sorted_by_key(|&(pair, _)| pair));
            for pair in 0..320 {
                let expected = (pair < 300 && is_held(pair)).then_some(pair as f64);
                assert_eq!(slots.get(pair), expected);
                assert_eq!(shown.contains(&(pair, pair as f64)), expected.is_some());
            }
        }
    }
}
