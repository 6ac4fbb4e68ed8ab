//! A contact of rigid bodies.

use rrp_geom::glam::DVec3;

use crate::contact_dynamics::detection::ContactDetector;
use crate::law::PowerByMotion;
use crate::wall::WallLoad;
use crate::wall::images::{Touched, TouchedPoints};

/// Contact of rigid bodies in one step, with the conventions of [`Contact`](crate::law::contact::Contact).
///
/// All contacts that could have closed within the step are listed. Those that did not close have a positive slack and
/// no force. Two bodies are a < b by their numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RigidContact {
    /// Number of body a of the contact.
    pub a: usize,
    /// Number of body b of the contact, or of the wall.
    pub b: usize,
    /// Whether `b` is the number of a wall, not of a body.
    pub with_wall: bool,
    /// Number of the corner of a cuboid that touches the wall; zero for all other contacts.
    pub corner: u8,
    /// Number of the part of the wall that is touched; zero for planes and pairs.
    pub feature: u32,
    /// Unit normal n of the contact from a to b, world frame.
    pub normal: DVec3,
    /// Contact point in m at the start of the step, at that periodic image of body a that the state holds. It is in the
    /// middle of the gap of two spheres, and on the cuboid or the wall otherwise.
    pub point: DVec3,
    /// Gap Φ of the contact in m at the start of the step, negative where bodies or wall overlap.
    pub gap: f64,
    /// Slack λ = Φ/dt + B v⁺ of `[OK18] (16)` in m/s: the gap that the step leaves, over dt. The slack of
    /// [`MoreauJean`](crate::contact_dynamics::MoreauJean) does not count overlaps.
    pub slack: f64,
    /// Normal force of the contact in N, not negative, in the mean of the step.
    pub force: f64,
    /// Tangential force on b in N, in the mean of the step; zero without friction.
    pub tangential_force: DVec3,
    /// Couple on b in N m that resists rolling and twisting, in the mean of the step; zero without such resistance.
    pub couple: DVec3,
    /// Power in W that the contact takes out of the motion, of walls too, in the mean of the step: its forces times the
    /// mean of the relative velocities at the start and at the end.
    pub power_by_motion: PowerByMotion,
    /// Compatible force in N, see [`CompatibleLaw`](crate::contact_dynamics::CompatibleLaw), if the step computed one.
    pub compatible_force: Option<f64>,
    /// Reduced radius of the contact in m; the radius of the sphere at a cuboid or a wall, zero for a corner of a
    /// cuboid.
    pub radius: f64,
}

impl RigidContact {
    /// Compatible force of the contact in N if the step computed one, else [`force`](Self::force).
    #[must_use]
    pub fn best_force(&self) -> f64 {
        self.compatible_force.unwrap_or(self.force)
    }

    /// Key that identifies a contact from step to step, and by which contacts are sorted: pairs of bodies first.
    pub(crate) fn key(&self) -> (bool, usize, usize, u8, u32) {
        (self.with_wall, self.a, self.b, self.corner, self.feature)
    }
}

/// Force and couple of a contact on its second body, or on the wall.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactForces {
    /// Contact force on the second body in N.
    pub(crate) force: DVec3,
    /// Contact couple on the second body in N m.
    pub(crate) couple: DVec3,
}

/// Returns the point in m of a contact with a wall in a step that began at `began` (s), at the image of the body that
/// touches the wall.
pub(crate) fn point_on_wall(detector: &ContactDetector, contact: &RigidContact, began: f64) -> DVec3 {
    let domain = detector.list().domain();
    if domain.periods() == DVec3::ZERO {
        return contact.point;
    }
    let reach = contact.radius + contact.gap;
    let centre = contact.point - reach * contact.normal;
    let inside = domain.inside(centre);
    let mut points = TouchedPoints::default();
    let wall = detector.walls.get(contact.b).map(|wall| wall.placed(began));
    if let Some(placed) = wall.filter(|placed| placed.plane().is_none()) {
        placed.touch(inside, reach + 1e-6 * contact.radius, domain.periods(), &mut points);
    }
    // Several images of the body may touch: take the one that touches along this normal.
    let against = |touched: &&Touched| touched.patch.normal.dot(contact.normal);
    let image = points.touched.iter().min_by(|a, b| against(a).total_cmp(&against(b)));
    contact.point + (inside - centre) + image.map_or(DVec3::ZERO, |touched| touched.shift)
}

/// Sums force and torque on each wall in a step that began at `began` (s), over contacts that push.
pub(crate) fn loads_of_walls(
    detector: &ContactDetector,
    contacts: &[RigidContact],
    began: f64,
    forces: impl Fn(&RigidContact) -> ContactForces,
) -> Vec<WallLoad> {
    let mut loads = vec![WallLoad::default(); detector.walls.len()];
    for contact in contacts.iter().filter(|contact| contact.with_wall && contact.best_force() > 0.0) {
        let (Some(load), Some(wall)) = (loads.get_mut(contact.b), detector.walls.get(contact.b)) else { continue };
        let ContactForces { force, couple } = forces(contact);
        load.force += force;
        let moment = (point_on_wall(detector, contact, began) - wall.point_at(began)).cross(force);
        load.torque += if couple == DVec3::ZERO { moment } else { moment + couple };
        load.contacts += 1;
    }
    loads
}
