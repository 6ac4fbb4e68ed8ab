//! The load of a wall, summed over its contacts.

use rrp_geom::glam::DVec3;

use crate::force::contact_model::{ContactForces, ContactState, contact_forces, saddle_share};
use crate::force::wall_forces::body_motion::{BodyMotion, MotionOfBody};
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::wall::WallLoad;
use crate::wall::placed::Placed;
use crate::wall::surface::Saddle;

/// The wall of some contacts, with the laws.
pub(super) struct WallOfContact<'a, L, T> {
    pub(super) laws: &'a LawAssignment<L, T>,
    pub(super) number: usize,
    pub(super) placed: &'a Placed<'a>,
    /// Time since the committed state, in s.
    pub(super) elapsed: f64,
}

/// A body that touches a wall; lengths in m.
pub(super) struct WallContact {
    pub(super) slot: usize,
    pub(super) body: u32,
    /// The centre of the body.
    pub(super) position: DVec3,
    pub(super) radius: f64,
    /// Unit normal into the wall.
    pub(super) normal: DVec3,
    pub(super) overlap: f64,
    pub(super) saddle: Option<Saddle>,
}

/// The wrench of one wall on one body, in N and N m.
#[derive(Debug, Clone)]
pub(crate) struct WallWrench {
    /// The slot of the body.
    pub(crate) slot: u32,
    pub(crate) force: DVec3,
    pub(crate) torque: DVec3,
    /// The part of the force that is not elastic.
    pub(crate) dissipative: DVec3,
}

/// The sums over the contacts of one wall.
#[derive(Default)]
pub(super) struct WallSums {
    pub(super) load: WallLoad,
    /// The parts of force (N) and torque (N m) that are not elastic.
    dissipative: [DVec3; 2],
}

impl WallSums {
    /// Adds a contact and updates its history. Returns the wrench on the body.
    #[inline(always)]
    pub(super) fn add<L: ContactLaw, T: TangentialLaw>(
        &mut self,
        wall: &WallOfContact<'_, L, T>,
        contact: &WallContact,
        motion: &BodyMotion<'_>,
        history: &mut T::History,
    ) -> WallWrench {
        let &WallOfContact { laws, number, placed, elapsed } = wall;
        let &WallContact { slot, body, position, radius, normal, overlap, saddle } = contact;
        let MotionOfBody { velocity, inverse_mass, spin } = motion.at(slot);
        let (law, tangential) = laws.at_wall(body, number);
        let (arm, at_point) = (radius - laws.lever() * overlap, radius - overlap);
        let lever = position + at_point * normal - placed.point;
        // [DK21] (22), as in `relative_velocity`. There the arm l is multiplied into the spin before the cross product,
        // here after it. The two round differently, so a call of that function would change the bits of results.
        let velocity = placed.velocity + placed.spin.cross(lever) - velocity - arm * spin.cross(normal);
        let (mass, spin, turning) = (inverse_mass.recip(), placed.spin - spin, placed.spin + spin);
        let shared = saddle_share(law, saddle.as_ref(), overlap, radius);
        let (share, correction) = (shared.share, shared.correction);
        let state = ContactState { normal, overlap, radius, mass, velocity, spin, turning, elapsed, share };
        let forces: ContactForces = contact_forces(law, tangential, law.is_capped(), &state, history);
        if let Some(saddle) = saddle {
            // The correction acts along the normal of the saddle, at its point.
            self.load.torque += (position - saddle.distance * saddle.normal - placed.point).cross(correction);
        }
        let (force, dissipative) = (forces.total(normal), forces.dissipative(normal));
        self.load.force += force + correction;
        self.load.torque += lever.cross(force) + forces.couple;
        self.load.contacts += 1;
        self.dissipative[0] += dissipative;
        self.dissipative[1] += lever.cross(dissipative) + forces.couple;
        WallWrench {
            slot: slot as u32,
            force: -force - correction,
            torque: -arm * normal.cross(forces.tangential) - forces.couple,
            dissipative: -dissipative,
        }
    }

    /// Power in W of the whole load, and of the part that is not elastic.
    pub(super) fn powers(&self, placed: &Placed<'_>) -> [f64; 2] {
        let power = |[force, torque]: [DVec3; 2]| force.dot(placed.velocity) + torque.dot(placed.spin);
        [power([self.load.force, self.load.torque]), power(self.dissipative)]
    }
}
