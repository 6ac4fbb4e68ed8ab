//! Histories on their way from one list to the next, by the two spheres of each pair.

use crate::force::tiles::pair_history::TileHistory;
use crate::law::contact_history::ContactHistory;
use crate::neighbor::tiles::Tiling;

/// The history of one pair, by numbers: a is the sphere with the lower id, which it is seen from.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct CarriedHistory<M> {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) history: M,
}

/// Histories sorted by a, then by b.
#[derive(Debug, Clone)]
pub(crate) struct Carried<M> {
    /// By a: the index of its first entry. One more number is the end of the last a. Empty without entries.
    start: Vec<u32>,
    entries: Vec<CarriedHistory<M>>,
}

impl<M: ContactHistory> Carried<M> {
    /// None.
    pub(crate) const NONE: Self = Self { start: Vec::new(), entries: Vec::new() };

    /// These histories of pairs of `spheres` spheres.
    pub(crate) fn of(entries: &[CarriedHistory<M>], spheres: usize) -> Self {
        if entries.is_empty() {
            return Self::NONE;
        }
        let mut start = vec![0; spheres + 1];
        entries.iter().for_each(|entry| start[entry.a as usize + 1] += 1);
        (1..start.len()).for_each(|a| start[a] += start[a - 1]);
        let (mut next, mut sorted) = (start.clone(), entries.to_vec());
        for entry in entries {
            let at = &mut next[entry.a as usize];
            sorted[*at as usize] = *entry;
            *at += 1;
        }
        for a in 0..spheres {
            sorted[start[a] as usize..start[a + 1] as usize].sort_unstable_by_key(|entry| entry.b);
        }
        Self { start, entries: sorted }
    }

    /// The committed histories of a list. Each pair is taken from the tile that owns its sphere with the lower id.
    pub(crate) fn collect(tiling: &Tiling, histories: &[TileHistory<M>]) -> Vec<CarriedHistory<M>> {
        let order = tiling.order();
        let mut entries = Vec::new();
        for (tile, histories) in tiling.tiles().iter().zip(histories) {
            for (pair, history) in histories.committed.iter() {
                let [a, b] = tile.pairs[pair].places();
                if tile.places.contains(&a) {
                    entries.push(CarriedHistory { a: order[a], b: order[b], history });
                }
            }
        }
        entries
    }

    /// Histories for all tiles of a list, with those that were carried.
    pub(crate) fn distribute(&self, tiling: &Tiling) -> Vec<TileHistory<M>> {
        let order = tiling.order();
        let tiles = tiling.tiles().iter().map(|tile| {
            let mut histories = TileHistory::new(tile.pairs.len());
            if !self.entries.is_empty() {
                for (pair, places) in tile.pairs.iter().enumerate() {
                    let [a, b] = places.places().map(|place| order[place]);
                    if let Some(history) = self.get(a, b) {
                        histories.committed.set(pair, history);
                    }
                }
            }
            histories
        });
        tiles.collect()
    }

    fn get(&self, a: u32, b: u32) -> Option<M> {
        let [from, to] = [a, a + 1].map(|a| self.start[a as usize] as usize);
        let own = &self.entries[from..to];
        own.binary_search_by_key(&b, |entry| entry.b).ok().map(|found| own[found].history)
    }
}
