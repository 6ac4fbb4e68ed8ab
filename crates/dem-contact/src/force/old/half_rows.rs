//! The pairs of one block, for those who take each of them once.

use crate::force::old::close_pairs::{WORD, each_bit};
use crate::force::old::homes::Homes;
use crate::force::old::prefetch::fetch;
use crate::neighbor::full_list::Rows;
use crate::neighbor::image_shift::{INDEX_BITS, INDEX_MASK};
use crate::parallel::blocks::{BLOCK, Blocks};
use crate::util::reserve::reserve_tight;

/// Pairs of a block, each in the row of its [home](Homes), in the order of the list.
///
/// Where the other body is in another block, it has a number among those of this block: what it gets from here is summed under it.
#[derive(Debug, Clone, Default)]
pub(crate) struct HalfRows {
    /// In the upper half the place of a in the block, and the code of the shift in the bits above. In the lower one the place of
    /// b in the block, or [`BLOCK`] and its number among those beyond.
    keys: Vec<u32>,
    /// What these numbers have beyond the lower half, where some have.
    wide: Vec<u16>,
    /// Places in other blocks that pairs are with, in order.
    pub(crate) beyond: Vec<u32>,
}

/// Words with a bit for each place of a block.
const WORDS: usize = BLOCK / 64;

impl HalfRows {
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Has the keys fetched.
    #[inline(always)]
    pub(crate) fn fetch(&self) {
        fetch(&self.keys);
        fetch(&self.beyond);
    }

    /// A pair: place of a in the block with the [code](Self::split) of the shift, and where b is summed.
    #[inline(always)]
    pub(crate) fn key(&self, pair: usize) -> [u32; 2] {
        let key = self.keys[pair];
        [key >> 16, key & 0xffff | self.wide.get(pair).map_or(0, |&wide| u32::from(wide) << 16)]
    }

    /// Writes the [keys](Self::key) of the pairs of a word that have a bit, and something behind them; returns how many they are.
    #[inline(always)]
    pub(crate) fn expand(&self, word: usize, bits: u64, keys: &mut [[u32; 2]; WORD]) -> usize {
        if !self.wide.is_empty() {
            let mut room = keys.iter_mut();
            let mut write = |bit| room.next().into_iter().for_each(|room| *room = self.key(word * WORD + bit));
            each_bit(&[bits], &mut write);
            return bits.count_ones() as usize;
        }
        let (whole, rest) = self.keys.as_chunks::<WORD>();
        let mut last = [0; WORD];
        let pairs = if let Some(pairs) = whole.get(word) {
            pairs
        } else {
            last[..rest.len()].copy_from_slice(rest);
            &last
        };
        // Which of them are close cannot be predicted: all are written, some stay.
        let (mut found, mut at) = ([0; WORD], 0);
        for (bit, &key) in pairs.iter().enumerate() {
            found[at % WORD] = key;
            at += (bits >> bit & 1) as usize;
        }
        for (room, key) in keys.iter_mut().zip(found) {
            *room = [key >> 16, key & 0xffff];
        }
        at
    }

    /// The place of a in the block, and the code of the shift.
    #[inline(always)]
    pub(crate) fn split(this: u32) -> (usize, usize) {
        (this as usize % BLOCK, this as usize / BLOCK)
    }

    /// The pair of these places of the block that begins at place `first`.
    pub(crate) fn find(&self, first: usize, [this, other]: [usize; 2]) -> Option<usize> {
        let begin = self.keys.partition_point(|&key| first + Self::split(key >> 16).0 < this);
        (begin..self.len())
            .take_while(|&pair| first + Self::split(self.keys[pair] >> 16).0 == this)
            .find(|&pair| self.places(first, pair)[1] == other)
    }

    /// Both places of a pair of the block that begins at place `first`.
    #[inline(always)]
    pub(crate) fn places(&self, first: usize, pair: usize) -> [usize; 2] {
        let [this, to] = self.key(pair);
        let (this, to) = (Self::split(this).0, to as usize);
        [first + this, if to < BLOCK { first + to } else { self.beyond[to - BLOCK] as usize }]
    }

    /// The code of the shift of a pair.
    pub(crate) fn code(&self, pair: usize) -> usize {
        Self::split(self.key(pair)[0]).1
    }

    /// The blocks that places beyond are in, in order.
    pub(crate) fn blocks_beyond(&self, cut: Blocks) -> Vec<u32> {
        let mut blocks: Vec<u32> = self.beyond.iter().map(|&place| cut.at(place as usize) as u32).collect();
        blocks.dedup();
        blocks.shrink_to_fit();
        blocks
    }

    /// Takes the pairs of the block that begins at place `first` from rows that may have those with other homes too.
    pub(crate) fn fill(&mut self, rows: &Rows, first: usize, homes: Homes) {
        // Which entries are of pairs cannot be predicted: all are written, some stay.
        let room = rows.len() + 1;
        let (mut this, mut others, mut pairs) = (vec![0_u32; room], vec![0_u32; room], 0);
        for k in 0..rows.start.len().saturating_sub(1) {
            for &entry in rows.row(k) {
                let code = (entry >> INDEX_BITS) as usize;
                (this[pairs], others[pairs]) = (((k + code * BLOCK) as u32) << 16, entry & INDEX_MASK);
                pairs += usize::from(homes.is_home(first + k, (entry & INDEX_MASK) as usize));
            }
        }
        this.truncate(pairs);
        others.truncate(pairs);
        self.address((first, homes.blocks()), (this, others));
    }

    /// Says where what each b gets is summed, given their places, and the upper halves of the keys.
    fn address(&mut self, (first, cut): (usize, Blocks), (mut keys, mut others): (Vec<u32>, Vec<u32>)) {
        let own = cut.range(cut.at(first));
        let is_own = |other: u32| own.contains(&(other as usize));
        // A bit for each place of the blocks that they are in: what comes before a place is counted, nothing is sorted.
        let blocks =
            blocks_of(others.iter().filter(|&&other| !is_own(other)).map(|&other| cut.at(other as usize) as u32));
        let (mut marks, mut last) = (vec![0_u64; blocks.len() * WORDS], (u32::MAX, 0));
        for other in &mut others {
            if is_own(*other) {
                *other -= first as u32;
                continue;
            }
            let (of_other, place) = cut.split(*other as usize);
            let of_other = of_other as u32;
            if of_other != last.0 {
                last = (of_other, blocks.binary_search(&of_other).unwrap_or_default());
            }
            let bit = last.1 * BLOCK + place;
            marks[bit / 64] |= 1 << (bit % 64);
            *other = (BLOCK + bit) as u32;
        }
        let mut beyond: Vec<u32> = Vec::with_capacity(others.len());
        let mut before = vec![0; marks.len()];
        for (word, (&mark, before)) in marks.iter().zip(&mut before).enumerate() {
            *before = (BLOCK + beyond.len()) as u32;
            let (mut bits, from) = (mark, cut.first(blocks[word / WORDS] as usize) + word % WORDS * 64);
            while bits != 0 {
                beyond.push(from as u32 + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
        for other in others.iter_mut().filter(|other| **other >= BLOCK as u32) {
            let bit = *other as usize - BLOCK;
            let lower = marks[bit / 64] & ((1 << (bit % 64)) - 1);
            *other = before[bit / 64] + lower.count_ones();
        }
        keys.iter_mut().zip(&others).for_each(|(key, other)| *key |= other & 0xffff);
        refill(&mut self.keys, &keys);
        let is_wide = BLOCK + beyond.len() > 1 << 16;
        let wide: Vec<u16> =
            others.iter().take(if is_wide { others.len() } else { 0 }).map(|to| (to >> 16) as u16).collect();
        refill(&mut self.wide, &wide);
        refill(&mut self.beyond, &beyond);
    }
}

/// These blocks in order, each once.
fn blocks_of(all: impl Iterator<Item = u32>) -> Vec<u32> {
    // Most follow on the same one.
    let (mut blocks, mut last) = (Vec::new(), u32::MAX);
    for block in all {
        if block != last {
            blocks.push(block);
            last = block;
        }
    }
    blocks.sort_unstable();
    blocks.dedup();
    blocks
}

/// `found` in the place of what `column` had, with hardly more room than that takes.
fn refill<T: Copy>(column: &mut Vec<T>, found: &[T]) {
    reserve_tight(column, found.len());
    column.extend_from_slice(found);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbor::image_shift::NO_SHIFT;

    /// Neighbours of three bodies, a few or so many that their numbers need more than half a key.
    #[test]
    fn pairs_are_found_again_however_many_there_are() {
        // 0, 2697, 192 and some 300 000 pairs: none, words of which the last is full or not, and wide ones.
        for (most, step) in [(1_u32, 1), (900, 1), (66, 1), (300_000, 3)] {
            let (mut start, mut entries, mut expected) = (vec![0], Vec::new(), Vec::new());
            for k in 0..3_u32 {
                for place in (k..most).step_by(step) {
                    entries.push((NO_SHIFT + k) << INDEX_BITS | place);
                    if place > k {
                        expected.push([k as usize, place as usize, (NO_SHIFT + k) as usize]);
                    }
                }
                start.push(entries.len() as u32);
            }
            let mut half = HalfRows::default();
            half.fill(&Rows { start, entries }, 0, Homes::of(usize::MAX, 2));
            assert_eq!((half.len(), half.wide.is_empty()), (expected.len(), most < 1000));
            for (pair, &[this, other, code]) in expected.iter().enumerate() {
                assert_eq!((half.places(0, pair), half.code(pair)), ([this, other], code));
            }
            let Some(&[this, other, _]) = expected.get(expected.len() / 2) else { continue };
            assert_eq!(half.find(0, [this, other]), Some(expected.len() / 2));
            assert_eq!(half.find(0, [3, 4]), None);
        }
    }

    #[test]
    fn places_beyond_are_those_of_other_blocks_on_both_sides() {
        // The second of four blocks: pairs within it, with the first and with the third one; of some the home is elsewhere.
        let homes = Homes::of(4 * BLOCK, 1);
        let rows = |others: [u32; 6]| {
            let row: Vec<u32> = others.map(|place| NO_SHIFT << INDEX_BITS | place).into();
            Rows { start: vec![0, 6, 12], entries: [row.clone(), row].concat() }
        };
        let mut half = HalfRows::default();
        half.fill(&rows([3, 4, 600, 520, 1030, 1025]), BLOCK, homes);
        let places: Vec<[usize; 2]> = (0..half.len()).map(|pair| half.places(BLOCK, pair)).collect();
        let expected = [512, 513].map(|home| [600, 520, 1030, 1025].map(|other| [home, other]));
        assert_eq!(places, expected.concat());
        assert_eq!((&half.beyond[..], half.blocks_beyond(homes.blocks())), (&[1025, 1030][..], vec![2]));
        // The last one has those with the first one, since nothing is nearer to it behind.
        half.fill(&rows([3, 4, 600, 1030, 1542, 1537]), 3 * BLOCK, homes);
        let expected = [1536, 1537].map(|home| [3, 4, 1542, 1537].map(|other| [home, other]));
        let places: Vec<[usize; 2]> = (0..half.len()).map(|pair| half.places(3 * BLOCK, pair)).collect();
        assert_eq!(places, expected.concat()[..7]);
        assert_eq!((&half.beyond[..], half.blocks_beyond(homes.blocks())), (&[3, 4][..], vec![0]));
    }

    #[test]
    fn blocks_may_be_smaller() {
        // Two blocks of 352.
        let homes = Homes::of(700, 1);
        let row: Vec<u32> = [699, 352, 351, 1, 500].map(|place| NO_SHIFT << INDEX_BITS | place).into();
        let mut half = HalfRows::default();
        half.fill(&Rows { start: vec![0, 5], entries: row }, 0, homes);
        let places: Vec<[usize; 2]> = (0..half.len()).map(|pair| half.places(0, pair)).collect();
        assert_eq!(places, [699, 352, 351, 1, 500].map(|other| [0, other]));
        assert_eq!((&half.beyond[..], half.blocks_beyond(homes.blocks())), (&[352, 500, 699][..], vec![1]));
        assert_eq!((0..5).map(|pair| half.key(pair)[1]).collect::<Vec<_>>(), [514, 512, 351, 1, 513]);
    }
}
