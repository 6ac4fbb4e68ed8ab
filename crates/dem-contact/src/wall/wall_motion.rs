//! Motion that is prescribed by whoever uses walls.

use rrp_geom::glam::{DQuat, DVec3};

/// Where a moving wall is, against where it was placed, and how it moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// How far its point has moved, in m.
    pub displacement: DVec3,
    /// How it has turned about its point, of length one.
    pub rotation: DQuat,
    /// Velocity of its point in m/s, the derivative of the displacement.
    pub velocity: DVec3,
    /// Angular velocity in rad/s, world frame.
    pub spin: DVec3,
}

impl Pose {
    /// Where it was placed, at rest.
    pub const REST: Self =
        Self { displacement: DVec3::ZERO, rotation: DQuat::IDENTITY, velocity: DVec3::ZERO, spin: DVec3::ZERO };
}

/// A prescribed motion: what a user implements to drive a wall.
///
/// It is asked for any time, in any order, and must answer from the time alone: then walls do not drift, steps can be
/// repeated, and restarts have the same bits.
pub trait WallMotion: std::fmt::Debug + Send + Sync {
    /// The pose at `time` (s).
    fn pose(&self, time: f64) -> Pose;
}
