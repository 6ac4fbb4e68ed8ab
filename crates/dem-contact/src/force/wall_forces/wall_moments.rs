//! A wall at three times of a step, and the slip of a body on it.

use rrp_geom::glam::DVec3;

use crate::force::contact_model::relative_velocity;
use crate::force::tiles::scene::LawNeeds;
use crate::law::least_rotation::LeastRotation;
use crate::wall::placed::Placed;
use crate::wall::shape::Shape;
use crate::wall::surface::Patch;

/// Pose and motion of a wall at three times of a step: beginning, middle (for the slip), and end (for forces).
#[derive(Debug, Clone, Copy)]
pub(in crate::force) struct WallMoments<'a> {
    pub(super) begin: Placed<'a>,
    pub(super) middle: Placed<'a>,
    pub(super) end: Placed<'a>,
    /// Bound in m on the displacement, in the step, of any point of a bounded wall; for an unbounded wall, the
    /// displacement of its reference point.
    pub(super) way: f64,
}

/// Body that touches a wall, at the end of the step: its centre and radius in m, velocity in m/s and spin in rad/s.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyAtWall {
    pub(in crate::force) position: DVec3,
    pub(in crate::force) radius: f64,
    pub(super) velocity: DVec3,
    pub(in crate::force) spin: DVec3,
    pub(super) inverse_mass: f64,
}

/// Motion of a wall relative to a body that touches it, turned to the frame of the contact at the end of the step: slip
/// in m/s, spin in rad/s, and half the sum of both spins along the normal (`turning`) in rad/s.
#[derive(Debug, Clone, Copy)]
pub(super) struct WallSlip {
    pub(super) velocity: DVec3,
    pub(in crate::force) spin: DVec3,
    pub(in crate::force) turning: f64,
}

impl WallMoments<'_> {
    /// Velocity of the wall at the contact point relative to the centre of the body, at the end of the step, in m/s.
    #[inline]
    pub(super) fn approach(&self, body: &BodyAtWall, patch: &Patch) -> DVec3 {
        self.end.velocity_at(body.position - patch.distance * patch.normal) - body.velocity
    }

    /// Returns the slip of a wall contact in the middle of the step, turned to the frame at the end of the step.
    ///
    /// In the middle of the step the centre was at another place. Normal and distance at that time follow from the
    /// derivative of the normal, with an error of second order.
    #[inline]
    pub(super) fn slip(&self, law: &LawNeeds, body: &BodyAtWall, patch: &Patch) -> WallSlip {
        let into = -patch.normal;
        let lever = law.lever;
        if law.slip_before_end <= 0.0 {
            return self.slip_at(&self.end, lever, body, into, patch.distance);
        }
        let there = BodyAtWall { position: body.position - body.velocity * law.slip_before_end, ..*body };
        let moved = self.end.turn(self.end.local(body.position) - self.middle.local(there.position));
        if matches!(self.end.shape, Shape::Plane(_)) && !self.end.is_turned() && !self.middle.is_turned() {
            return self.slip_at(&self.middle, lever, &there, into, patch.distance + into.dot(moved));
        }
        let before = (patch.normal - patch.turning * moved).normalize_or(patch.normal);
        let distance = patch.distance - 0.5 * (patch.normal + before).dot(moved);
        let before = -self.middle.turn(self.end.turn_back(before));
        let WallSlip { velocity, spin, turning } = self.slip_at(&self.middle, lever, &there, before, distance);
        let rotation = LeastRotation::new(before, into);
        WallSlip { velocity: rotation.turn(velocity), spin: rotation.turn(spin), turning }
    }

    /// Returns the slip of a wall contact at one time, with the normal into the wall and the distance (m) of the centre
    /// from the wall. `lever` is the fraction of the overlap that is subtracted from the lever arm of the tangential
    /// force.
    #[inline]
    fn slip_at(&self, wall: &Placed<'_>, lever: f64, body: &BodyAtWall, normal: DVec3, distance: f64) -> WallSlip {
        let &BodyAtWall { position, radius, velocity, spin, .. } = body;
        let arm = radius - lever * (radius - distance);
        let centres = wall.surface_velocity_at(position + distance * normal, normal) - velocity;
        let slip = relative_velocity(centres, arm * spin, normal);
        WallSlip {
            velocity: slip - normal * slip.dot(normal),
            spin: wall.spin - spin,
            turning: 0.5 * (wall.spin + spin).dot(normal),
        }
    }
}
