//! Forces between bodies and walls.

pub(crate) mod history;
pub(crate) mod near;

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::force::contact_model::{ContactForces, ContactState, own, push};
use crate::force::wall_forces::history::WallHistory;
use crate::law::contact_history::ContactHistory;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::neighbor::NeighborList;
use crate::wall::placed::Placed;
use crate::wall::surface::{Patch, Saddle};
use crate::wall::{Wall, WallLoad};

#[cfg(feature = "serde")]
use crate::force::wall_forces::near::NearWalls;

/// The walls, which bodies are near them, and what they bear.
#[derive(Debug, Clone)]
pub(crate) struct WallForces<M> {
    pub(crate) walls: Vec<Wall>,
    /// By wall, for the list with the number `list`.
    near: Vec<NearWalls>,
    list: Option<u64>,
    pub(crate) committed: WallHistory<M>,
    pending: WallHistory<M>,
    pub(crate) loads: Vec<WallLoad>,
    pub(crate) pending_loads: Vec<WallLoad>,
    /// Power of the bodies' forces on each wall, and the part of it that is not elastic, in W.
    pub(crate) powers: Vec<[f64; 2]>,
    /// On the bodies, in the order in which they are to be added.
    pub(crate) pushes: Vec<WallPush>,
    found: Vec<Patch>,
    recalled: Vec<M>,
}

/// What the bodies near walls have, by place: velocities and spins, where they are needed.
pub(crate) enum Motion<'a> {
    Apart {
        velocity: &'a [[f64; 4]],
        spin: &'a [[f64; 4]],
    },
    /// Looked up.
    Of {
        bodies: &'a Bodies,
        state: &'a State,
        order: &'a [u32],
    },
}

impl Motion<'_> {
    /// Velocity, reciprocal mass and spin of the body at a place; at rest where they are not needed.
    #[inline(always)]
    fn at(&self, place: usize) -> (DVec3, f64, DVec3) {
        let vector = |row: &[f64; 4]| DVec3::new(row[0], row[1], row[2]);
        match self {
            Self::Apart { velocity, spin } => {
                let (velocity, spin) = (velocity.get(place), spin.get(place));
                let at_rest = DVec3::ZERO;
                (velocity.map_or(at_rest, vector), velocity.map_or(1.0, |row| row[3]), spin.map_or(at_rest, vector))
            }
            Self::Of { bodies, state, order } => {
                let i = order[place] as usize;
                (state.velocity().get(i), bodies.inverse_mass()[i], state.spin(bodies, i))
            }
        }
    }
}

/// What one body gets from one wall.
#[derive(Debug, Clone)]
pub(crate) struct WallPush {
    pub(crate) place: u32,
    pub(crate) force: DVec3,
    pub(crate) torque: DVec3,
    /// The part of the force that is not elastic.
    pub(crate) dissipative: DVec3,
}

/// A body at a wall: unit normal into the wall, and where its centre is.
struct WallContactState {
    place: usize,
    body: u32,
    position: DVec3,
    radius: f64,
    normal: DVec3,
    overlap: f64,
    saddle: Option<Saddle>,
}

/// What a wall gets from its contacts.
#[derive(Default)]
struct WallSums {
    load: WallLoad,
    /// Force and torque that are not elastic.
    dissipative: [DVec3; 2],
}

impl<M: ContactHistory> WallForces<M> {
    pub(crate) fn new(walls: Vec<Wall>, committed: WallHistory<M>) -> Self {
        let count = walls.len();
        Self {
            walls,
            near: vec![NearWalls::default(); count],
            list: None,
            committed,
            pending: WallHistory { entries: Vec::new() },
            loads: vec![WallLoad::default(); count],
            pending_loads: vec![WallLoad::default(); count],
            powers: vec![[0.0; 2]; count],
            pushes: Vec::new(),
            found: Vec::new(),
            recalled: Vec::new(),
        }
    }

    /// Finds the forces of the walls at `time` (s).
    pub(crate) fn accumulate<L: ContactLaw, T: TangentialLaw<History = M>>(
        &mut self,
        laws: &LawAssignment<L, T>,
        list: &NeighborList,
        (time, elapsed): (f64, f64),
        bodies: &Motion<'_>,
    ) -> Result<(), DemError> {
        self.find_near(list, time);
        self.pending.clear();
        self.pushes.clear();
        let Self { walls, near, committed, pending, pushes, found, recalled, .. } = self;
        for (w, (wall, near)) in walls.iter().zip(near).enumerate() {
            let placed = wall.placed(time);
            placed.check(w, list.domain().periods())?;
            let mut sums = WallSums::default();
            let mut touch = |meeting: &WallContactState, memory: &mut M| {
                pushes.push(sums.add((laws, w), &placed, meeting, elapsed, bodies, memory));
            };
            let body = |place: usize| {
                let [x, y, z, radius] = list.packed()[place];
                (DVec3::new(x, y, z), radius, list.order()[place])
            };
            let behind = |body: u32, overlap: f64, radius: f64| {
                DemError::Contact(ContactError::BehindWall { body: body as usize, wall: w, overlap, radius })
            };
            if let Some((origin, out)) = placed.plane() {
                let normal = -out;
                for &place in &near.places {
                    let place = place as usize;
                    let (position, radius, body) = body(place);
                    let gap = (origin - position).dot(normal) - radius;
                    if gap >= 0.0 {
                        continue;
                    }
                    let overlap = -gap;
                    if overlap >= radius {
                        return Err(behind(body, overlap, radius));
                    }
                    let mut memory = committed.alone([w as u32, body]);
                    let meeting = WallContactState { place, body, position, radius, normal, overlap, saddle: None };
                    touch(&meeting, &mut memory);
                    pending.push([w as u32, body], (0, out), memory);
                }
            } else if let Some(surface) = placed.shape.surface() {
                for (k, &place) in near.places.iter().enumerate() {
                    let place = place as usize;
                    let (position, radius, body) = body(place);
                    found.clear();
                    surface.patches(placed.local(position), radius, near.pieces(k), found);
                    if found.is_empty() {
                        continue;
                    }
                    found.iter_mut().for_each(|patch| *patch = placed.patch(patch));
                    committed.recall([w as u32, body], found, recalled);
                    for (patch, memory) in found.iter().zip(&mut *recalled) {
                        let overlap = radius - patch.distance;
                        if overlap >= radius || !patch.distance.is_finite() {
                            return Err(behind(body, overlap, radius));
                        }
                        let (normal, saddle) = (-patch.normal, patch.saddle);
                        touch(&WallContactState { place, body, position, radius, normal, overlap, saddle }, memory);
                        pending.push([w as u32, body], (patch.feature, patch.normal), *memory);
                    }
                }
            }
            self.pending_loads[w] = sums.load;
            let power = |[force, torque]: [DVec3; 2]| force.dot(placed.velocity) + torque.dot(placed.spin);
            self.powers[w] = [power([sums.load.force, sums.load.torque]), power(sums.dissipative)];
        }
        self.pending.sort();
        Ok(())
    }

    /// Takes one wall for another.
    pub(crate) fn replace(&mut self, number: usize, wall: Wall) {
        self.walls[number] = wall;
        // Who is near it has to be found anew.
        self.list = None;
    }

    /// What is to be committed next.
    pub(crate) fn set_pending(&mut self, pending: WallHistory<M>) {
        self.pending = pending;
    }

    pub(crate) fn commit(&mut self) {
        std::mem::swap(&mut self.committed, &mut self.pending);
        self.loads.copy_from_slice(&self.pending_loads);
    }

    /// Shows the loads at a state that somebody has written to, unless they show only that it was written wrongly.
    pub(crate) fn show_loads(&mut self) {
        if self.pending_loads.iter().all(|load| load.force.is_finite() && load.torque.is_finite()) {
            self.loads.copy_from_slice(&self.pending_loads);
        }
    }

    /// Whether a wall stands in a periodic domain once, which centres then have to stay in.
    pub(crate) fn stand_once(&self) -> bool {
        self.walls.iter().any(Wall::stands_once)
    }

    /// Finds the bodies near each wall, unless those known are still all that can touch it.
    fn find_near(&mut self, list: &NeighborList, time: f64) {
        let known = self.list == Some(list.builds());
        self.list = Some(list.builds());
        for (wall, near) in self.walls.iter().zip(&mut self.near) {
            let placed = wall.placed(time);
            if !known || near.is_stale(&placed, list) {
                near.find(&placed, list);
            }
        }
    }
}

impl WallSums {
    /// Adds a contact; what the body gets.
    #[inline(always)]
    fn add<L: ContactLaw, T: TangentialLaw>(
        &mut self,
        (laws, wall): (&LawAssignment<L, T>, usize),
        placed: &Placed<'_>,
        &WallContactState { place, body, position, radius, normal, overlap, saddle }: &WallContactState,
        elapsed: f64,
        bodies: &Motion<'_>,
        memory: &mut T::History,
    ) -> WallPush {
        let (velocity, inverse_mass, spin) = bodies.at(place);
        let (law, tangential) = laws.at_wall(body, wall);
        let (arm, at_point) = (radius - laws.lever() * overlap, radius - overlap);
        let lever = position + at_point * normal - placed.point;
        let velocity = placed.velocity + placed.spin.cross(lever) - velocity - arm * spin.cross(normal);
        let (mass, spin, turning) = (inverse_mass.recip(), placed.spin - spin, placed.spin + spin);
        let (share, taken) = own(law, saddle.as_ref(), overlap, radius);
        let touch = ContactState { normal, overlap, radius, mass, velocity, spin, turning, elapsed, share };
        let push: ContactForces = push(law, tangential, law.is_capped(), &touch, memory);
        if let Some(saddle) = saddle {
            // Along the normal, from the point of the saddle.
            self.load.torque += (position - saddle.distance * saddle.normal - placed.point).cross(taken);
        }
        let (force, lost) = (push.total(normal), push.dissipative(normal));
        self.load.force += force + taken;
        self.load.torque += lever.cross(force) + push.couple;
        self.load.contacts += 1;
        self.dissipative[0] += lost;
        self.dissipative[1] += lever.cross(lost) + push.couple;
        WallPush {
            place: place as u32,
            force: -force - taken,
            torque: -arm * normal.cross(push.tangential) - push.couple,
            dissipative: -lost,
        }
    }
}
