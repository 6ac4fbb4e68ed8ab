//! A wall in its pose at one time.

use rrp_geom::glam::{DMat3, DVec3};

use crate::error::DemError;
use crate::error::wall::{WallError, check_finite};
use crate::wall::motion::WallPose;
use crate::wall::shape::Shape;
use crate::wall::surface::{Patch, Saddle};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed<'a> {
    pub(crate) shape: &'a Shape,
    /// Point of the wall in m, about which torques are taken and rotations turn.
    pub(crate) point: DVec3,
    pub(crate) velocity: DVec3,
    pub(crate) spin: DVec3,
    /// Velocity in m/s at which the surface of the wall runs like a belt, without the motion of the wall.
    pub(crate) running: DVec3,
    offset: DVec3,
    rotation: Option<DMat3>,
    /// Point and outward normal of a plane wall in the world frame; `None` for other shapes.
    plane: Option<(DVec3, DVec3)>,
}

impl<'a> Placed<'a> {
    pub(super) fn new(shape: &'a Shape, point: DVec3, offset: DVec3, pose: &WallPose) -> Self {
        let turned = pose.rotation.xyz() != DVec3::ZERO;
        let rotation = turned.then(|| DMat3::from_quat(pose.rotation));
        let velocity = pose.velocity;
        let spin = pose.spin;
        let running = DVec3::ZERO;
        let mut placed = Self { shape, point, velocity, spin, running, offset, rotation, plane: None };
        if let Shape::Plane(normal) = shape {
            placed.plane = Some((point + placed.turn(offset), placed.turn(*normal)));
        }
        placed
    }

    /// Checks that all numbers of the wall's pose are finite, that its rotation is valid, and that a plane or an
    /// endless cylinder is parallel to the directions with `periods` (m). A user's own motion can violate any of these
    /// conditions.
    pub(crate) fn check(&self, wall: usize, periods: DVec3) -> Result<(), DemError> {
        // A quaternion whose length is not one stretches vectors; some rounding is allowed.
        let stretch = |turn: DMat3| {
            let lengths = [turn.x_axis, turn.y_axis, turn.z_axis].map(DVec3::length);
            lengths.into_iter().find(|&length| length.is_nan() || (length - 1.0).abs() > 1e-6)
        };
        if let Some(value) = self.rotation.and_then(stretch) {
            let parameter = "length of a unit vector that its rotation turns";
            let range = "one";
            return Err(DemError::Wall(WallError::InvalidWall { wall, parameter, range, value }));
        }
        check_finite(wall, [("point", self.point), ("velocity", self.velocity), ("spin", self.spin)])?;
        self.check_periods(wall, periods, TURNED)
    }

    /// Checks that a plane or an endless cylinder deviates by at most `angle` (rad) from the directions in which the
    /// domain has `periods` (m).
    pub(super) fn check_periods(&self, wall: usize, periods: DVec3, angle: f64) -> Result<(), DemError> {
        let (axis, is_plane) = match self.shape {
            Shape::Plane(normal) => (self.turn(*normal), true),
            Shape::Cylinder(cylinder) => (self.turn(cylinder.axis()), false),
            _ => return Ok(()),
        };
        let leaves = |&direction: &usize| {
            let along = DVec3::AXES[direction];
            let out = if is_plane { axis.dot(along).abs() } else { axis.cross(along).length() };
            periods[direction] > 0.0 && out > angle
        };
        match (0..3).find(leaves) {
            Some(direction) => Err(DemError::Wall(WallError::WallAcrossPeriodic { wall, axis, direction })),
            None => Ok(()),
        }
    }

    /// Whether the frame of the wall's shape is not parallel to the world frame.
    #[inline]
    pub(crate) fn is_turned(&self) -> bool {
        self.rotation.is_some()
    }

    #[inline]
    pub(crate) fn turn(&self, vector: DVec3) -> DVec3 {
        self.rotation.map_or(vector, |rotation| rotation * vector)
    }

    #[inline]
    pub(crate) fn turn_back(&self, vector: DVec3) -> DVec3 {
        self.rotation.map_or(vector, |rotation| rotation.transpose() * vector)
    }

    #[inline]
    pub(crate) fn local(&self, position: DVec3) -> DVec3 {
        let from = position - self.point;
        self.rotation.map_or(from, |rotation| rotation.transpose() * from) - self.offset
    }

    pub(crate) fn world(&self, local: DVec3) -> DVec3 {
        self.point + self.turn(local + self.offset)
    }

    pub(super) fn patch(&self, patch: &Patch) -> Patch {
        let Some(rotation) = self.rotation else { return *patch };
        let turn = |turning: DMat3| rotation * turning * rotation.transpose();
        let saddle = patch.saddle.map(|Saddle { normal, distance, turning }| Saddle {
            normal: rotation * normal,
            distance,
            turning: turn(turning),
        });
        Patch { normal: rotation * patch.normal, turning: turn(patch.turning), saddle, ..*patch }
    }

    #[inline]
    pub(crate) fn plane(&self) -> Option<(DVec3, DVec3)> {
        self.plane
    }

    pub(crate) fn is_near(&self, position: DVec3, reach: f64, periods: DVec3, pieces: &mut Vec<u32>) -> bool {
        let Some(surface) = self.shape.surface() else { return false };
        self.shifts(position, reach, periods).into_iter().any(|shift| {
            pieces.clear();
            surface.near(self.local(position + shift), reach, pieces);
            !pieces.is_empty()
        })
    }

    /// Velocity (m/s) of the wall's material at a point in the world frame.
    #[inline(always)]
    pub(crate) fn velocity_at(&self, position: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(position - self.point)
    }

    /// Velocity (m/s) of the wall's material at a point of its surface with this unit normal, in the world frame.
    #[inline(always)]
    pub(crate) fn surface_velocity_at(&self, position: DVec3, normal: DVec3) -> DVec3 {
        self.velocity_at(position) + self.running - normal * normal.dot(self.running)
    }

    /// Upper bound in m on the displacement, since the pose `other`, of any part of the wall that is nearer than
    /// `extent` (m) to the point of the wall.
    pub(crate) fn moved(&self, other: &Motionless, extent: f64) -> f64 {
        let shift = (self.point - other.point).length();
        let turn = match (self.rotation, other.rotation) {
            (None, None) => 0.0,
            (one, two) => {
                let apart = one.unwrap_or(DMat3::IDENTITY) - two.unwrap_or(DMat3::IDENTITY);
                let square =
                    apart.x_axis.length_squared() + apart.y_axis.length_squared() + apart.z_axis.length_squared();
                extent * square.sqrt()
            }
        };
        shift + turn
    }

    pub(crate) fn motionless(&self) -> Motionless {
        Motionless { point: self.point, rotation: self.rotation }
    }
}

/// Angle in rad up to which a plane or an endless cylinder may deviate from a periodic direction: rounding may have
/// turned the wall by this angle.
pub(super) const TURNED: f64 = 1e-9;

/// Point and rotation of a wall at an earlier time, from which its displacement is measured.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Motionless {
    point: DVec3,
    rotation: Option<DMat3>,
}
