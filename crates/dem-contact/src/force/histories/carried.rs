//! Histories on their way from one list to the next, and to a file and back.

use crate::force::histories::TileHistory;
use crate::force::histories::pair_history::PairHistories;
use crate::force::histories::wall_history::{WallContactHistory, sort_by_body};
use crate::law::contact_history::ContactHistory;
use crate::neighbor::tiles::Tiling;
use crate::wall::surface::Patch;

/// The history of one pair, by numbers: a is the body with the lower id, which it is seen from.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct PairContactHistory<M> {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) history: M,
}

/// Committed histories by the numbers of bodies and walls.
#[derive(Debug, Clone)]
pub(crate) struct CarriedHistories<M> {
    /// Sorted by a, then by b.
    pub(crate) pairs: Vec<PairContactHistory<M>>,
    /// Sorted by body, then by wall and feature.
    pub(crate) walls: Vec<WallContactHistory<M>>,
}

impl<M: ContactHistory> CarriedHistories<M> {
    pub(crate) const NONE: Self = Self { pairs: Vec::new(), walls: Vec::new() };

    /// The same in order.
    pub(crate) fn sorted(mut self) -> Self {
        self.pairs.sort_unstable_by_key(|entry| (entry.a, entry.b));
        sort_by_body(&mut self.walls);
        self
    }

    /// The least number of bodies that they name.
    pub(crate) fn bodies(&self) -> usize {
        let of_pairs = self.pairs.iter().map(|entry| entry.a.max(entry.b) as usize + 1);
        of_pairs.chain(self.walls.iter().map(|entry| entry.body as usize + 1)).max().unwrap_or(0)
    }

    /// The same with other numbers of the bodies. Histories stay as they are: they are seen from the lower id, which
    /// stays too. Those of bodies without a number are dropped.
    pub(crate) fn renumbered(mut self, number: impl Fn(usize) -> Option<usize>) -> Self {
        let renumber = |body: &mut u32| number(*body as usize).map(|new| *body = new as u32).is_some();
        self.pairs.retain_mut(|entry| renumber(&mut entry.a) & renumber(&mut entry.b));
        self.walls.retain_mut(|entry| renumber(&mut entry.body));
        self.sorted()
    }

    /// The history of a body at a patch of a wall; a new one if there is none.
    pub(crate) fn of_wall(&self, body: usize, wall: usize, patch: &Patch) -> M {
        let key = |entry: &WallContactHistory<M>| (entry.body as usize, entry.wall as usize);
        let from = self.walls.partition_point(|entry| key(entry) < (body, wall));
        let known = || self.walls[from..].iter().take_while(|entry| key(entry) == (body, wall));
        let count = known().count();
        known().find(|entry| entry.is_at(patch, count)).map_or_else(M::default, |entry| entry.history)
    }

    /// The history of a pair seen from a, which has the lower id; a new one if there is none.
    pub(crate) fn of_pair(&self, a: usize, b: usize) -> M {
        let key = |entry: &PairContactHistory<M>| (entry.a as usize, entry.b as usize);
        let found = self.pairs.binary_search_by_key(&(a, b), key);
        found.map_or_else(|_| M::default(), |at| self.pairs[at].history)
    }
}

/// The committed histories of the pairs of a list, in no order. Each is taken from the tile that owns its sphere with
/// the lower id.
pub(crate) fn collect<M: ContactHistory>(
    tiling: &Tiling,
    histories: &[TileHistory<PairHistories<M>>],
) -> Vec<PairContactHistory<M>> {
    let order = &tiling.order;
    let entries = || {
        tiling.tiles.iter().zip(histories).flat_map(move |(tile, histories)| {
            histories.committed.iter().filter_map(move |(pair, history)| {
                let [a, b] = tile.pairs[pair].places();
                tile.places.contains(&a).then(|| PairContactHistory { a: order[a], b: order[b], history })
            })
        })
    };
    let mut collected = Vec::with_capacity(entries().count());
    collected.extend(entries());
    collected
}

/// Takes the histories of the pairs of a list out of the sorted `entries`, for all of its tiles.
pub(crate) fn distribute<M: ContactHistory>(
    entries: &mut Vec<PairContactHistory<M>>,
    tiling: &Tiling,
) -> Vec<PairHistories<M>> {
    if entries.is_empty() {
        return vec![PairHistories::default(); tiling.tiles.len()];
    }
    let rows = rows_of(entries);
    let mut are_taken = vec![false; entries.len()];
    let tiles = tiling.tiles.iter().map(|tile| {
        let mut histories = PairHistories::default();
        for (pair, places) in tile.pairs.iter().enumerate() {
            let [a, b] = places.places().map(|place| tiling.order[place]);
            let Some(&[from, to]) = rows.get(a as usize) else { continue };
            if let Some(found) = (from..to).find(|&at| entries[at].b == b) {
                histories.set(pair, entries[found].history);
                are_taken[found] = true;
            }
        }
        histories.shrink_to_fit();
        histories
    });
    let tiles = tiles.collect();
    let mut are_taken = are_taken.into_iter();
    entries.retain(|_| !are_taken.next().unwrap_or_default());
    entries.shrink_to_fit();
    tiles
}

/// By body a: where its entries begin and end among the sorted ones, both zero if it has none.
fn rows_of<M>(entries: &[PairContactHistory<M>]) -> Vec<[usize; 2]> {
    let bodies = entries.last().map_or(0, |entry| entry.a as usize + 1);
    let mut rows = vec![[0; 2]; bodies];
    for (at, entry) in entries.iter().enumerate() {
        let [first, end] = &mut rows[entry.a as usize];
        let is_first = *end == 0;
        if is_first {
            *first = at;
        }
        *end = at + 1;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use rrp_geom::glam::DVec3;

    #[test]
    fn each_side_of_a_sheet_has_its_own_history() {
        let entry = |(body, feature, normal, history): (u32, u32, DVec3, DVec3)| WallContactHistory {
            wall: 1,
            body,
            feature,
            normal,
            history,
        };
        let mut walls = [
            (2, 5, DVec3::X, DVec3::ONE),
            (3, 5, DVec3::Z, DVec3::X),
            (3, 5, -DVec3::Z, DVec3::Y),
            (3, 6, DVec3::X, DVec3::Z),
        ]
        .map(entry);
        for _ in 0..2 {
            let all = CarriedHistories { pairs: Vec::new(), walls: walls.to_vec() };
            let of = |feature: u32, normal: DVec3| all.of_wall(3, 1, &Patch::flat(feature, normal, 0.4));
            assert_eq!([of(5, DVec3::Z), of(5, -DVec3::Z), of(6, DVec3::X)], [DVec3::X, DVec3::Y, DVec3::Z]);
            assert_eq!([of(6, -DVec3::X), of(7, DVec3::Z)], [DVec3::ZERO; 2]);
            assert_eq!(all.of_wall(2, 1, &Patch::flat(5, -DVec3::X, 0.4)), DVec3::ONE);
            assert_eq!(all.of_wall(3, 0, &Patch::flat(5, DVec3::Z, 0.4)), DVec3::ZERO);
            walls.swap(1, 2);
        }
    }
}
