//! Walls: planes that push bodies to one side.

use rrp_geom::glam::DVec3;

use crate::DemError;

/// A plane that bodies are to stay in front of. It may move at a constant velocity.
///
/// The contact law is that of two bodies, one of infinite mass and radius; the normal of the contact points from the
/// body to the wall, against [`normal`](Self::normal).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Wall {
    /// A point of the plane at time zero, in m. Torques on the wall are about it, where it is at the time.
    pub point: DVec3,
    /// Unit normal, out of the wall towards the bodies.
    pub normal: DVec3,
    /// Velocity in m/s.
    pub velocity: DVec3,
}

impl Wall {
    /// A plane at rest; `normal` points to the bodies and need not have length one.
    #[must_use]
    pub fn plane(point: DVec3, normal: DVec3) -> Self {
        Self { point, normal: normal.normalize_or_zero(), velocity: DVec3::ZERO }
    }

    /// The six inner sides of the box from `low` to `high` (m): −x, +x, −y, +y, −z, +z.
    #[must_use]
    pub fn inside_of_box(low: DVec3, high: DVec3) -> [Self; 6] {
        std::array::from_fn(|side| {
            let axis = DVec3::AXES[side / 2];
            if side % 2 == 0 { Self::plane(low, axis) } else { Self::plane(high, -axis) }
        })
    }

    /// The same plane moving at `velocity` (m/s).
    #[must_use]
    pub fn moving(self, velocity: DVec3) -> Self {
        Self { velocity, ..self }
    }

    /// The point of the plane at `time` (s), in m.
    #[must_use]
    pub fn point_at(&self, time: f64) -> DVec3 {
        self.point + time * self.velocity
    }

    pub(crate) fn check(&self, wall: usize, periods: DVec3) -> Result<(), DemError> {
        let &Self { point, normal, velocity } = self;
        if !(point.is_finite() && velocity.is_finite() && (normal.length() - 1.0).abs() < 1e-12) {
            return Err(DemError::InvalidWall { wall, point, normal, velocity });
        }
        match (0..3).find(|&c| periods[c] > 0.0 && normal[c].abs() > 0.0) {
            Some(direction) => Err(DemError::WallAcrossPeriodic { wall, normal, direction }),
            None => Ok(()),
        }
    }
}

/// What the bodies exert on one wall.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WallLoad {
    /// Force on the wall in N, world frame.
    pub force: DVec3,
    /// Torque on the wall in N m about its point, world frame.
    pub torque: DVec3,
    /// Number of bodies that touch it.
    pub contacts: usize,
}
