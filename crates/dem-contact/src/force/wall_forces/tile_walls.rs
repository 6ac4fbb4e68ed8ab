//! The contacts of the bodies of one tile with walls.

use rrp_geom::glam::{DMat3, DVec3};

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::force::contact_model::{ContactForces, ContactState, contact_kinematics, saddle_share, tangential_forces};
use crate::force::histories::wall_history::{HistoryCursor, TileWallHistory, WallContactHistory, recall};
use crate::force::tiles::scene::{Needs, Spheres};
use crate::force::tiles::sums::{Row, Sums};
use crate::force::wall_forces::near_walls::{NearWalls, TileBodies};
use crate::force::wall_forces::wall_moments::{BodyAtWall, WallMoments};
use crate::force::wall_forces::wall_sums::WallSums;
use crate::law::contact::ContactKinematics;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::wall::placed_surface::PlacedSurface;
use crate::wall::surface::Patch;

/// The input of the wall contacts, the same for all tiles.
pub(crate) struct WallScene<'a, L, T> {
    pub(crate) laws: &'a LawAssignment<L, T>,
    pub(crate) walls: &'a [WallMoments<'a>],
    pub(crate) spheres: &'a Spheres<'a>,
    pub(crate) needs: &'a Needs,
}

/// The output of the wall contacts of one tile.
pub(crate) struct TileWallWork<'a, M> {
    pub(crate) near: &'a mut NearWalls,
    pub(crate) history: &'a mut TileWallHistory<M>,
    /// By wall: the load of the bodies of the tile.
    pub(crate) loads: Vec<WallSums>,
}

/// A body that touches a wall at a patch, in the frame of its shape and in the world frame.
struct WallContact<'a> {
    /// The place of the body, and its index among those of the tile.
    place: usize,
    own: usize,
    body: &'a BodyAtWall,
    wall: usize,
    local: &'a Patch,
    patch: &'a Patch,
}

impl<L: ContactLaw, T: TangentialLaw> WallScene<'_, L, T> {
    /// Evaluates the wall contacts of the bodies of a tile, and adds the forces on bodies to `sums`.
    ///
    /// # Errors
    /// [`ContactError::BehindWall`].
    pub(crate) fn evaluate(
        &self,
        bodies: &TileBodies<'_>,
        work: &mut TileWallWork<'_, T::History>,
        sums: &mut Sums<&mut [Row]>,
    ) -> Result<(), DemError> {
        let TileWallWork { near, history, loads } = work;
        history.pending.clear();
        history.is_evaluated = true;
        loads.clear();
        loads.resize(self.walls.len(), WallSums::default());
        near.follow(self.walls, bodies);
        let mut committed = HistoryCursor::new(&history.committed, bodies.tiling);
        let (mut local, mut patches, mut recalled) = (Vec::new(), Vec::new(), Vec::new());
        for entry in &near.entries {
            let (place, number) = (entry.place as usize, entry.wall as usize);
            let (wall, body) = (&self.walls[number], self.body(place));
            let BodyAtWall { position, radius, .. } = body;
            local.clear();
            patches.clear();
            match wall.end.surface() {
                PlacedSurface::Plane { origin, out } => {
                    let gap = (origin - position).dot(-out) - radius;
                    if gap < self.needs.range {
                        patches.push(Patch::flat(0, out, radius + gap));
                        local.push(Patch { normal: wall.end.turn_back(out), ..patches[0] });
                    }
                }
                PlacedSurface::Surface(surface) => {
                    surface.patches(
                        wall.end.local(position),
                        radius + self.needs.range,
                        near.pieces(entry),
                        &mut local,
                    );
                    patches.extend(local.iter().map(|patch| wall.end.patch(patch)));
                }
            }
            if patches.is_empty() {
                continue;
            }
            let number_of_body = bodies.tiling.order()[place];
            if self.needs.range > 0.0 {
                // Other laws may reach further.
                let reach = radius + self.laws.at_wall(number_of_body, number).0.range();
                let acts: Vec<bool> = patches.iter().map(|patch| patch.distance < reach).collect();
                for patches in [&mut local, &mut patches] {
                    let mut acts = acts.iter();
                    patches.retain(|_| *acts.next().unwrap_or(&false));
                }
            }
            recall(committed.at(place, entry.wall), &patches, &mut recalled);
            for ((local, patch), memory) in local.iter().zip(&patches).zip(&mut recalled) {
                let overlap = radius - patch.distance;
                if overlap >= radius || !patch.distance.is_finite() {
                    let (body, wall) = (number_of_body as usize, number);
                    return Err(DemError::Contact(ContactError::BehindWall { body, wall, overlap, radius }));
                }
                let own = place - bodies.places.start;
                let contact = WallContact { place, own, body: &body, wall: number, local, patch };
                self.add(&contact, memory, &mut loads[number], sums);
                if size_of::<T::History>() > 0 {
                    history.pending.push(WallContactHistory {
                        wall: entry.wall,
                        body: number_of_body,
                        feature: patch.feature,
                        normal: patch.normal,
                        history: *memory,
                    });
                }
            }
        }
        Ok(())
    }

    /// Adds one contact to the load of the wall and to the sums of the body, and updates its history.
    fn add(
        &self,
        contact: &WallContact<'_>,
        history: &mut T::History,
        load: &mut WallSums,
        sums: &mut Sums<&mut [Row]>,
    ) {
        let (&WallContact { place, own, body, wall: number, local, patch }, needs) = (contact, self.needs);
        let (wall, normal) = (&self.walls[number], -patch.normal);
        let &BodyAtWall { position, radius, .. } = body;
        let overlap = radius - patch.distance;
        let (law, tangential) = self.laws.at_wall(self.spheres.order[place], number);
        let shared = saddle_share(law, patch.saddle.as_ref(), overlap, radius);
        let state = ContactState {
            normal,
            overlap,
            radius,
            mass: self.inverse_mass(place).recip(),
            velocity: if needs.motion { wall.approach(body, patch) } else { DVec3::ZERO },
            spin: DVec3::ZERO,
            turning: DVec3::ZERO,
            elapsed: needs.elapsed,
            share: shared.share,
        };
        let (kinematics, elastic) = contact_kinematics(law, law.is_capped(), &state);
        let forces = if needs.motion {
            let slip = wall.slip(needs, body, local, patch);
            let (mut velocity, mut spin) = (slip.velocity, slip.spin);
            if tangential.turns() {
                // The history turns about the normal in the whole step. The slip turns since its own moment only.
                let about = DMat3::from_axis_angle(normal, slip.turning * needs.slip_before_end);
                (velocity, spin) = (about * velocity, about * spin);
            }
            let kinematics = ContactKinematics { velocity, turning: slip.turning, ..kinematics };
            tangential_forces(tangential, &kinematics, elastic, spin, history)
        } else {
            ContactForces { elastic, normal: elastic, tangential: DVec3::ZERO, couple: DVec3::ZERO }
        };
        load.add(&wall.end, position, patch, &forces, shared.correction);
        let add = |row: &mut Row, vector: DVec3| {
            let [x, y, z, w] = *row;
            *row = [x + vector.x, y + vector.y, z + vector.z, w];
        };
        add(&mut sums.force[own], -forces.total(normal) - shared.correction);
        if needs.motion {
            let arm = radius - needs.lever * overlap;
            add(&mut sums.torque[own], -arm * normal.cross(forces.tangential) - forces.couple);
        }
        if needs.dissipative {
            add(&mut sums.dissipative[own], -forces.dissipative(normal));
        }
    }

    /// The body in a place; at rest where forces are elastic only.
    fn body(&self, place: usize) -> BodyAtWall {
        let [x, y, z, radius] = self.spheres.position[place];
        let vector = |[x, y, z, _]: [f64; 4]| DVec3::new(x, y, z);
        let (velocity, spin) = self
            .spheres
            .motion
            .get(place)
            .map_or((DVec3::ZERO, DVec3::ZERO), |motion| (vector(motion.velocity), vector(motion.spin)));
        BodyAtWall { position: DVec3::new(x, y, z), radius, velocity, spin }
    }

    /// The reciprocal mass of the body in a place in 1/kg; one where forces are elastic only.
    fn inverse_mass(&self, place: usize) -> f64 {
        self.spheres.motion.get(place).map_or(1.0, |motion| motion.velocity[3])
    }
}
