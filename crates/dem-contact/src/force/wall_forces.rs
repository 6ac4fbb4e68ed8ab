//! Forces between bodies and walls.
//!
//! [`WallForces`] owns the walls. Once for each list it finds the bodies near each wall (`nearby_bodies`); in each
//! evaluation it computes their contacts, with the histories of `history` and the motions of `body_motion`, and sums
//! the loads on the walls (`wall_sums`). `evaluate` adds the wrenches to the bodies; static equilibrium uses them too.

pub(crate) mod body_motion;
pub(crate) mod history;
pub(crate) mod nearby_bodies;
pub(crate) mod wall_sums;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::force::wall_forces::body_motion::BodyMotion;
use crate::force::wall_forces::history::{ContactKey, WallHistory};
use crate::force::wall_forces::nearby_bodies::NearbyBodies;
use crate::force::wall_forces::wall_sums::{WallContact, WallOfContact, WallSums, WallWrench};
use crate::law::contact_history::ContactHistory;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::neighbor::NeighborList;
use crate::wall::placed_surface::PlacedSurface;
use crate::wall::surface::Patch;
use crate::wall::{Wall, WallLoad};

/// The walls, the bodies near them, the histories of their contacts and the loads on them.
#[derive(Debug, Clone)]
pub(crate) struct WallForces<M> {
    pub(crate) walls: Vec<Wall>,
    /// By wall, for the list with the number of builds `list`; `None` if they have to be found anew.
    nearby: Vec<NearbyBodies>,
    list: Option<u64>,
    pub(crate) committed: WallHistory<M>,
    pending: WallHistory<M>,
    /// Loads at the last accepted state and in the last evaluation, by wall.
    pub(crate) loads: Vec<WallLoad>,
    pub(crate) pending_loads: Vec<WallLoad>,
    /// By wall: power in W of the whole force of the bodies, and of the part that is not elastic.
    pub(crate) powers: Vec<[f64; 2]>,
    /// Wrenches on the bodies, in the order in which they are to be added.
    pub(crate) wrenches: Vec<WallWrench>,
    /// Room for the patches of one body and their histories.
    patches: Vec<Patch>,
    recalled: Vec<M>,
}

/// When forces are evaluated, in s.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EvaluationTime {
    pub(crate) time: f64,
    /// Since the committed state.
    pub(crate) elapsed: f64,
}

/// A body near a wall: its centre and radius in m.
struct NearBody {
    slot: usize,
    body: u32,
    position: DVec3,
    radius: f64,
}

impl NearBody {
    fn new(list: &NeighborList, slot: u32) -> Self {
        let slot = slot as usize;
        let [x, y, z, radius] = list.packed()[slot];
        Self { slot, body: list.order()[slot], position: DVec3::new(x, y, z), radius }
    }

    /// The contact with this inward normal and overlap (m).
    ///
    /// # Errors
    /// [`ContactError::BehindWall`] if the centre is behind the surface.
    fn touch(&self, wall: usize, patch: &Patch, overlap: f64) -> Result<WallContact, DemError> {
        let &Self { slot, body, position, radius } = self;
        if overlap >= radius || !patch.distance.is_finite() {
            return Err(DemError::Contact(ContactError::BehindWall { body: body as usize, wall, overlap, radius }));
        }
        Ok(WallContact { slot, body, position, radius, normal: -patch.normal, overlap, saddle: patch.saddle })
    }
}

impl<M: ContactHistory> WallForces<M> {
    pub(crate) fn new(walls: Vec<Wall>, committed: WallHistory<M>) -> Self {
        let count = walls.len();
        Self {
            walls,
            nearby: vec![NearbyBodies::default(); count],
            list: None,
            committed,
            pending: WallHistory { entries: Vec::new() },
            loads: vec![WallLoad::default(); count],
            pending_loads: vec![WallLoad::default(); count],
            powers: vec![[0.0; 2]; count],
            wrenches: Vec::new(),
            patches: Vec::new(),
            recalled: Vec::new(),
        }
    }

    /// Computes the wrenches, loads, powers and pending histories of all walls for the packed centres of `list`.
    ///
    /// # Errors
    /// [`ContactError::BehindWall`], and those of walls whose motion has no finite value.
    pub(crate) fn accumulate<L: ContactLaw, T: TangentialLaw<History = M>>(
        &mut self,
        laws: &LawAssignment<L, T>,
        list: &NeighborList,
        EvaluationTime { time, elapsed }: EvaluationTime,
        motion: &BodyMotion<'_>,
    ) -> Result<(), DemError> {
        self.find_nearby(list, time);
        self.pending.clear();
        self.wrenches.clear();
        let Self { walls, nearby, committed, pending, wrenches, patches, recalled, .. } = self;
        for (number, (wall, nearby)) in walls.iter().zip(nearby).enumerate() {
            let placed = wall.placed(time);
            placed.check(number, list.domain().periods())?;
            let at = WallOfContact { laws, number, placed: &placed, elapsed };
            let mut sums = WallSums::default();
            match placed.surface() {
                PlacedSurface::Plane { origin, out } => {
                    for &slot in &nearby.slots {
                        let near = NearBody::new(list, slot);
                        let gap = (origin - near.position).dot(-out) - near.radius;
                        if gap >= 0.0 {
                            continue;
                        }
                        let overlap = -gap;
                        let contact = near.touch(number, &Patch::flat(0, out, near.radius - overlap), overlap)?;
                        let key = ContactKey { wall: number as u32, body: near.body };
                        let mut history = committed.of_only_contact(key);
                        wrenches.push(sums.add(&at, &contact, motion, &mut history));
                        pending.push(key, 0, out, history);
                    }
                }
                PlacedSurface::Surface(surface) => {
                    for (k, &slot) in nearby.slots.iter().enumerate() {
                        let near = NearBody::new(list, slot);
                        patches.clear();
                        surface.patches(placed.local(near.position), near.radius, nearby.pieces(k), patches);
                        if patches.is_empty() {
                            continue;
                        }
                        patches.iter_mut().for_each(|patch| *patch = placed.patch(patch));
                        let key = ContactKey { wall: number as u32, body: near.body };
                        committed.recall(key, patches, recalled);
                        for (patch, history) in patches.iter().zip(&mut *recalled) {
                            let contact = near.touch(number, patch, near.radius - patch.distance)?;
                            wrenches.push(sums.add(&at, &contact, motion, history));
                            pending.push(key, patch.feature, patch.normal, *history);
                        }
                    }
                }
            }
            self.pending_loads[number] = sums.load;
            self.powers[number] = sums.powers(&placed);
        }
        self.pending.sort();
        Ok(())
    }

    /// Replaces one wall by another; its histories and loads stay.
    pub(crate) fn replace(&mut self, number: usize, wall: Wall) {
        self.walls[number] = wall;
        // The bodies near it have to be found anew.
        self.list = None;
    }

    /// Sets the histories that the next commit takes.
    pub(crate) fn set_pending(&mut self, pending: WallHistory<M>) {
        self.pending = pending;
    }

    pub(crate) fn commit(&mut self) {
        std::mem::swap(&mut self.committed, &mut self.pending);
        self.loads.copy_from_slice(&self.pending_loads);
    }

    /// Makes the loads of the last evaluation those of the accepted state, which was modified between steps. Loads that
    /// are not finite only show that it was modified wrongly, and are left out.
    pub(crate) fn show_loads(&mut self) {
        if self.pending_loads.iter().all(|load| load.force.is_finite() && load.torque.is_finite()) {
            self.loads.copy_from_slice(&self.pending_loads);
        }
    }

    /// Whether a wall stands once in a periodic domain; centres then have to stay inside.
    pub(crate) fn stand_once(&self) -> bool {
        self.walls.iter().any(Wall::stands_once)
    }

    /// Finds the bodies near each wall, unless those known are still all that can touch it.
    fn find_nearby(&mut self, list: &NeighborList, time: f64) {
        let are_known = self.list == Some(list.builds());
        self.list = Some(list.builds());
        for (wall, nearby) in self.walls.iter().zip(&mut self.nearby) {
            let placed = wall.placed(time);
            if !are_known || nearby.are_outdated(&placed, list) {
                nearby.find(&placed, list);
            }
        }
    }
}
