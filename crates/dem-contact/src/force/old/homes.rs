//! In whose row a pair is that is taken once.

use std::ops::Range;

use crate::parallel::blocks::Blocks;

/// Says which place of a pair is its home.
///
/// It is the lower place within a block, and where there are several classes of sizes, of which the largest bodies come first. Else blocks
/// are a ring: it is in the lower block unless the other one is [far](FEW), and then in the upper one, from which fewer steps forward lead to the
/// lower one. First and last blocks of a periodic list are then neighbours as any others are, and all have about as many pairs, which threads can share
/// out though they are few, and about as many bodies beyond them, for which there is room.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Homes {
    blocks: Blocks,
    /// Blocks that are further from each other than this are counted the other way round.
    far: usize,
}

/// Up to so many blocks are far if the other way round is shorter. Among more only those of the first and last quarter may be, since a
/// shallow bed of two layers has pairs of blocks about half of all apart: none of the lower layer could be handed on before the end.
const FEW: usize = 32;

impl Homes {
    /// For so many places of so many classes.
    pub(crate) fn of(places: usize, classes: usize) -> Self {
        let blocks = Blocks::of(places);
        let count = blocks.count();
        let far = if count <= FEW { count / 2 } else { count - count / 4 };
        Self { blocks, far: if classes == 1 { far } else { usize::MAX } }
    }

    /// How the places are cut into blocks.
    pub(crate) fn blocks(self) -> Blocks {
        self.blocks
    }

    /// Whether the home of a pair of places is the first one of them.
    #[inline(always)]
    pub(crate) fn is_home(self, place: usize, other: usize) -> bool {
        let is_far = self.blocks.at(place).abs_diff(self.blocks.at(other)) > self.far;
        (place < other) != is_far
    }

    /// The pair, its home first.
    pub(crate) fn sorted(self, [a, b]: [usize; 2]) -> [usize; 2] {
        if self.is_home(a, b) { [a, b] } else { [b, a] }
    }

    /// Whether some of the places `own` may be the homes of pairs with some of the `others`.
    pub(crate) fn may_be_home(self, own: &Range<usize>, others: &Range<usize>) -> bool {
        let (Some(last), Some(other)) = (own.clone().next_back(), others.clone().next_back()) else { return false };
        let [begin, last] = [others.start, last].map(|place| self.blocks.at(place));
        own.start < other && begin.saturating_sub(last) <= self.far || last.saturating_sub(begin) > self.far
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::blocks::BLOCK;

    #[test]
    fn each_pair_has_one_home_and_blocks_have_as_many_pairs_as_others() {
        for (places, step) in
            [(2, 1), (BLOCK, 7), (3 * BLOCK, 61), (8 * BLOCK, 128), (9 * BLOCK - 5, 128), (40 * BLOCK - 5, 200)]
        {
            let homes = Homes::of(places, 1);
            for a in (0..places).step_by(step) {
                for b in (0..places).step_by(step).filter(|&b| b != a) {
                    assert!(homes.is_home(a, b) != homes.is_home(b, a), "{a}, {b} of {places}");
                    let [home, other] = homes.sorted([a, b]);
                    assert!(homes.is_home(home, other) && home + other == a + b);
                    let [own, others] = [home, other].map(|place| place..(place + 5).min(places));
                    assert!(homes.may_be_home(&own, &others), "{home}, {other} of {places}");
                }
            }
        }
        // Rows of cells may be longer than a block.
        for (blocks, from, to) in (0..7 * 6 * 6).map(|k| ([3, 4, 5, 6, 7, 8, 40][k / 36], k / 6 % 6, k % 6)) {
            let (places, homes) = (blocks * BLOCK - 5, Homes::of(blocks * BLOCK - 5, 1));
            for (length, others) in [(BLOCK / 2, 3 * BLOCK / 2), (3 * BLOCK, 9), (BLOCK + 1, 2 * BLOCK)] {
                let [own, others] = [(from, length), (to, others)]
                    .map(|(begin, length)| begin * 3 * BLOCK / 4..(begin * 3 * BLOCK / 4 + length).min(places));
                let is_home = own.clone().step_by(7).any(|a| others.clone().step_by(5).any(|b| homes.is_home(a, b)));
                assert!(!is_home || homes.may_be_home(&own, &others), "{own:?}, {others:?} of {blocks} blocks");
            }
        }
        // Each of eight blocks in a circle has the pairs with the next one.
        let homes = Homes::of(8 * BLOCK, 1);
        assert!((0..8).all(|block| homes.is_home(block * BLOCK, (block + 1) % 8 * BLOCK)));
        assert!(homes.is_home(3, 4) && !homes.may_be_home(&(0..9), &(7 * BLOCK..8 * BLOCK)));
        assert!(!homes.may_be_home(&(5 * BLOCK..6 * BLOCK), &(3 * BLOCK..4 * BLOCK)));
        assert!(Homes::of(8 * BLOCK, 2).is_home(0, 7 * BLOCK));
        // First and last layers, and those of a shallow bed.
        let many = Homes::of(400 * BLOCK, 1);
        assert!(!many.is_home(0, 399 * BLOCK) && !many.is_home(9 * BLOCK, 395 * BLOCK) && many.is_home(0, 205 * BLOCK));
    }
}
