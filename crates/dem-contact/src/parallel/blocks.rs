//! The cut of places into blocks.

use std::ops::Range;

/// Bodies in a block, except in the last one: few enough for the cache of a core, enough to pay for a task.
pub(crate) const BLOCK: usize = 512;

/// Cuts places into blocks, for methods that go through bodies one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Blocks {
    places: usize,
}

impl Blocks {
    /// The blocks of so many places.
    pub(crate) fn of(places: usize) -> Self {
        Self { places }
    }

    /// Number of blocks.
    pub(crate) fn count(self) -> usize {
        self.places.div_ceil(BLOCK)
    }

    /// The block of a place.
    #[inline(always)]
    pub(crate) fn at(self, place: usize) -> usize {
        place / BLOCK
    }

    /// The block of a place, and its index in the block.
    #[inline(always)]
    pub(crate) fn split(self, place: usize) -> (usize, usize) {
        (place / BLOCK, place % BLOCK)
    }

    /// The places of a block.
    #[inline(always)]
    pub(crate) fn range(self, block: usize) -> Range<usize> {
        (block * BLOCK).min(self.places)..((block + 1) * BLOCK).min(self.places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_all_places_once() {
        for places in (0..2000).chain([32_000, 1_024_001]) {
            let blocks = Blocks::of(places);
            assert!((0..blocks.count()).map(|block| blocks.range(block).len()).sum::<usize>() == places);
            for block in 0..blocks.count() {
                let range = blocks.range(block);
                assert!(!range.is_empty() && range.len() <= BLOCK);
                let [first, last] = [range.start, range.end - 1].map(|place| blocks.split(place));
                assert_eq!([first, last], [(block, 0), (block, range.len() - 1)]);
            }
        }
    }
}
