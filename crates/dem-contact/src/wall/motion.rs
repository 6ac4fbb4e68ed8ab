//! Motions of walls: prescribed motions and users' own.

use std::f64::consts::TAU;
use std::sync::Arc;

use rrp_geom::glam::{DQuat, DVec3};

use crate::wall::servo_memory::ServoMemory;
use crate::wall::table::MotionTable;
use crate::wall::turn::Turn;

#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[expect(clippy::large_enum_variant, reason = "walls are few, and most of them are of the large variant")]
pub(super) enum Motion {
    Prescribed(Prescribed),
    #[cfg_attr(feature = "serde", serde(skip))]
    Own(Arc<dyn WallMotion>),
}

/// Prescribed motion of a wall: a steady motion, plus a displacement by a table and a turn by an angle.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Prescribed {
    pub(super) steady: Steady,
    pub(super) table: Option<Box<MotionTable>>,
    pub(super) turn: Option<Box<Turn>>,
}

/// Uniformly accelerated translation and uniform rotation of a wall from one time on, plus an oscillation.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Steady {
    /// Time (s) at which the motion begins, with the wall at its initial point; `turned` is the attitude at this time.
    pub(super) since: f64,
    pub(super) turned: DQuat,
    pub(super) velocity: DVec3,
    /// Acceleration of the wall in m/s²; `velocity` is the velocity at the time `since`.
    pub(super) acceleration: DVec3,
    pub(super) spin: DVec3,
    /// Amplitude in m of the wall's oscillation; `frequency` is in Hz, `phase` in rad.
    pub(super) amplitude: DVec3,
    pub(super) frequency: f64,
    pub(super) phase: f64,
    /// Memory of the servo that drives the wall; `None` if no servo has driven it.
    pub(super) servo: Option<ServoMemory>,
}

impl Steady {
    fn pose(&self, time: f64) -> WallPose {
        let elapsed = time - self.since;
        let mut displacement = elapsed * self.velocity;
        let mut velocity = self.velocity;
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

impl Prescribed {
    fn pose(&self, time: f64) -> WallPose {
        let Self { steady, table, turn } = self;
        let elapsed = time - steady.since;
        let mut pose = steady.pose(time);
        if let Some(table) = table {
            let [displacement, velocity] = table.at(elapsed);
            pose.displacement += displacement;
            pose.velocity += velocity;
        }
        if let Some(turn) = turn {
            let [angle, rate] = turn.at(elapsed);
            // The spin is along the axis of the turn, so that the angles add up.
            let turned = DQuat::from_scaled_axis(elapsed * steady.spin + angle * turn.axis());
            pose.rotation = turned * steady.turned;
            pose.spin += rate * turn.axis();
        }
        pose
    }
}

impl Motion {
    pub(super) fn pose(&self, time: f64) -> WallPose {
        match self {
            Self::Prescribed(prescribed) => prescribed.pose(time),
            Self::Own(own) => own.pose(time),
        }
    }
}

impl From<Steady> for Motion {
    fn from(steady: Steady) -> Self {
        Self::Prescribed(Prescribed { steady, ..Prescribed::default() })
    }
}

impl Default for Motion {
    fn default() -> Self {
        Self::Prescribed(Prescribed::default())
    }
}

/// Pose of a moving wall: displacement and rotation from its initial pose, and its velocities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WallPose {
    /// Displacement of the point of the wall in m, world frame.
    pub displacement: DVec3,
    /// Rotation of the wall about its point from its initial attitude, a quaternion of length one.
    pub rotation: DQuat,
    /// Velocity of the point of the wall in m/s, the derivative of the displacement.
    pub velocity: DVec3,
    /// Angular velocity of the wall in rad/s, world frame.
    pub spin: DVec3,
}

impl WallPose {
    /// Pose of a wall that rests at its initial place.
    pub const REST: Self =
        Self { displacement: DVec3::ZERO, rotation: DQuat::IDENTITY, velocity: DVec3::ZERO, spin: DVec3::ZERO };
}

/// User's own motion of a wall as a function of time.
///
/// The method is called for any times in any order, and its result must depend only on the time. Then walls do not
/// drift, steps can be repeated, and restarts have the same bits.
pub trait WallMotion: std::fmt::Debug + Send + Sync {
    /// Returns the pose of the wall at `time` (s).
    fn pose(&self, time: f64) -> WallPose;
}
