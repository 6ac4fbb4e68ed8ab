//! Reading the pairs of a list.

use crate::neighbor::NeighborList;
use crate::neighbor::tiles::full_rows::FullRows;

impl NeighborList {
    /// All listed pairs `[a, b]` with a < b, sorted.
    #[must_use]
    pub fn pairs(&self) -> Vec<[usize; 2]> {
        let (mut pairs, order) = (Vec::new(), self.order());
        self.each_pair(&mut |places, _| {
            let [a, b] = places.map(|place| order[place] as usize);
            pairs.push([a.min(b), a.max(b)]);
        });
        pairs.sort_unstable();
        pairs
    }

    /// Calls `show` once for each pair, with both places from the lower id and the code of the shift.
    pub(crate) fn each_pair(&self, show: &mut dyn FnMut([usize; 2], usize)) {
        self.tiling().each_pair(show);
    }

    /// The partners of each body.
    pub(crate) fn full_rows(&self) -> &FullRows {
        self.tiling().full_rows()
    }
}
