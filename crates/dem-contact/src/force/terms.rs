//! Which terms of the contact forces an evaluation needs.

use crate::force::old::kernel::{DAMPED, ELASTIC, SPLIT, TANGENTIAL};

/// The terms of an evaluation; each variant has those of the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Terms {
    /// Elastic forces, from positions alone.
    Elastic,
    /// Normal damping, from velocities too.
    Damped,
    /// Tangential forces and torques, from spins too.
    Tangential,
    /// Forces that are not elastic are also summed on their own, for a ledger.
    Split,
}

impl Terms {
    /// Whether velocities and masses are read.
    pub(crate) fn need_velocity(self) -> bool {
        self >= Self::Damped
    }

    /// Whether spins are read and torques written.
    pub(crate) fn have_torque(self) -> bool {
        self >= Self::Tangential
    }

    /// Whether forces that are not elastic are summed on their own.
    pub(crate) fn split_dissipation(self) -> bool {
        self == Self::Split
    }

    /// The mode of the contact loop.
    pub(crate) fn mode(self) -> u8 {
        match self {
            Self::Elastic => ELASTIC,
            Self::Damped => DAMPED,
            Self::Tangential => TANGENTIAL,
            Self::Split => SPLIT,
        }
    }
}
