//! The cut of places into blocks.

use std::ops::Range;

/// Largest number of bodies in one [block](Blocks): few enough for the cache of a core, enough to pay for a task.
pub(crate) const BLOCK: usize = 512;

/// Cuts places into blocks of one size; the last one may be smaller.
///
/// A block has at most [`BLOCK`] places. Up to some hundred blocks are nearly equal and even in number, so that two
/// threads have the same share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Blocks {
    places: usize,
    size: usize,
    /// `2^SHIFT` over the size, rounded up: a product takes less time than a quotient.
    reciprocal: u64,
}

/// The quotient is exact for places below 2^27, the most that a list has, and sizes up to 2^9.
const SHIFT: u32 = 36;

impl Blocks {
    /// The blocks of so many places.
    pub(crate) fn of(places: usize) -> Self {
        let pairs = places.div_ceil(2 * BLOCK).max(1);
        // A multiple of four: rows and columns of two blocks share no line of the cache.
        let size = if places <= BLOCK { BLOCK } else { places.div_ceil(2 * pairs).next_multiple_of(4) };
        Self { places, size, reciprocal: (1_u64 << SHIFT).div_ceil(size as u64) }
    }

    /// Places in each block except the last one.
    #[cfg(test)]
    pub(crate) fn size(self) -> usize {
        self.size
    }

    /// Number of blocks.
    pub(crate) fn count(self) -> usize {
        self.places.div_ceil(self.size)
    }

    /// The block of a place.
    #[inline(always)]
    pub(crate) fn at(self, place: usize) -> usize {
        ((place as u64 * self.reciprocal) >> SHIFT) as usize
    }

    /// The block of a place, and its index in the block.
    #[inline(always)]
    pub(crate) fn split(self, place: usize) -> (usize, usize) {
        let block = self.at(place);
        (block, place - self.first(block))
    }

    /// The first place of a block.
    #[inline(always)]
    pub(crate) fn first(self, block: usize) -> usize {
        block * self.size
    }

    /// The places of a block.
    #[inline(always)]
    pub(crate) fn range(self, block: usize) -> Range<usize> {
        self.first(block).min(self.places)..self.first(block + 1).min(self.places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_all_places_and_about_as_many_as_each_other() {
        for places in (0..9000).chain([32_000, 256_000, 1_024_001]) {
            let blocks = Blocks::of(places);
            let count = blocks.count();
            assert!(blocks.size() <= BLOCK && (count <= 1 || blocks.size() > BLOCK / 2));
            assert!(count <= 1 || count.is_multiple_of(2) || count > 100, "{places}");
            assert_eq!(count == 1, (1..=BLOCK).contains(&places));
            assert!((0..count).map(|block| blocks.range(block).len()).sum::<usize>() == places);
            for block in 0..count {
                let range = blocks.range(block);
                assert!(
                    !range.is_empty() && (count == 1 || range.len() + 4 * count >= blocks.size()),
                    "{places}: {range:?}"
                );
                let [first, last] = [range.start, range.end - 1].map(|place| blocks.split(place));
                assert_eq!([first, last], [(block, 0), (block, range.len() - 1)]);
            }
        }
    }

    #[test]
    fn quotients_are_exact() {
        for places in BLOCK + 1..3000 {
            let blocks = Blocks::of(places);
            let most = (1 << 27) / blocks.size();
            for first in [1, 2, 3, most / 2, most - 1, most].map(|block| blocks.first(block)) {
                let exact = first / blocks.size();
                assert_eq!([blocks.at(first - 1), blocks.at(first)], [exact - 1, exact]);
            }
        }
    }
}
