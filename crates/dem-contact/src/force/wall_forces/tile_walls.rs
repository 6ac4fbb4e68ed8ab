//! The contacts of the bodies of one tile with walls.
//!
//! Each contact joins a batch of its law with the kinematics of `wall_moments`, since the kinematics of pairs would
//! turn the normal of a plane under a sliding body. The caller of the law handles loads and power of walls, shares and
//! histories.

use std::ops::Range;

use rrp_geom::glam::DVec3;
use rrp_integrate::VectorColumn;

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::force::contact_model::{ContactForces, SaddleShare, elastic_energy, saddle_share};
use crate::force::histories::TileHistory;
use crate::force::histories::wall_history::{KnownAtWall, WallHistories, WallKey, recall};
use crate::force::tiles::batch::Batch;
use crate::force::tiles::scene::{LawNeeds, Motion, Needs, Spheres};
use crate::force::tiles::scratch::{TileScratch, Wrench};
use crate::force::tiles::sums::{Row, plus};
use crate::force::wall_forces::felt_walls::FeltWalls;
use crate::force::wall_forces::near_walls::NearWalls;
use crate::force::wall_forces::wall_moments::{BodyAtWall, WallMoments, WallSlip};
use crate::force::wall_forces::wall_sums::WallSums;
use crate::law::batch::{BATCH, LANES, get, set};
use crate::law::material::assignment::LawAssignment;
use crate::neighbor::NeighborList;
use crate::wall::images::{Touched, TouchedPoints};
use crate::wall::surface::Patch;

pub(in crate::force) struct WallScene<'a> {
    pub(in crate::force) laws: &'a LawAssignment,
    /// Quantities such as slip or spin that the contact loop has to compute for each law, by the index of the law.
    pub(in crate::force) law_needs: &'a [LawNeeds],
    pub(in crate::force) walls: &'a [WallMoments<'a>],
    pub(in crate::force) felt: &'a FeltWalls,
    pub(in crate::force) list: &'a NeighborList,
    pub(in crate::force) spheres: &'a Spheres<'a>,
    pub(in crate::force) needs: &'a Needs,
    /// Velocity in m/s of each body in the step that ends now, by body number; `None` if no step ends or the box
    /// deforms.
    pub(in crate::force) velocity: Option<&'a VectorColumn>,
}

#[derive(Debug, Default)]
pub(in crate::force) struct WallScratch {
    points: TouchedPoints,
    recalled: Vec<f64>,
    filled: FilledSlots,
}

/// Wall contacts in the slots of a batch, with their histories before and after the step.
#[derive(Debug, Default)]
struct FilledSlots {
    contacts: Vec<WallContact>,
    before: Vec<f64>,
    after: Vec<f64>,
}

/// Contact of a body, or of a periodic image of a body, with a wall at a [`Patch`] of its surface.
#[derive(Debug, Clone, Copy)]
struct WallContact {
    key: WallKey,
    patch: Patch,
    /// Index of the body among the spheres in the scratch memory of the tile.
    own: usize,
    /// Centre in m of the body, or of its image that touches the wall.
    position: DVec3,
    /// Force (N) on the wall that cancels the part of the contact force that a nearer contact of the body includes too.
    correction: DVec3,
}

/// Sums of forces on bodies and loads on walls, and new histories, of the wall contacts of a tile.
struct WallOutput<'a> {
    sums: &'a mut [Wrench],
    dissipative: &'a mut [Row],
    loads: Vec<WallSums>,
    histories: &'a mut WallHistories,
}

impl WallScene<'_> {
    /// Evaluates the wall contacts of the bodies of a tile, and adds forces on bodies to the sums in the scratch
    /// memory. `path` is a bound in m on the path of each centre since the list was made. Returns the load of the
    /// tile's bodies on each wall, by wall number; empty if there are no walls.
    ///
    /// # Errors
    /// [`ContactError::BehindWall`], [`ContactError::CrossedWall`], and errors of the laws.
    pub(in crate::force) fn evaluate(
        &self,
        places: &Range<usize>,
        path: f64,
        near: &mut NearWalls,
        history: &mut TileHistory<WallHistories>,
        scratch: &mut TileScratch,
        of_walls: &mut WallScratch,
    ) -> Result<Vec<WallSums>, DemError> {
        history.pending.clear();
        history.is_evaluated = self.walls.is_empty();
        if self.walls.is_empty() {
            return Ok(Vec::new());
        }
        let range = self.law_needs.iter().fold(0.0, |range: f64, law| range.max(law.range));
        near.follow(self.walls, self.list, (places, path), self.spheres.position, range, self.felt);
        let TileScratch { sums, dissipative, batch, .. } = scratch;
        let WallScratch { points, recalled, filled } = of_walls;
        // An evaluation that failed leaves contacts behind.
        filled.contacts.clear();
        filled.before.clear();
        let loads = vec![WallSums::default(); self.walls.len()];
        let mut output = WallOutput { sums, dissipative, loads, histories: &mut history.pending };
        let mut next = 0;
        let mut index_of_batch = 0;
        for images in near.images() {
            let place = images[0].place as usize;
            let number = images[0].wall as usize;
            let wall = &self.walls[number];
            let body = self.body(place);
            let body_number = self.spheres.order[place];
            let index = self.laws.index_at_wall(body_number, number);
            let traits = self.laws.by_index(index).traits();
            let range = if self.law_needs[index].range > 0.0 { traits.normal.range(body.radius) } else { 0.0 };
            let near_images = images.iter().map(|image| (image.shift, near.pieces(image)));
            wall.end.touch_images(body.position, body.radius + range, near_images, points);
            if points.touched.is_empty() {
                continue;
            }
            self.check_touching(place, number, &points.touched)?;
            let known =
                KnownAtWall::following(&history.committed, self.list.tiling(), &mut next, place, images[0].wall);
            recall(&known, &points.touched, &traits.layout, recalled);
            let width = traits.layout.width();
            for (k, Touched { patch, shift }) in points.touched.iter().enumerate() {
                let overlap = body.radius - patch.distance;
                if overlap >= body.radius || !patch.distance.is_finite() {
                    let (body, wall, radius) = (body_number as usize, number, body.radius);
                    return Err(DemError::Contact(ContactError::BehindWall { body, wall, overlap, radius }));
                }
                if index != index_of_batch || filled.contacts.len() == BATCH {
                    self.evaluate_batch(index_of_batch, filled, batch, &mut output)?;
                    index_of_batch = index;
                }
                let there = BodyAtWall { position: body.position + *shift, ..body };
                let saddle = patch.saddle.as_ref().filter(|_| !traits.is_hysteretic);
                let shared = saddle_share(&*traits.normal, saddle, overlap, body.radius);
                let slot = filled.contacts.len();
                batch.contacts.share[slot] = shared.share;
                self.fill_slot(slot, index, &there, wall, patch, batch);
                filled.before.extend_from_slice(&recalled[k * width..(k + 1) * width]);
                let wall = images[0].wall;
                let feature = patch.feature;
                let normal = patch.normal;
                let key = WallKey { wall, body: body_number, feature, law: index as u32, normal };
                let SaddleShare { correction, .. } = shared;
                let own = place - places.start;
                let position = there.position;
                filled.contacts.push(WallContact { key, patch: *patch, own, position, correction });
            }
        }
        self.evaluate_batch(index_of_batch, filled, batch, &mut output)?;
        self.check_fast(places, path)?;
        let loads = output.loads;
        history.is_evaluated = true;
        Ok(loads)
    }

    fn fill_slot(
        &self,
        slot: usize,
        index: usize,
        body: &BodyAtWall,
        wall: &WallMoments<'_>,
        patch: &Patch,
        batch: &mut Batch,
    ) {
        let law = &self.law_needs[index];
        let contacts = &mut batch.contacts;
        let normal = -patch.normal;
        contacts.overlap[slot] = body.radius - patch.distance;
        contacts.radius[slot] = body.radius;
        contacts.mass[slot] = body.inverse_mass.recip();
        set(&mut contacts.normal, slot, normal);
        if !law.motion {
            contacts.rate[slot] = 0.0;
            return;
        }
        contacts.rate[slot] = wall.approach(body, patch).dot(normal);
        if law.tangential || law.spin {
            let WallSlip { velocity, spin, turning } = wall.slip(law, body, patch);
            set(&mut contacts.slip, slot, velocity);
            set(&mut contacts.spin, slot, if law.couples { spin } else { DVec3::ZERO });
            contacts.turning[slot] = turning;
        }
    }

    /// Evaluates the wall contacts in the slots of the batch, all with the law of number `index`. Adds forces, loads
    /// and histories to `output`, and empties the slots.
    ///
    /// # Errors
    /// Errors of the laws.
    fn evaluate_batch(
        &self,
        index: usize,
        filled: &mut FilledSlots,
        batch: &mut Batch,
        output: &mut WallOutput<'_>,
    ) -> Result<(), DemError> {
        let FilledSlots { contacts, before, after } = filled;
        if contacts.is_empty() {
            return Ok(());
        }
        let law = self.laws.by_index(index);
        let width = law.traits().layout.width();
        let lanes = contacts.len().next_multiple_of(LANES).min(BATCH);
        for slot in contacts.len()..lanes {
            batch.contacts.copy_slot(slot - 1, slot);
        }
        before.resize(lanes * width, 0.0);
        after.clear();
        after.resize(lanes * width, 0.0);
        batch.begin_run(self.needs, &self.law_needs[index]);
        batch.contacts.lanes = lanes;
        law.apply(&batch.contacts, before, after, &mut batch.forces)?;
        for (slot, contact) in contacts.iter().enumerate() {
            self.add(slot, contact, &self.law_needs[index], batch, output);
            if width > 0 {
                output.histories.push(contact.key, &after[slot * width..(slot + 1) * width]);
            }
        }
        contacts.clear();
        before.clear();
        Ok(())
    }

    fn add(&self, slot: usize, contact: &WallContact, law: &LawNeeds, batch: &Batch, output: &mut WallOutput<'_>) {
        let Batch { contacts, forces, .. } = batch;
        let WallContact { key, patch, own, position, correction } = contact;
        let number = key.wall as usize;
        let traits = self.laws.by_index(key.law as usize).traits();
        if traits.is_hysteretic && !forces.acts[slot] {
            return;
        }
        let normal = -patch.normal;
        let overlap = contacts.overlap[slot];
        let share = contacts.share[slot];
        let elastic = forces.elastic[slot];
        let mut total = if law.motion {
            let damping = forces.normal[slot] - elastic;
            ContactForces {
                elastic,
                normal: if share < 1.0 { elastic + share * damping } else { forces.normal[slot] },
                tangential: share * get(&forces.tangential, slot),
                couple: share * get(&forces.couple, slot),
            }
        } else {
            ContactForces { elastic, normal: elastic, tangential: DVec3::ZERO, couple: DVec3::ZERO }
        };
        // If any law is hysteretic, a ledger records the whole work of all contacts.
        let records_all = self.needs.hysteretic;
        if records_all {
            total.elastic = 0.0;
        }
        let load = &mut output.loads[number];
        if self.needs.energy {
            let elastic = match patch.saddle.as_ref().filter(|_| !traits.is_hysteretic) {
                _ if !records_all => 0.0,
                None => forces.elastic_energy[slot],
                saddle => elastic_energy(&*traits.normal, saddle, overlap, contacts.radius[slot]),
            };
            load.stored += forces.tangential_energy[slot] + elastic;
        }
        load.add(&self.walls[number].end, (*position, patch, overlap), &total, (*correction, records_all));
        let add = |row: &mut Row, vector: DVec3| *row = plus(*row, vector.extend(0.0).to_array());
        let sum = &mut output.sums[*own];
        add(&mut sum.force, -total.total(normal) - *correction);
        if law.motion {
            let arm = contacts.radius[slot] - law.lever * overlap;
            add(&mut sum.torque, -arm * normal.cross(total.tangential) - total.couple);
        }
        if self.needs.dissipative {
            let recorded = if records_all { *correction } else { DVec3::ZERO };
            add(&mut output.dissipative[*own], -total.dissipative(normal) - recorded);
        }
    }

    /// Returns the body at this place as wall contacts read it; at rest and of unit mass if all forces are elastic.
    fn body(&self, place: usize) -> BodyAtWall {
        let [x, y, z, radius] = self.spheres.position[place];
        let still = Motion { velocity: [0.0; 4], spin: [0.0, 0.0, 0.0, 1.0] };
        let Motion { velocity, spin } = self.spheres.motion.get(place).unwrap_or(&still);
        let vector = |row: &[f64; 4]| DVec3::from_slice(&row[..3]);
        let position = DVec3::new(x, y, z);
        let inverse_mass = spin[3];
        BodyAtWall { position, radius, velocity: vector(velocity), spin: vector(spin), inverse_mass }
    }
}
