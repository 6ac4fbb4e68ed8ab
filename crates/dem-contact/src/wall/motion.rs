//! How a wall moves.

use std::f64::consts::TAU;
use std::sync::Arc;

use rrp_geom::glam::{DQuat, DVec3};

use crate::wall::servo_memory::ServoMemory;
use crate::wall::table::MotionTable;

/// A motion as a function of time.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Motion {
    Steady(Steady),
    /// A motion by a table on top of a steady one.
    Tabulated(Steady, Box<MotionTable>),
    #[cfg_attr(feature = "serde", serde(skip))]
    Own(Arc<dyn WallMotion>),
}

/// Uniformly accelerated translation and uniform rotation with an oscillation on top, from one moment on.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Steady {
    /// The time (s) at which the wall is at its point, and its attitude then.
    pub(crate) since: f64,
    pub(crate) turned: DQuat,
    pub(crate) velocity: DVec3,
    /// In m/s², along which the velocity changes from the one above.
    pub(crate) acceleration: DVec3,
    /// Angular velocity in rad/s.
    pub(crate) spin: DVec3,
    /// Of the oscillation: amplitude in m, frequency in Hz, phase in rad.
    pub(crate) amplitude: DVec3,
    pub(crate) frequency: f64,
    pub(crate) phase: f64,
    /// Memory of the servo that drives the wall; none if no servo has driven it.
    pub(crate) servo: Option<ServoMemory>,
}

impl Steady {
    fn pose(&self, time: f64) -> WallPose {
        let elapsed = time - self.since;
        let (mut displacement, mut velocity) = (elapsed * self.velocity, self.velocity);
        if self.acceleration != DVec3::ZERO {
            displacement += 0.5 * elapsed * elapsed * self.acceleration;
            velocity += elapsed * self.acceleration;
        }
        if self.amplitude != DVec3::ZERO {
            let rate = TAU * self.frequency;
            let (sine, cosine) = (rate * elapsed + self.phase).sin_cos();
            displacement += sine * self.amplitude;
            velocity += rate * cosine * self.amplitude;
        }
        let turns = self.spin != DVec3::ZERO;
        let rotation = if turns { DQuat::from_scaled_axis(elapsed * self.spin) * self.turned } else { self.turned };
        WallPose { displacement, rotation, velocity, spin: self.spin }
    }
}

impl Motion {
    pub(crate) fn pose(&self, time: f64) -> WallPose {
        match self {
            Self::Steady(steady) => steady.pose(time),
            Self::Tabulated(steady, table) => {
                let (pose, [displacement, velocity]) = (steady.pose(time), table.at(time - steady.since));
                let (displacement, velocity) = (pose.displacement + displacement, pose.velocity + velocity);
                WallPose { displacement, velocity, ..pose }
            }
            Self::Own(own) => own.pose(time),
        }
    }
}

impl Default for Motion {
    fn default() -> Self {
        Self::Steady(Steady::default())
    }
}

/// The place of a moving wall relative to where it was placed, and its velocities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WallPose {
    /// Displacement of its point in m, world frame.
    pub displacement: DVec3,
    /// Rotation about its point, of length one.
    pub rotation: DQuat,
    /// Velocity of its point in m/s, the derivative of the displacement.
    pub velocity: DVec3,
    /// Angular velocity in rad/s, world frame.
    pub spin: DVec3,
}

impl WallPose {
    /// The place where it was put, at rest.
    pub const REST: Self =
        Self { displacement: DVec3::ZERO, rotation: DQuat::IDENTITY, velocity: DVec3::ZERO, spin: DVec3::ZERO };
}

/// A prescribed motion: implement it to drive a wall.
///
/// It is called for any times in any order, and its answer must depend on the time alone. Then walls do not drift,
/// steps can be repeated, and restarts have the same bits.
pub trait WallMotion: std::fmt::Debug + Send + Sync {
    /// The pose at `time` (s).
    fn pose(&self, time: f64) -> WallPose;
}
