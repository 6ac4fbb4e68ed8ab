//! Histories of contacts with walls.

use rrp_geom::glam::DVec3;
use rrp_integrate::Renumbering;

use crate::law::contact_history::ContactHistory;
use crate::wall::surface::Patch;

#[cfg(feature = "serde")]
use crate::error::{DemError, contact::ContactError};

/// The history of one contact of a body with a part of a wall.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct WallContactHistory<M> {
    pub(crate) wall: u32,
    pub(crate) body: u32,
    /// The feature of the [`Patch`].
    pub(crate) feature: u32,
    /// Unit normal out of the wall, world frame.
    normal: DVec3,
    #[cfg_attr(feature = "serde", serde(rename = "memory"))]
    history: M,
}

/// A wall and a body; they may touch at several patches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactKey {
    pub(crate) wall: u32,
    pub(crate) body: u32,
}

/// Cosine of the largest angle between the normals of a contact before and after it moved to another part of a wall.
const LEAST_COSINE: f64 = 0.9;

/// The histories of all wall contacts, sorted by wall, body and feature.
#[derive(Debug, Clone, Default)]
pub(crate) struct WallHistory<M> {
    pub(crate) entries: Vec<WallContactHistory<M>>,
}

impl<M: ContactHistory> WallHistory<M> {
    /// Whether the laws have no history.
    const IS_EMPTY: bool = size_of::<M>() == 0;

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Adds the history of a contact at a patch with this feature and outward normal.
    pub(crate) fn push(&mut self, key: ContactKey, feature: u32, normal: DVec3, history: M) {
        if !Self::IS_EMPTY {
            let ContactKey { wall, body } = key;
            self.entries.push(WallContactHistory { wall, body, feature, normal, history });
        }
    }

    /// Checks that sorted entries belong to contacts that can exist, of so many bodies if their number is known.
    #[cfg(feature = "serde")]
    pub(crate) fn check(&self, bodies: Option<usize>, walls: usize) -> Result<(), DemError> {
        let key = |entry: &WallContactHistory<M>| (entry.wall, entry.body, entry.feature);
        for (k, entry) in self.entries.iter().enumerate() {
            let contact = [entry.wall, entry.body].map(|number| number as usize);
            let stray = |problem| {
                Err(DemError::Contact(ContactError::StrayHistory { what: "wall and body", contact, problem }))
            };
            if contact[0] >= walls {
                return stray("there is no such wall");
            }
            if bodies.is_some_and(|bodies| contact[1] >= bodies) {
                return stray("there is no such body");
            }
            if k > 0 && key(&self.entries[k - 1]) == key(entry) {
                return stray("it is given twice");
            }
            // In this form NaN is refused.
            let is_unit = (entry.normal.length_squared() - 1.0).abs() < 1e-6;
            if !is_unit {
                return stray("its normal is not of length one");
            }
        }
        Ok(())
    }

    /// Least number of bodies that the entries imply.
    pub(crate) fn bodies(&self) -> usize {
        self.entries.iter().map(|entry| entry.body as usize + 1).max().unwrap_or(0)
    }

    /// Renumbers the bodies: `now` gives the present number of each former one. Histories are seen from the body and
    /// stay.
    pub(crate) fn renumber(&mut self, now: &Renumbering) {
        self.entries.iter_mut().for_each(|entry| entry.body = now.former()[entry.body as usize] as u32);
        self.sort();
    }

    pub(crate) fn sort(&mut self) {
        self.entries.sort_unstable_by_key(|entry| (entry.wall, entry.body, entry.feature));
    }

    fn of(&self, ContactKey { wall, body }: ContactKey) -> &[WallContactHistory<M>] {
        let from = self.entries.partition_point(|entry| (entry.wall, entry.body) < (wall, body));
        let count = self.entries[from..].iter().take_while(|entry| (entry.wall, entry.body) == (wall, body)).count();
        &self.entries[from..from + count]
    }

    /// The history of a body at a wall that it touches at one point at most.
    #[inline]
    pub(crate) fn of_only_contact(&self, key: ContactKey) -> M {
        if Self::IS_EMPTY {
            return M::default();
        }
        self.of(key).first().map_or_else(M::default, |entry| entry.history)
    }

    /// The history of a body at one feature of a wall.
    pub(crate) fn of_feature(&self, key: ContactKey, feature: u32) -> M {
        let found = self.of(key).iter().find(|entry| entry.feature == feature);
        found.map_or_else(M::default, |entry| entry.history)
    }

    /// Writes to `recalled` the history of a body at each of the patches where it touches a wall.
    ///
    /// A contact that left its face, edge or corner continues where it is now: a history that no patch of the same
    /// feature claims goes to the patch with the nearest normal, so friction does not see the seams of a mesh. A
    /// contact that begins beside another, with a saddle between them, begins with a copy of the history of that one,
    /// since it may take its place.
    pub(crate) fn recall(&self, key: ContactKey, patches: &[Patch], recalled: &mut Vec<M>) {
        recalled.clear();
        recalled.resize(patches.len(), M::default());
        if Self::IS_EMPTY {
            return;
        }
        let known = self.of(key);
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
}
