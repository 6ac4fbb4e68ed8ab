//! The full neighbour list, for methods that sum over the contacts of each body.

use crate::neighbor::image_shift::{INDEX_BITS, opposite};
use crate::neighbor::tiles::Tiling;

/// Full neighbour list: each pair of spheres is in the rows of both spheres. Rows are in the order of the tiles.
#[derive(Debug, Clone)]
pub(crate) struct FullRows {
    start: Vec<u32>,
    /// Place of each entry's partner in the order of the tiles, with the code of its [image
    /// shift](crate::neighbor::image_shift).
    entries: Vec<u32>,
    /// Index of each entry's pair among the pairs of the tile that owns the sphere of the row.
    pairs: Vec<u32>,
}

impl FullRows {
    pub(super) fn of(tiling: &Tiling) -> Self {
        let mut rows = Self { start: vec![0], entries: Vec::new(), pairs: Vec::new() };
        for tile in &tiling.tiles {
            let seen = (0..).zip(tile.iter_pairs()).flat_map(|(index, pair)| {
                let ([a, b], code) = (pair.places(), pair.code());
                [(a, index, b, code), (b, index, a, opposite(code))]
            });
            let mut seen: Vec<(usize, u32, usize, usize)> = seen.filter(|row| tile.places.contains(&row.0)).collect();
            seen.sort_unstable();
            let first = rows.entries.len();
            let end = |place| (first + seen.partition_point(|row| row.0 <= place)) as u32;
            rows.start.extend(tile.places.clone().map(end));
            rows.entries.extend(seen.iter().map(|&(.., other, code)| other as u32 | (code as u32) << INDEX_BITS));
            rows.pairs.extend(seen.iter().map(|&(_, index, ..)| index));
        }
        rows
    }

    /// Returns the row of the sphere at this place: partners with the codes of their periodic shifts.
    #[inline(always)]
    pub(crate) fn row(&self, place: usize) -> &[u32] {
        &self.entries[self.start[place] as usize..self.start[place + 1] as usize]
    }

    /// Returns, for each partner in the row of a sphere, the index of their pair in the tile that owns the sphere.
    pub(crate) fn pairs_of_row(&self, place: usize) -> &[u32] {
        &self.pairs[self.start[place] as usize..self.start[place + 1] as usize]
    }
}
