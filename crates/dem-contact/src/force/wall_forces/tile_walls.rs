//! The contacts of the bodies of one tile with walls.

use std::ops::Range;

use rrp_geom::glam::{DMat3, DVec3};

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::force::contact_model::{ContactForces, normal_forces, saddle_share, tangential_forces};
use crate::force::histories::TileHistory;
use crate::force::histories::wall_history::{WallContactHistory, histories_at_wall, recall};
use crate::force::tiles::scene::{Motion, Needs, Spheres};
use crate::force::tiles::sums::{Row, Sums, plus};
use crate::force::wall_forces::felt_walls::FeltWalls;
use crate::force::wall_forces::near_walls::NearWalls;
use crate::force::wall_forces::wall_moments::{BodyAtWall, WallMoments};
use crate::force::wall_forces::wall_sums::WallSums;
use crate::law::contact::ContactKinematics;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::neighbor::NeighborList;
use crate::wall::images::{Touched, TouchedPoints};
use crate::wall::surface::Patch;

/// The input of the wall contacts, the same for all tiles.
pub(crate) struct WallScene<'a, L, T> {
    pub(crate) laws: &'a LawAssignment<L, T>,
    pub(crate) walls: &'a [WallMoments<'a>],
    pub(crate) felt: &'a FeltWalls,
    pub(crate) list: &'a NeighborList,
    pub(crate) spheres: &'a Spheres<'a>,
    pub(crate) needs: &'a Needs,
}

/// A body, or an image of it, that touches a wall at a patch.
struct WallContact<'a, L, T> {
    laws: &'a (L, T),
    /// The index of the body among those of the tile.
    own: usize,
    body: BodyAtWall,
    wall: &'a WallMoments<'a>,
    patch: &'a Patch,
    /// The overlap in m at which the normal law acts.
    normal_overlap: f64,
}

impl<L: ContactLaw, T: TangentialLaw> WallScene<'_, L, T> {
    /// Evaluates the wall contacts of the bodies of a tile, and adds the forces on bodies to `sums`. `path` bounds the
    /// path (m) of each of its centres since the list was made. Returns the load of each wall.
    ///
    /// # Errors
    /// [`ContactError::BehindWall`].
    pub(crate) fn evaluate(
        &self,
        places: &Range<usize>,
        path: f64,
        near: &mut NearWalls,
        history: &mut TileHistory<Vec<WallContactHistory<T::History>>>,
        sums: &mut Sums<&mut [Row]>,
    ) -> Result<Vec<WallSums>, DemError> {
        history.pending.clear();
        history.is_evaluated = true;
        if self.walls.is_empty() {
            return Ok(Vec::new());
        }
        let mut loads = vec![WallSums::default(); self.walls.len()];
        let (position, range) = (self.spheres.position, self.needs.range);
        near.follow(self.walls, self.list, (places, path), position, range, self.felt);
        let (mut points, mut recalled) = (TouchedPoints::default(), Vec::new());
        for images in near.images() {
            let (place, number) = (images[0].place as usize, images[0].wall as usize);
            let (wall, body, number_of_body) = (&self.walls[number], self.body(place), self.spheres.order[place]);
            let (BodyAtWall { position, radius, .. }, laws) = (body, self.laws.at_wall(number_of_body, number));
            let range = if range > 0.0 { laws.0.range(radius) } else { 0.0 };
            let near_images = images.iter().map(|image| (image.shift, near.pieces(image)));
            wall.end.touch_images(position, radius + range, near_images, &mut points);
            if points.touched.is_empty() {
                continue;
            }
            let known = histories_at_wall(&history.committed, self.list.tiling(), place, images[0].wall);
            recall(known, &points.touched, &mut recalled);
            for (Touched { patch, shift }, memory) in points.touched.iter().zip(&mut recalled) {
                let overlap = radius - patch.distance;
                if overlap >= radius || !patch.distance.is_finite() {
                    let (body, wall) = (number_of_body as usize, number);
                    return Err(DemError::Contact(ContactError::BehindWall { body, wall, overlap, radius }));
                }
                let is_hysteretic = self.needs.hysteretic;
                let found = if is_hysteretic { laws.1.normal_overlap(overlap, radius, memory) } else { Some(overlap) };
                let Some(normal_overlap) = found else { continue };
                let (own, body) = (place - places.start, BodyAtWall { position: position + *shift, ..body });
                let contact = WallContact { laws, own, body, wall, patch, normal_overlap };
                self.add(&contact, memory, &mut loads[number], sums);
                if size_of::<T::History>() > 0 {
                    history.pending.push(WallContactHistory {
                        wall: images[0].wall,
                        body: number_of_body,
                        feature: patch.feature,
                        normal: patch.normal,
                        history: *memory,
                    });
                }
            }
        }
        Ok(loads)
    }

    /// Adds one contact to the load of the wall and to the sums of the body, and updates its history.
    fn add(
        &self,
        contact: &WallContact<'_, L, T>,
        history: &mut T::History,
        load: &mut WallSums,
        sums: &mut Sums<&mut [Row]>,
    ) {
        let (WallContact { laws: (law, tangential), own, body, wall, patch, .. }, needs) = (contact, self.needs);
        let (&BodyAtWall { position, radius, .. }, normal_overlap) = (body, contact.normal_overlap);
        let (overlap, normal) = (radius - patch.distance, -patch.normal);
        // A force that depends on the past of one patch has no part that another has too.
        let saddle = patch.saddle.as_ref().filter(|_| !needs.hysteretic);
        let shared = saddle_share(law, saddle, normal_overlap, radius);
        let (mass, share, elapsed) = (body.inverse_mass.recip(), shared.share, needs.elapsed);
        let rate = if needs.motion { wall.approach(body, patch).dot(normal) } else { 0.0 };
        let [elastic, normal_force] = normal_forces(law, law.is_capped(), [normal_overlap, radius, mass], rate);
        let mut forces = if needs.motion {
            let slip = wall.slip(needs, body, patch);
            let (mut velocity, mut spin, turning) = (slip.velocity, slip.spin, slip.turning);
            if tangential.turns() {
                // The history turns about the normal in the whole step. The slip turns since its own moment only.
                let about = DMat3::from_axis_angle(normal, turning * needs.slip_before_end);
                (velocity, spin) = (about * velocity, about * spin);
            }
            let kinematics =
                ContactKinematics { velocity, normal, normal_force, overlap, radius, mass, turning, elapsed, share };
            let forces = tangential_forces(tangential, &kinematics, elastic, spin, history);
            if needs.stored {
                load.stored += share * tangential.stored_energy(&kinematics, history);
                if needs.hysteretic {
                    load.stored += law.energy(normal_overlap, radius);
                }
            }
            forces
        } else {
            ContactForces { elastic, normal: elastic, tangential: DVec3::ZERO, couple: DVec3::ZERO }
        };
        if needs.hysteretic {
            // The whole work of a hysteretic force is recorded.
            forces.elastic = 0.0;
        }
        load.add(&wall.end, position, patch, overlap, &forces, shared.correction);
        let add = |row: &mut Row, vector: DVec3| *row = plus(*row, vector.extend(0.0).to_array());
        add(&mut sums.force[*own], -forces.total(normal) - shared.correction);
        if needs.motion {
            let arm = radius - needs.lever * overlap;
            add(&mut sums.torque[*own], -arm * normal.cross(forces.tangential) - forces.couple);
        }
        if needs.dissipative {
            add(&mut sums.dissipative[*own], -forces.dissipative(normal));
        }
    }

    /// The body in a place; at rest and of any mass where forces are elastic only.
    fn body(&self, place: usize) -> BodyAtWall {
        let [x, y, z, radius] = self.spheres.position[place];
        let still = Motion { velocity: [0.0, 0.0, 0.0, 1.0], spin: [0.0; 4] };
        let Motion { velocity, spin } = self.spheres.motion.get(place).unwrap_or(&still);
        let vector = |row: &[f64; 4]| DVec3::from_slice(&row[..3]);
        let (position, inverse_mass) = (DVec3::new(x, y, z), velocity[3]);
        BodyAtWall { position, radius, velocity: vector(velocity), spin: vector(spin), inverse_mass }
    }
}
