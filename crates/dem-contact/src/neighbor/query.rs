//! Reading the pairs of a list.

use crate::neighbor::NeighborList;
use crate::neighbor::image_shift::INDEX_MASK;
use crate::neighbor::tiles::full_rows::FullRows;

impl NeighborList {
    /// The neighbours of body `i`, in no particular order.
    ///
    /// The list then keeps full rows, some 100 bytes a body, until it is made anew.
    ///
    /// # Panics
    /// If there is no body `i`.
    #[must_use]
    pub fn neighbors(&self, i: usize) -> impl ExactSizeIterator<Item = usize> + '_ {
        let row = self.full_rows().row(self.place()[i] as usize);
        row.iter().map(|entry| self.order()[(entry & INDEX_MASK) as usize] as usize)
    }

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
        if let Some(tiling) = self.tiling() {
            tiling.each_pair(show);
        }
    }

    /// The partners of each body.
    pub(crate) fn full_rows(&self) -> &FullRows {
        static NONE: FullRows = FullRows::NONE;
        self.tiling().map_or(&NONE, |tiling| tiling.full_rows())
    }

    /// The gap (m) up to which the list in use was made: the [skin](Self::skin), unless a method needed more.
    pub(crate) fn skin_in_use(&self) -> f64 {
        self.tiling().map_or(self.skin(), |tiling| tiling.skin())
    }

    /// By place: where the list in use was made for each centre, with the radius, in m.
    pub(crate) fn reference(&self) -> &[[f64; 4]] {
        self.tiling().map_or(&[], |tiling| tiling.reference())
    }

    /// Up to this gap (m) all pairs of the present centres are listed.
    pub(crate) fn covered_gap(&self) -> f64 {
        self.current().map_or(f64::NEG_INFINITY, |list| list.covered_gap())
    }
}
