//! Histories of contacts with walls.

use rrp_geom::glam::DVec3;

use crate::law::contact_history::ContactHistory;
use crate::neighbor::tiles::Tiling;
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

/// The histories of the wall contacts of one tile: committed ones, and those of the last evaluation. Both are in the
/// order of places, then walls.
#[derive(Debug, Clone)]
pub(crate) struct TileWallHistory<M> {
    pub(crate) committed: Vec<WallContactHistory<M>>,
    pub(crate) pending: Vec<WallContactHistory<M>>,
    /// Whether the pending ones are those of an evaluation.
    pub(crate) is_evaluated: bool,
}

impl<M> TileWallHistory<M> {
    pub(crate) const NONE: Self = Self { committed: Vec::new(), pending: Vec::new(), is_evaluated: false };

    /// Makes the pending histories the committed ones, if there was an evaluation since the last time.
    pub(crate) fn commit(&mut self) {
        if std::mem::take(&mut self.is_evaluated) {
            std::mem::swap(&mut self.committed, &mut self.pending);
        }
    }

    /// The committed histories of one body; `place` gives the place of each body.
    pub(crate) fn of_body(&self, body: u32, place: &[u32]) -> &[WallContactHistory<M>] {
        let at = |body: u32| place[body as usize];
        let from = self.committed.partition_point(|entry| at(entry.body) < at(body));
        let count = self.committed[from..].iter().take_while(|entry| entry.body == body).count();
        &self.committed[from..from + count]
    }
}

/// Goes through the committed histories of a tile in the order of its places.
#[derive(Debug)]
pub(crate) struct HistoryCursor<'a, M> {
    rest: &'a [WallContactHistory<M>],
    place: &'a [u32],
}

impl<'a, M> HistoryCursor<'a, M> {
    pub(crate) fn new(committed: &'a [WallContactHistory<M>], tiling: &'a Tiling) -> Self {
        Self { rest: committed, place: tiling.place() }
    }

    /// The histories of the body in a place at one wall. Places and walls come in order.
    pub(crate) fn at(&mut self, place: usize, wall: u32) -> &'a [WallContactHistory<M>] {
        let key = |entry: &WallContactHistory<M>| (self.place[entry.body as usize] as usize, entry.wall);
        let passed = self.rest.iter().take_while(|entry| key(entry) < (place, wall)).count();
        let count = self.rest[passed..].iter().take_while(|entry| key(entry) == (place, wall)).count();
        let found = &self.rest[passed..passed + count];
        self.rest = &self.rest[passed..];
        found
    }
}

/// Takes the histories of bodies that exist out of `entries`, for the tiles that own them.
pub(crate) fn by_tile<M: Copy>(
    entries: &mut Vec<WallContactHistory<M>>,
    tiling: &Tiling,
) -> Vec<Vec<WallContactHistory<M>>> {
    let mut by_tile = vec![Vec::new(); tiling.tiles().len()];
    for entry in &*entries {
        if let Some(&place) = tiling.place().get(entry.body as usize) {
            by_tile[tiling.tile_of(place as usize)].push(*entry);
        }
    }
    entries.retain(|entry| entry.body as usize >= tiling.len());
    for entries in &mut by_tile {
        entries.sort_by_key(|entry| (tiling.place()[entry.body as usize], entry.wall, entry.feature));
    }
    by_tile
}

/// Those of the histories of one body that are of one wall.
pub(crate) fn at_wall<M>(known: &[WallContactHistory<M>], wall: u32) -> &[WallContactHistory<M>] {
    let from = known.partition_point(|entry| entry.wall < wall);
    let count = known[from..].iter().take_while(|entry| entry.wall == wall).count();
    &known[from..from + count]
}

/// Cosine of the largest angle between the normals of a contact before and after it moved to another part of a wall.
const LEAST_COSINE: f64 = 0.9;

/// Writes to `recalled` the history of a body at each of the patches where it touches a wall, of those `known` there.
///
/// A contact that left its face, edge or corner continues where it is now: a history that no patch of the same
/// feature claims goes to the patch with the nearest normal, so friction does not see the seams of a mesh. A
/// contact that begins beside another, with a saddle between them, begins with a copy of the history of that one,
/// since it may take its place.
pub(crate) fn recall<M: ContactHistory>(known: &[WallContactHistory<M>], patches: &[Patch], recalled: &mut Vec<M>) {
    recalled.clear();
    recalled.resize(patches.len(), M::default());
    if known.is_empty() {
        return;
    }
    let claimed = |entry: &WallContactHistory<M>| patches.iter().any(|patch| patch.feature == entry.feature);
    // Whether the patch of an entry has a saddle towards a nearer one.
    let has_saddle = |entry: &WallContactHistory<M>| {
        patches.iter().any(|patch| patch.feature == entry.feature && patch.saddle.is_some())
    };
    // A bit for each known history that was given to a patch.
    let mut given = 0_u64;
    for (patch, recalled) in patches.iter().zip(recalled) {
        if let Some(entry) = known.iter().find(|entry| entry.feature == patch.feature) {
            *recalled = entry.history;
            continue;
        }
        let most_similar = |may: &dyn Fn(usize, &WallContactHistory<M>) -> bool| {
            let mut best = (LEAST_COSINE, None);
            for (k, entry) in known.iter().enumerate().take(64) {
                let along = entry.normal.dot(patch.normal);
                if along > best.0 && may(k, entry) {
                    best = (along, Some(k));
                }
            }
            best.1
        };
        if let Some(k) = most_similar(&|k, entry| given >> k & 1 == 0 && !claimed(entry)) {
            given |= 1 << k;
            *recalled = known[k].history;
        } else if let Some(k) = most_similar(&|_, entry| patch.saddle.is_some() || has_saddle(entry)) {
            *recalled = known[k].history.begun();
        }
    }
}
