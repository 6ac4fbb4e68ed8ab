//! The partners of each body, for methods that sum body by body.

use crate::neighbor::image_shift::{INDEX_BITS, opposite};
use crate::neighbor::tiles::Tiling;

/// The rows of all places: each pair stands in the rows of both bodies.
#[derive(Debug, Clone)]
pub(crate) struct FullRows {
    /// By place: the first entry of its row. One more number is the end of the last row.
    start: Vec<u32>,
    /// The place of the partner, with the code of its [image shift](crate::neighbor::image_shift).
    entries: Vec<u32>,
    /// By entry: the index of the pair in the tile that owns the body of the row.
    pairs: Vec<u32>,
}

impl FullRows {
    /// The rows of this list. Bodies of a tile find all their pairs there.
    pub(crate) fn of(tiling: &Tiling) -> Self {
        let mut start = vec![0_u32; tiling.len() + 1];
        for tile in tiling.tiles() {
            for place in tile.pairs.iter().flat_map(|pair| pair.places()).filter(|place| tile.places.contains(place)) {
                start[place + 1] += 1;
            }
        }
        (1..start.len()).for_each(|place| start[place] += start[place - 1]);
        let count = start.last().map_or(0, |&end| end as usize);
        let (mut next, mut entries, mut pairs) = (start.clone(), vec![0; count], vec![0; count]);
        for tile in tiling.tiles() {
            for (index, pair) in (0..).zip(&tile.pairs) {
                let ([a, b], code) = (pair.places(), pair.code());
                for (place, other, code) in [(a, b, code), (b, a, opposite(code))] {
                    if tile.places.contains(&place) {
                        let at = next[place] as usize;
                        next[place] += 1;
                        (entries[at], pairs[at]) = (other as u32 | (code as u32) << INDEX_BITS, index);
                    }
                }
            }
        }
        Self { start, entries, pairs }
    }

    /// The entries of the row of a place: the partners with their codes.
    #[inline(always)]
    pub(crate) fn row(&self, place: usize) -> &[u32] {
        &self.entries[self.start[place] as usize..self.start[place + 1] as usize]
    }

    /// By entry of the row of a place: the index of the pair in its tile.
    pub(crate) fn pairs_of_row(&self, place: usize) -> &[u32] {
        &self.pairs[self.start[place] as usize..self.start[place + 1] as usize]
    }
}
