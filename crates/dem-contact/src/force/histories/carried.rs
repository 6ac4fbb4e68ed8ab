//! Histories with the numbers of bodies and walls as keys, between two lists and in files.

use crate::force::histories::TileHistory;
use crate::force::histories::keyed_rows::KeyedRows;
use crate::force::histories::pair_history::PairHistories;
use crate::force::histories::wall_history::{WallHistories, WallKey};
use crate::law::material::assignment::LawAssignment;
use crate::neighbor::tiles::Tiling;

/// Key of the history of a contact of two bodies: their numbers. Body a has the lower permanent id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::force) struct PairKey {
    pub(in crate::force) a: u32,
    pub(in crate::force) b: u32,
    pub(in crate::force) law: u32,
}

/// Histories of all contacts at the accepted state, with the numbers of bodies and walls as keys.
#[derive(Debug, Clone, Default)]
pub(in crate::force) struct CarriedHistories {
    pub(in crate::force) pairs: KeyedRows<PairKey>,
    /// Histories of wall contacts, sorted by body, then by wall and feature (face, edge or corner).
    pub(in crate::force) walls: WallHistories,
}

impl CarriedHistories {
    pub(in crate::force) const NONE: Self = Self { pairs: KeyedRows::new(), walls: WallHistories::new() };

    pub(in crate::force) fn sorted(self) -> Self {
        Self { pairs: self.pairs.sorted_by_key(|key| (key.a, key.b)), walls: self.walls.sorted_by_key(WallKey::order) }
    }

    pub(in crate::force) fn bodies(&self) -> usize {
        let of_pairs = self.pairs.keys().iter().map(|key| key.a.max(key.b) as usize + 1);
        of_pairs.chain(self.walls.keys().iter().map(|key| key.body as usize + 1)).max().unwrap_or(0)
    }

    /// Renumbers the bodies in the keys, and drops histories of bodies for which `number` is `None`. The content of a
    /// history stays: it is seen from the body with the lower id, and ids do not change.
    pub(in crate::force) fn renumbered(self, number: impl Fn(usize) -> Option<usize>) -> Self {
        let new = |body: u32| number(body as usize).map(|new| new as u32);
        let mut renumbered = Self::NONE;
        for (key, row) in self.pairs.iter() {
            if let (Some(a), Some(b)) = (new(key.a), new(key.b)) {
                renumbered.pairs.push(PairKey { a, b, ..*key }, row);
            }
        }
        for (key, row) in self.walls.iter() {
            if let Some(body) = new(key.body) {
                renumbered.walls.push(WallKey { body, ..*key }, row);
            }
        }
        renumbered.sorted()
    }

    /// History of the contact of bodies a and b as seen from a, which has the lower id; `None` if the contact is new.
    pub(in crate::force) fn of_pair(&self, a: usize, b: usize) -> Option<&[f64]> {
        let key = |key: &PairKey| (key.a as usize, key.b as usize);
        let found = self.pairs.keys().binary_search_by_key(&(a, b), key).ok()?;
        Some(self.pairs.row(found))
    }
}

/// Collects the contact histories at the accepted state of the pairs of a neighbour list, unsorted. Each history is
/// taken from the tile that owns the sphere with the lower id.
pub(super) fn collect(
    tiling: &Tiling,
    laws: &LawAssignment,
    histories: &[TileHistory<PairHistories>],
) -> KeyedRows<PairKey> {
    let keys = histories.iter().map(|tile| tile.committed.len()).sum();
    let numbers = histories.iter().map(|tile| tile.committed.numbers()).sum();
    let mut collected = KeyedRows::with_capacity(keys, numbers);
    for (tile, histories) in tiling.tiles.iter().zip(histories) {
        for (index, row) in histories.committed.iter() {
            let [a, b] = tile.pair(index).places();
            if tile.places.contains(&a) {
                let [a, b] = [tiling.order[a], tiling.order[b]];
                collected.push(PairKey { a, b, law: laws.index_of_bodies(a, b) as u32 }, row);
            }
        }
    }
    collected
}

/// Moves histories of contacts out of the sorted `entries` into every tile that lists their pair. Histories of pairs
/// that no tile lists stay in `entries`. Returns the histories by tile.
pub(super) fn distribute(
    entries: &mut KeyedRows<PairKey>,
    tiling: &Tiling,
    laws: &LawAssignment,
) -> Vec<PairHistories> {
    let rows = rows_of(entries.keys());
    let mut are_taken = vec![false; entries.len()];
    let tiles = tiling.tiles.iter().map(|tile| {
        let mut histories = PairHistories::for_tile(tile, laws);
        if entries.is_empty() {
            return histories;
        }
        for (index, pair) in tile.iter_pairs().enumerate() {
            let [a, b] = pair.places().map(|place| tiling.order[place]);
            let Some(&[from, to]) = rows.get(a as usize) else { continue };
            if let Some(found) = (from..to).find(|&at| entries.keys()[at].b == b) {
                histories.push(index, entries.row(found));
                are_taken[found] = true;
            }
        }
        histories.shrink_to_fit();
        histories
    });
    let tiles = tiles.collect();
    let mut are_taken = are_taken.into_iter();
    *entries = entries.filtered(|_| !are_taken.next().unwrap_or_default());
    tiles
}

/// Returns, by body number, the range [first, end) of the sorted `keys` whose body a is this body; [0, 0] for a body
/// without keys.
fn rows_of(keys: &[PairKey]) -> Vec<[usize; 2]> {
    let bodies = keys.last().map_or(0, |key| key.a as usize + 1);
    let mut rows = vec![[0; 2]; bodies];
    for (at, key) in keys.iter().enumerate() {
        let [first, end] = &mut rows[key.a as usize];
        let is_first = *end == 0;
        if is_first {
            *first = at;
        }
        *end = at + 1;
    }
    rows
}
