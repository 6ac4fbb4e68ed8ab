//! Histories of pairs by entry of full rows, for methods that evaluate body by body.

use crate::force::histories::carried::PairContactHistory;
use crate::force::histories::pair_history::TileHistory;
use crate::law::contact_history::ContactHistory;
use crate::neighbor::image_shift::INDEX_MASK;
use crate::neighbor::tiles::Tiling;
use crate::parallel::blocks::Blocks;

/// The committed histories by entry of the [full rows](crate::neighbor::tiles::full_rows::FullRows), and those of the
/// last evaluation.
///
/// Laws see a pair from the body with the lower id. Its row alone writes the pending history.
#[derive(Debug, Clone)]
pub(crate) struct RowHistories<M> {
    /// Empty where laws have no histories.
    pub(crate) committed: Vec<M>,
    /// By block of bodies, then by entry.
    pub(crate) pending: Vec<Vec<Option<M>>>,
}

impl<M: ContactHistory> RowHistories<M> {
    pub(crate) const NONE: Self = Self { committed: Vec::new(), pending: Vec::new() };

    /// Reads what is committed in the tiles of a list.
    pub(crate) fn load(&mut self, tiling: &Tiling, histories: &[TileHistory<M>]) {
        let cut = Blocks::of(tiling.len());
        self.committed.clear();
        self.pending.resize_with(cut.count(), Vec::new);
        if size_of::<M>() == 0 {
            return;
        }
        let rows = tiling.full_rows();
        for (tile, histories) in tiling.tiles().iter().zip(histories) {
            for place in tile.places.clone() {
                let pairs = rows.pairs_of_row(place);
                self.committed.extend(pairs.iter().map(|&pair| histories.committed.get(pair as usize)));
            }
        }
        for (block, pending) in self.pending.iter_mut().enumerate() {
            pending.clear();
            pending.resize(cut.range(block).map(|place| rows.row(place).len()).sum(), None);
        }
    }

    /// The pending histories by numbers.
    pub(crate) fn pending(&self, tiling: &Tiling) -> Vec<PairContactHistory<M>> {
        let (mut found, cut, rows) = (Vec::new(), Blocks::of(tiling.len()), tiling.full_rows());
        for (block, pending) in self.pending.iter().enumerate() {
            let places = cut.range(block).flat_map(|place| rows.row(place).iter().map(move |&entry| (place, entry)));
            for ((place, entry), history) in places.zip(pending) {
                let [a, b] = [place, (entry & INDEX_MASK) as usize].map(|place| tiling.order()[place]);
                found.extend(history.map(|history| PairContactHistory { a, b, history }));
            }
        }
        found.sort_unstable_by_key(|entry| (entry.a, entry.b));
        found
    }
}
