//! Layout of a tile: orders the pairs that a search has found, and finds their segments, ghosts and rows.

use std::ops::Range;

use crate::neighbor::tiles::ghost_rows::GhostRows;
use crate::neighbor::tiles::pair::Pair;
use crate::neighbor::tiles::tile::{Segment, Tile};

/// Number of bits of a pair's sort key that hold the code of its periodic shift, which is 26 at most.
const CODE_BITS: u32 = 5;

#[derive(Debug, Default)]
pub(super) struct LayoutScratch {
    keyed: Vec<(u64, Pair)>,
    ghosts: GhostRows,
}

/// Kinds of spheres (numbers that stand for contact laws), by which the pairs of a list are sorted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kinds<'a> {
    pub(super) order: &'a [u32],
    pub(super) of_number: &'a [u16],
}

impl Kinds<'_> {
    /// Returns the kinds of the spheres at two places, the smaller kind first.
    #[inline(always)]
    fn of(&self, places: [usize; 2]) -> [u16; 2] {
        if self.of_number.is_empty() {
            return [0; 2];
        }
        let [a, b] = places.map(|place| self.of_number.get(self.order[place] as usize).copied().unwrap_or(0));
        [a.min(b), a.max(b)]
    }

    /// Sort key of a pair: index of its pair of kinds in a triangular numbering, then the code of its shift.
    #[inline(always)]
    fn key(&self, pair: Pair) -> u64 {
        let [low, high] = self.of(pair.places()).map(u64::from);
        (high * (high + 1) / 2 + low) << CODE_BITS | pair.code() as u64
    }
}

impl LayoutScratch {
    /// Makes the tile that owns this range of spheres and has these pairs. Pairs of the same kinds and periodic shift
    /// keep their order.
    pub(super) fn lay_out(&mut self, places: Range<usize>, pairs: &[Pair], kinds: Kinds<'_>) -> Tile {
        let Self { keyed, ghosts } = self;
        keyed.clear();
        keyed.extend(pairs.iter().map(|&pair| (kinds.key(pair), pair)));
        if !keyed.is_sorted_by_key(|&(key, _)| key) {
            keyed.sort_by_key(|&(key, _)| key);
        }
        let mut end = 0;
        let segment = |pairs: &[(u64, Pair)]| {
            let pair = pairs[0].1;
            end += pairs.len() as u32;
            Segment { kinds: kinds.of(pair.places()), code: pair.code() as u8, end }
        };
        let segments = keyed.chunk_by(|one, next| one.0 == next.0).map(segment).collect();
        ghosts.clear(kinds.order.len());
        let all = keyed.iter().flat_map(|(_, pair)| pair.places());
        all.filter(|place| !places.contains(place)).for_each(|place| ghosts.mark(place));
        let ghost_places = ghosts.number(places.len() as u32);
        let row = |place: usize| {
            if places.contains(&place) { (place - places.start) as u32 } else { ghosts.row(place) }
        };
        let pairs = keyed.iter().map(|(_, pair)| pair.places().map(row)).collect();
        Tile { places, ghosts: ghost_places, pairs, segments }
    }
}
