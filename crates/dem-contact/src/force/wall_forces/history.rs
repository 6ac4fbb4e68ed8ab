//! What contacts with walls remember.

use rrp_geom::glam::DVec3;
use rrp_integrate::Renumbering;

use crate::error::contact::ContactError;
use crate::law::contact_history::ContactHistory;
use crate::wall::surface::Patch;

#[cfg(feature = "serde")]
use crate::error::DemError;

/// What is remembered of one contact of a body with a part of a wall.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Remembered<M> {
    pub(crate) wall: u32,
    pub(crate) body: u32,
    pub(crate) feature: u32,
    /// Unit normal out of the wall.
    normal: DVec3,
    memory: M,
}

/// Cosine of the angle by which a contact may have turned when it went on to another part of a wall.
const SAME_WAY: f64 = 0.9;

/// All that is remembered, sorted by wall, body and feature.
#[derive(Debug, Clone, Default)]
pub(crate) struct WallHistory<M> {
    pub(crate) entries: Vec<Remembered<M>>,
}

impl<M: ContactHistory> WallHistory<M> {
    /// LawAssignment without memory need none of it.
    const NOTHING: bool = size_of::<M>() == 0;

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    pub(crate) fn push(&mut self, [wall, body]: [u32; 2], patch: (u32, DVec3), memory: M) {
        if !Self::NOTHING {
            let (feature, normal) = patch;
            self.entries.push(Remembered { wall, body, feature, normal, memory });
        }
    }

    /// Passes sorted memory of contacts that there can be, of so many bodies if that is known.
    #[cfg(feature = "serde")]
    pub(crate) fn check(&self, bodies: Option<usize>, walls: usize) -> Result<(), DemError> {
        let key = |entry: &Remembered<M>| (entry.wall, entry.body, entry.feature);
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
            // Not the other way round: it may not be a number.
            let is_unit = (entry.normal.length_squared() - 1.0).abs() < 1e-6;
            if !is_unit {
                return stray("its normal is not of length one");
            }
        }
        Ok(())
    }

    /// How many bodies there are at least.
    pub(crate) fn bodies(&self) -> usize {
        self.entries.iter().map(|entry| entry.body as usize + 1).max().unwrap_or(0)
    }

    /// Gives bodies other numbers, of each former one the present; those that are seen from a body stay.
    pub(crate) fn renumber(&mut self, now: &Renumbering) {
        self.entries.iter_mut().for_each(|entry| entry.body = now.former()[entry.body as usize] as u32);
        self.sort();
    }

    pub(crate) fn sort(&mut self) {
        self.entries.sort_unstable_by_key(|entry| (entry.wall, entry.body, entry.feature));
    }

    fn of(&self, [wall, body]: [u32; 2]) -> &[Remembered<M>] {
        let from = self.entries.partition_point(|entry| (entry.wall, entry.body) < (wall, body));
        let count = self.entries[from..].iter().take_while(|entry| (entry.wall, entry.body) == (wall, body)).count();
        &self.entries[from..from + count]
    }

    /// What a body remembers of a wall that it touches at one point at most.
    #[inline]
    pub(crate) fn alone(&self, key: [u32; 2]) -> M {
        if Self::NOTHING {
            return M::default();
        }
        self.of(key).first().map_or_else(M::default, |entry| entry.memory)
    }

    /// What a body remembers of one part of a wall.
    pub(crate) fn of_feature(&self, key: [u32; 2], feature: u32) -> M {
        let found = self.of(key).iter().find(|entry| entry.feature == feature);
        found.map_or_else(M::default, |entry| entry.memory)
    }

    /// What a body remembers at each of the patches where it touches a wall.
    ///
    /// A contact that has left its face, edge or corner goes on where it has come to: what no patch of the same feature
    /// claims goes to the patch with the nearest normal, so that friction does not notice the seams of a mesh. One that
    /// begins beside another, with a saddle between them, begins with what that remembers, so that it can take its place; it may be the
    /// nearer one at once.
    pub(crate) fn recall(&self, key: [u32; 2], patches: &[Patch], recalled: &mut Vec<M>) {
        recalled.clear();
        recalled.resize(patches.len(), M::default());
        if Self::NOTHING {
            return;
        }
        let known = self.of(key);
        if known.is_empty() {
            return;
        }
        let claimed = |entry: &Remembered<M>| patches.iter().any(|patch| patch.feature == entry.feature);
        // Whether the patch that an entry belongs to is a part of a nearer one.
        let is_part = |entry: &Remembered<M>| {
            patches.iter().any(|patch| patch.feature == entry.feature && patch.saddle.is_some())
        };
        let mut given = 0_u64;
        for (patch, recalled) in patches.iter().zip(recalled) {
            if let Some(entry) = known.iter().find(|entry| entry.feature == patch.feature) {
                *recalled = entry.memory;
                continue;
            }
            let likest = |may: &dyn Fn(usize, &Remembered<M>) -> bool| {
                let mut best = (SAME_WAY, None);
                for (k, entry) in known.iter().enumerate().take(64) {
                    let along = entry.normal.dot(patch.normal);
                    if along > best.0 && may(k, entry) {
                        best = (along, Some(k));
                    }
                }
                best.1
            };
            if let Some(k) = likest(&|k, entry| given >> k & 1 == 0 && !claimed(entry)) {
                given |= 1 << k;
                *recalled = known[k].memory;
            } else if let Some(k) = likest(&|_, entry| patch.saddle.is_some() || is_part(entry)) {
                *recalled = known[k].memory.begun();
            }
        }
    }
}
