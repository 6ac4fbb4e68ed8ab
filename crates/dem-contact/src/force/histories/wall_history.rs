//! Histories of contacts with walls.

use rrp_geom::glam::DVec3;

use crate::law::contact_history::ContactHistory;
use crate::neighbor::tiles::Tiling;
use crate::util::sort_by_key::sort_by_key;
use crate::wall::images::Touched;
use crate::wall::surface::Patch;

/// The history of one contact of a body with a part of a wall.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct WallContactHistory<M> {
    pub(crate) wall: u32,
    /// By number.
    pub(crate) body: u32,
    /// The feature of the [`Patch`].
    pub(crate) feature: u32,
    /// Unit normal out of the wall, world frame.
    pub(crate) normal: DVec3,
    pub(crate) history: M,
}

impl<M> WallContactHistory<M> {
    /// Whether it is of the contact at `patch`, of a body that has so many `known` histories at the wall. A body between
    /// two images of a sheet touches one feature twice, on both sides.
    pub(crate) fn is_at(&self, patch: &Patch, known: usize) -> bool {
        self.feature == patch.feature && (known == 1 || self.normal.dot(patch.normal) > 0.0)
    }
}

/// Those of the histories of a tile that are of the body in a place at one wall. They are in the order of places, then
/// walls.
pub(crate) fn histories_at_wall<'a, M>(
    histories: &'a [WallContactHistory<M>],
    tiling: &Tiling,
    place: usize,
    wall: u32,
) -> &'a [WallContactHistory<M>] {
    let key = |entry: &WallContactHistory<M>| (tiling.place[entry.body as usize] as usize, entry.wall);
    let from = histories.partition_point(|entry| key(entry) < (place, wall));
    let to = histories.partition_point(|entry| key(entry) <= (place, wall));
    &histories[from..to]
}

/// Sorts histories by body, then by wall and feature.
pub(crate) fn sort_by_body<M: Copy>(entries: &mut Vec<WallContactHistory<M>>) {
    sort_by_key(entries, &|entry| [entry.body, entry.wall, entry.feature]);
}

/// Takes the histories of bodies that exist out of `entries`, for the tiles that own them.
pub(crate) fn by_tile<M: Copy>(
    entries: &mut Vec<WallContactHistory<M>>,
    tiling: &Tiling,
) -> Vec<Vec<WallContactHistory<M>>> {
    let mut by_tile = vec![Vec::new(); tiling.tiles.len()];
    for entry in &*entries {
        if let Some(&place) = tiling.place.get(entry.body as usize) {
            by_tile[tiling.tile_of(place as usize)].push(*entry);
        }
    }
    entries.retain(|entry| entry.body as usize >= tiling.len());
    for entries in &mut by_tile {
        sort_by_key(entries, &|entry| [tiling.place[entry.body as usize], entry.wall, entry.feature]);
    }
    by_tile
}

/// Cosine of the largest angle between the normals of a contact before and after it moved to another part of a wall.
const LEAST_COSINE: f64 = 0.9;

/// Writes to `recalled` the history of a body at each of the points where it touches a wall, of those `known` there.
///
/// A contact that left its face, edge or corner continues where it is now: a history that no patch of the same
/// feature claims goes to the patch with the nearest normal, so friction does not see the seams of a mesh. A
/// contact that begins beside another, with a saddle between them, begins with a copy of the history of that one,
/// since it may take its place.
pub(crate) fn recall<M: ContactHistory>(known: &[WallContactHistory<M>], touched: &[Touched], recalled: &mut Vec<M>) {
    recalled.clear();
    recalled.resize(touched.len(), M::default());
    if known.is_empty() {
        return;
    }
    let patches_at = |feature: u32| touched.iter().filter(move |at| at.patch.feature == feature);
    // A bit for each known history that was given to a patch.
    let mut given = 0_u64;
    for (Touched { patch, .. }, recalled) in touched.iter().zip(recalled) {
        if let Some(entry) = known.iter().find(|entry| entry.is_at(patch, known.len())) {
            *recalled = entry.history;
            continue;
        }
        let most_similar = |may: &dyn Fn(usize, &WallContactHistory<M>) -> bool| {
            let along = |k: usize| known[k].normal.dot(patch.normal);
            let candidates = (0..known.len().min(64)).filter(|&k| along(k) > LEAST_COSINE && may(k, &known[k]));
            // Of equal ones the first.
            candidates.reduce(|best, k| if along(k) > along(best) { k } else { best })
        };
        if let Some(k) = most_similar(&|k, entry| given >> k & 1 == 0 && patches_at(entry.feature).next().is_none()) {
            given |= 1 << k;
            *recalled = known[k].history;
        } else if let Some(k) = most_similar(&|_, entry| {
            // A saddle towards a nearer patch.
            patch.saddle.is_some() || patches_at(entry.feature).any(|at| at.patch.saddle.is_some())
        }) {
            *recalled = known[k].history.begun();
        }
    }
}
