//! Reading the pairs of a neighbour list.

use crate::neighbor::NeighborList;
use crate::neighbor::tiles::full_rows::FullRows;

impl NeighborList {
    /// Returns all listed pairs `[a, b]` of body numbers, a < b, sorted.
    #[must_use]
    pub fn pairs(&self) -> Vec<[usize; 2]> {
        let by_number = |(places, _): ([usize; 2], usize)| {
            let [a, b] = places.map(|place| self.order()[place] as usize);
            [a.min(b), a.max(b)]
        };
        let mut pairs: Vec<[usize; 2]> = self.tiling().pairs().map(by_number).collect();
        pairs.sort_unstable();
        pairs
    }

    pub(crate) fn full_rows(&self) -> &FullRows {
        self.tiling().full_rows()
    }
}
