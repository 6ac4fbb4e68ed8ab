//! The keys of the close pairs of a block, batch by batch.

use crate::force::old::close_pairs::WORD;
use crate::force::old::half_rows::HalfRows;
use crate::force::old::slots::BATCH;

/// Room for what is left of a batch, and for the pairs of some words, all of which are written.
const ROOM: usize = BATCH + 8 * WORD;

/// The [keys](HalfRows::key) of the pairs that have a bit, in order. They are written some words ahead, into what stays in the cache.
pub(crate) struct CloseKeys<'a> {
    pairs: &'a HalfRows,
    close: &'a [u64],
    /// Words that were read.
    words: usize,
    room: [[u32; 2]; ROOM],
    /// Those in the room that are next.
    begin: usize,
    end: usize,
}

impl<'a> CloseKeys<'a> {
    #[inline(always)]
    pub(crate) fn new(pairs: &'a HalfRows, close: &'a [u64]) -> Self {
        Self { pairs, close, words: 0, room: [[0; 2]; ROOM], begin: 0, end: 0 }
    }

    /// The keys of the next batch, and how many there are; behind them is something.
    #[inline(always)]
    pub(crate) fn next_batch(&mut self) -> Option<(&[[u32; 2]; BATCH], usize)> {
        if self.end - self.begin < BATCH {
            self.read();
        }
        let (begin, count) = (self.begin, (self.end - self.begin).min(BATCH));
        self.begin += count;
        let keys = self.room.get(begin..)?.first_chunk()?;
        (count > 0).then_some((keys, count))
    }

    #[inline(always)]
    fn read(&mut self) {
        self.room.copy_within(self.begin..self.end, 0);
        (self.begin, self.end) = (0, self.end - self.begin);
        while self.words < self.close.len() {
            let Some(room) = self.room.get_mut(self.end..).and_then(<[_]>::first_chunk_mut) else { break };
            self.end += self.pairs.expand(self.words, self.close[self.words], room);
            self.words += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::force::old::close_pairs::lowest;
    use crate::force::old::homes::Homes;
    use crate::neighbor::full_list::Rows;
    use crate::neighbor::image_shift::{INDEX_BITS, NO_SHIFT};

    #[test]
    fn keys_are_those_of_the_marked_pairs() {
        // With as many places as are told apart by narrow keys, and by wide ones.
        for (most, step) in [(1_u32, 1), (900, 1), (66, 1), (300_000, 3)] {
            let entries: Vec<u32> = (1..most).step_by(step).map(|place| NO_SHIFT << INDEX_BITS | place).collect();
            let mut pairs = HalfRows::default();
            pairs.fill(&Rows { start: vec![0, entries.len() as u32], entries }, 0, Homes::of(usize::MAX, 2));
            for pattern in [0, u64::MAX, 0x9b5a_f731_0dec_8642, 1, 1 << 63] {
                let words = pairs.len().div_ceil(WORD);
                let word = |k: usize| pattern >> (k % 3) & lowest((pairs.len() - k * WORD).min(WORD));
                let close: Vec<u64> = (0..words).map(word).collect();
                let marked = |pair: &usize| close[pair / WORD] >> (pair % WORD) & 1 == 1;
                let expected: Vec<[u32; 2]> = (0..pairs.len()).filter(marked).map(|pair| pairs.key(pair)).collect();
                let (mut keys, mut found) = (CloseKeys::new(&pairs, &close), Vec::new());
                while let Some((batch, count)) = keys.next_batch() {
                    // Only the last one is not full.
                    assert!(found.len() % BATCH == 0 && count <= BATCH);
                    found.extend_from_slice(&batch[..count]);
                }
                assert_eq!(found, expected);
                assert!(keys.next_batch().is_none());
            }
        }
    }
}
