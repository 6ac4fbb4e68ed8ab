//! A wall at the end and in the middle of a step, and how a body slips on it.

use rrp_geom::glam::DVec3;

use crate::force::contact_model::relative_velocity;
use crate::force::tiles::scene::Needs;
use crate::law::least_rotation::LeastRotation;
use crate::wall::images::Touched;
use crate::wall::placed::Placed;
use crate::wall::placed_surface::PlacedSurface;
use crate::wall::surface::Patch;

/// A wall at the end of a step, where forces belong, and at the moment that slip belongs to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WallMoments<'a> {
    pub(crate) end: Placed<'a>,
    pub(crate) middle: Placed<'a>,
    /// The wall at the end of the step, as contacts see it.
    pub(crate) surface: PlacedSurface<'a>,
}

/// A body at a wall, at the end of the step: its centre and radius in m, its velocity in m/s and spin in rad/s.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyAtWall {
    pub(crate) position: DVec3,
    pub(crate) radius: f64,
    pub(crate) velocity: DVec3,
    pub(crate) spin: DVec3,
}

/// How a wall slips on a body, in the frame of the end of the step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WallSlip {
    /// Tangential velocity of the wall at the contact point relative to the body, in m/s.
    pub(crate) velocity: DVec3,
    /// Spin of the wall relative to the body in rad/s.
    pub(crate) spin: DVec3,
    /// How fast the contact turns about its normal, in rad/s.
    pub(crate) turning: f64,
}

impl<'a> WallMoments<'a> {
    pub(crate) fn new(end: Placed<'a>, middle: Placed<'a>) -> Self {
        Self { end, middle, surface: end.surface() }
    }

    /// A contact with the wall as a plane. Set its distance.
    pub(crate) fn flat_patch(&self) -> Touched {
        let PlacedSurface::Plane { out, .. } = self.surface else { return self.end.touched_plane(DVec3::ZERO, 0.0) };
        self.end.touched_plane(out, 0.0)
    }

    /// Velocity of the wall at the contact point relative to the centre of the body, at the end of the step, in m/s.
    #[inline]
    pub(crate) fn approach(&self, body: &BodyAtWall, patch: &Patch) -> DVec3 {
        self.end.velocity_at(body.position - patch.distance * patch.normal) - body.velocity
    }

    /// The slip of a contact. `local` is the patch at the end of the step in the frame of the shape, `patch` the same
    /// in the world frame.
    #[inline]
    pub(crate) fn slip(&self, needs: &Needs, body: &BodyAtWall, local: &Patch, patch: &Patch) -> WallSlip {
        let into = -patch.normal;
        if needs.slip_before_end <= 0.0 {
            return self.slip_at(&self.end, needs.lever, body, into, patch.distance);
        }
        if matches!(self.surface, PlacedSurface::Plane { .. }) && !self.end.is_turned() && !self.middle.is_turned() {
            // The normal of the plane is the same at both moments.
            let position = body.position - body.velocity * needs.slip_before_end;
            let moved = self.end.local(body.position) - self.middle.local(position);
            let there = BodyAtWall { position, ..*body };
            return self.slip_at(&self.middle, needs.lever, &there, into, patch.distance + into.dot(moved));
        }
        self.slip_in_the_middle(needs, body, local, patch)
    }

    /// The slip in the middle of the step, turned to its end.
    ///
    /// In the middle of the step the centre was elsewhere in the frame of the shape. The normal and the distance there
    /// follow from the derivative of the normal, with an error of second order.
    fn slip_in_the_middle(&self, needs: &Needs, body: &BodyAtWall, local: &Patch, patch: &Patch) -> WallSlip {
        let into = -patch.normal;
        let position = body.position - body.velocity * needs.slip_before_end;
        let moved = self.end.local(body.position) - self.middle.local(position);
        let before = (local.normal - local.turning * moved).normalize_or(local.normal);
        let distance = patch.distance - 0.5 * (local.normal + before).dot(moved);
        let before = -self.middle.turn(before);
        let there = BodyAtWall { position, ..*body };
        let WallSlip { velocity, spin, turning } = self.slip_at(&self.middle, needs.lever, &there, before, distance);
        let rotation = LeastRotation::new(before, into);
        WallSlip { velocity: rotation.turn(velocity), spin: rotation.turn(spin), turning }
    }

    /// The slip at one moment, with the normal into the wall and the distance (m) of the centre from it. `lever` is the
    /// share of the overlap that is taken off the arm.
    #[inline]
    fn slip_at(&self, wall: &Placed<'_>, lever: f64, body: &BodyAtWall, normal: DVec3, distance: f64) -> WallSlip {
        let &BodyAtWall { position, radius, velocity, spin } = body;
        let arm = radius - lever * (radius - distance);
        let centres = wall.velocity_at(position + distance * normal) - velocity;
        let slip = relative_velocity(centres, arm * spin, normal);
        WallSlip {
            velocity: slip - normal * slip.dot(normal),
            spin: wall.spin - spin,
            turning: 0.5 * (wall.spin + spin).dot(normal),
        }
    }
}
