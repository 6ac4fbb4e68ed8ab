//! How a wall moves.

use std::f64::consts::TAU;
use std::sync::Arc;

use rrp_geom::glam::{DQuat, DVec3};

use super::{Pose, WallMotion};

/// A motion as a function of time.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Motion {
    Steady(Steady),
    #[cfg_attr(feature = "serde", serde(skip))]
    Own(Arc<dyn WallMotion>),
}

/// Uniform translation and rotation with an oscillation on top.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Steady {
    pub(crate) velocity: DVec3,
    /// Angular velocity in rad/s.
    pub(crate) spin: DVec3,
    /// Of the oscillation: amplitude in m, frequency in Hz, phase in rad.
    pub(crate) amplitude: DVec3,
    pub(crate) frequency: f64,
    pub(crate) phase: f64,
}

impl Steady {
    fn pose(&self, time: f64) -> Pose {
        let (mut displacement, mut velocity) = (time * self.velocity, self.velocity);
        if self.amplitude != DVec3::ZERO {
            let rate = TAU * self.frequency;
            let (sine, cosine) = (rate * time + self.phase).sin_cos();
            displacement += sine * self.amplitude;
            velocity += rate * cosine * self.amplitude;
        }
        let turns = self.spin != DVec3::ZERO;
        let rotation = if turns { DQuat::from_scaled_axis(time * self.spin) } else { DQuat::IDENTITY };
        Pose { displacement, rotation, velocity, spin: self.spin }
    }
}

impl Motion {
    pub(crate) fn pose(&self, time: f64) -> Pose {
        match self {
            Self::Steady(steady) => steady.pose(time),
            Self::Own(own) => own.pose(time),
        }
    }
}

impl Default for Motion {
    fn default() -> Self {
        Self::Steady(Steady::default())
    }
}
