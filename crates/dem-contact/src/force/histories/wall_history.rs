//! Histories of contacts with walls.

use std::ops::Range;

use rrp_geom::glam::DVec3;

use crate::force::histories::keyed_rows::KeyedRows;
use crate::law::contact_history::Layout;
use crate::neighbor::tiles::Tiling;
use crate::wall::images::Touched;
use crate::wall::surface::Patch;

/// Key of the history of a wall contact: the body, the wall, and the part of the wall that the body touches.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct WallKey {
    pub(crate) wall: u32,
    pub(crate) body: u32,
    /// Number of the face, edge or corner of the wall that the body touches: the feature of the [`Patch`].
    pub(crate) feature: u32,
    pub(crate) law: u32,
    pub(crate) normal: DVec3,
}

impl WallKey {
    /// Returns the sort key of stored wall contacts: body, then wall and feature (face, edge or corner).
    pub(in crate::force) fn order(&self) -> [u32; 3] {
        [self.body, self.wall, self.feature]
    }

    /// Whether this key is that of the body's contact at `patch`; `known` is the number of contacts of the body with
    /// the wall. A body between two images of a sheet touches one feature on both sides.
    fn is_at(&self, patch: &Patch, known: usize) -> bool {
        self.feature == patch.feature && (known == 1 || self.normal.dot(patch.normal) > 0.0)
    }
}

/// Histories of wall contacts. Those of one tile are sorted by the body's place in the order of the tiles, then by wall
/// and feature; those of all tiles by body number, then by wall and feature.
pub(in crate::force) type WallHistories = KeyedRows<WallKey>;

#[derive(Debug, Clone)]
pub(crate) struct KnownAtWall<'a> {
    histories: &'a WallHistories,
    indices: Range<usize>,
}

impl<'a> KnownAtWall<'a> {
    /// Finds the histories of the body at index `place` at one wall, among the histories of a tile.
    pub(super) fn of(histories: &'a WallHistories, tiling: &Tiling, place: usize, wall: u32) -> Self {
        let key = |entry: &WallKey| (tiling.place[entry.body as usize] as usize, entry.wall);
        let from = histories.keys().partition_point(|entry| key(entry) < (place, wall));
        let count = histories.keys()[from..].iter().take_while(|entry| key(entry) == (place, wall)).count();
        Self { histories, indices: from..from + count }
    }

    /// Finds the histories of a body at one wall, among histories that are sorted by body, wall and feature.
    pub(in crate::force) fn of_sorted(histories: &'a WallHistories, body: usize, wall: usize) -> Self {
        let key = |entry: &WallKey| (entry.body as usize, entry.wall as usize);
        let from = histories.keys().partition_point(|entry| key(entry) < (body, wall));
        let count = histories.keys()[from..].iter().take_while(|entry| key(entry) == (body, wall)).count();
        Self { histories, indices: from..from + count }
    }

    /// Finds the histories of a body at a wall as [`of`](Self::of) does, for calls in ascending order of `place`, then
    /// of wall. `next` is the index at which the search begins, and is advanced for the next call.
    pub(in crate::force) fn following(
        histories: &'a WallHistories,
        tiling: &Tiling,
        next: &mut usize,
        place: usize,
        wall: u32,
    ) -> Self {
        let key = |entry: &WallKey| (tiling.place[entry.body as usize] as usize, entry.wall);
        let keys = histories.keys();
        while *next < keys.len() && key(&keys[*next]) < (place, wall) {
            *next += 1;
        }
        let from = *next;
        while *next < keys.len() && key(&keys[*next]) == (place, wall) {
            *next += 1;
        }
        Self { histories, indices: from..*next }
    }

    fn keys(&self) -> &'a [WallKey] {
        &self.histories.keys()[self.indices.clone()]
    }

    fn row(&self, k: usize) -> &'a [f64] {
        self.histories.row(self.indices.start + k)
    }

    /// History of the body's first contact with the wall, the only one at a plane; `None` without a contact.
    pub(crate) fn first_row(&self) -> Option<&'a [f64]> {
        (!self.indices.is_empty()).then(|| self.row(0))
    }

    pub(in crate::force) fn at(&self, patch: &Patch) -> Option<&'a [f64]> {
        let keys = self.keys();
        let found = keys.iter().position(|entry| entry.is_at(patch, keys.len()));
        found.map(|k| self.row(k))
    }
}

/// Moves the wall histories of existing bodies out of `entries`, to the tiles of these bodies.
pub(super) fn by_tile(entries: &mut WallHistories, tiling: &Tiling) -> Vec<WallHistories> {
    let mut by_tile = vec![WallHistories::new(); tiling.tiles.len()];
    for (key, row) in entries.iter() {
        if let Some(&place) = tiling.place.get(key.body as usize) {
            by_tile[tiling.tile_of(place as usize)].push(*key, row);
        }
    }
    *entries = entries.filtered(|key| key.body as usize >= tiling.len());
    let order = |key: &WallKey| [tiling.place[key.body as usize], key.wall, key.feature];
    by_tile.into_iter().map(|entries| entries.sorted_by_key(order)).collect()
}

/// Cosine of the largest angle, 26 degrees, between the normals of a contact before and after it moved to another part
/// of a wall. At a larger angle the contact counts as new and gets no history.
const LEAST_COSINE: f64 = 0.9;

/// Writes to `recalled`, one after the other, the histories of the points at which a body touches a wall, from `known`,
/// the histories of the body at this wall. New contacts have zeros.
///
/// A contact that moved from its face, edge or corner to another part continues there: a history whose feature has no
/// patch goes to the patch with the nearest normal, so friction does not see the seams of a mesh. A contact that begins
/// beside another contact, with a saddle between them, begins with a copy of the other contact's history, since it may
/// replace this contact.
pub(crate) fn recall(known: &KnownAtWall<'_>, touched: &[Touched], layout: &Layout, recalled: &mut Vec<f64>) {
    let width = layout.width();
    recalled.clear();
    recalled.resize(touched.len() * width, 0.0);
    let keys = known.keys();
    if keys.is_empty() || width == 0 {
        return;
    }
    let patches_at = |feature: u32| touched.iter().filter(move |at| at.patch.feature == feature);
    // Bit k is set once the known history k was given to a patch.
    let mut given = 0_u64;
    for (Touched { patch, .. }, recalled) in touched.iter().zip(recalled.chunks_exact_mut(width)) {
        if let Some(row) = known.at(patch) {
            recalled.copy_from_slice(row);
            continue;
        }
        let most_similar = |may: &dyn Fn(usize, &WallKey) -> bool| {
            let along = |k: usize| keys[k].normal.dot(patch.normal);
            let candidates = (0..keys.len().min(64)).filter(|&k| along(k) > LEAST_COSINE && may(k, &keys[k]));
            // Of several equally near histories the first one is taken.
            candidates.reduce(|best, k| if along(k) > along(best) { k } else { best })
        };
        if let Some(k) = most_similar(&|k, entry| given >> k & 1 == 0 && patches_at(entry.feature).next().is_none()) {
            given |= 1 << k;
            recalled.copy_from_slice(known.row(k));
        } else if let Some(k) = most_similar(&|_, entry| {
            // One of the two patches has a saddle towards the other one.
            patch.saddle.is_some() || patches_at(entry.feature).any(|at| at.patch.saddle.is_some())
        }) {
            recalled.copy_from_slice(known.row(k));
            layout.split_off(recalled);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_of_a_sheet_has_its_own_history() {
        let entry = |(body, feature, normal, history): (u32, u32, DVec3, f64)| {
            (WallKey { wall: 1, body, feature, law: 0, normal }, [history])
        };
        let mut entries =
            [(2, 5, DVec3::X, 9.0), (3, 5, DVec3::Z, 1.0), (3, 5, -DVec3::Z, 2.0), (3, 6, DVec3::X, 3.0)].map(entry);
        for _ in 0..2 {
            let mut all = WallHistories::new();
            entries.iter().for_each(|(key, row)| all.push(*key, row));
            let of = |body: usize, wall: usize, feature: u32, normal: DVec3| {
                let known = KnownAtWall::of_sorted(&all, body, wall);
                known.at(&Patch::flat(feature, normal, 0.4)).map(|row| row[0])
            };
            let [up, down, side] = [(5, DVec3::Z), (5, -DVec3::Z), (6, DVec3::X)].map(|(f, n)| of(3, 1, f, n));
            assert_eq!([up, down, side], [Some(1.0), Some(2.0), Some(3.0)]);
            assert_eq!([of(3, 1, 6, -DVec3::X), of(3, 1, 7, DVec3::Z)], [None; 2]);
            assert_eq!([of(2, 1, 5, -DVec3::X), of(3, 0, 5, DVec3::Z)], [Some(9.0), None]);
            entries.swap(1, 2);
        }
    }
}
