//! The explicit maps by name.

use crate::kernel::turn::Turn;

/// The explicit maps of `[BG21]`, named after their equations there, and their relatives.
///
/// Each map takes one force evaluation for a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Map {
    /// `[BG21] (23)`, the exact discrete Legendre transform: spheres, order 2, [`Turn::Legendre`], needs h|P| < 1.
    Rodrigues23,
    /// `[BG21] (25)`, à la explicit Newmark: spheres, order 2, [`Turn::Cayley`]. The default choice for spheres.
    Rodrigues25,
    /// `[BG21] (27)`, symplectic Euler: spheres, order 1, [`Turn::Cayley`] after one whole kick.
    Rodrigues27,
    /// Velocity Verlet with quaternions: spheres, order 2, [`Turn::Exponential`], for comparison.
    Verlet,
    /// Moser-Veselov: any shape, order 2, [`Turn::MoserVeselov`]. A free body keeps energy and momentum to round-off.
    MoserVeselov,
    /// Splitting into turns about the body axes: any shape, order 2, [`Turn::CayleySplitting`], without a solve.
    CayleySplitting,
}

impl Map {
    /// Formula of the turn between the two kicks of this map.
    #[must_use]
    pub fn turn(self) -> Turn {
        match self {
            Self::Rodrigues23 => Turn::Legendre,
            Self::Rodrigues25 | Self::Rodrigues27 => Turn::Cayley,
            Self::Verlet => Turn::Exponential,
            Self::MoserVeselov => Turn::MoserVeselov,
            Self::CayleySplitting => Turn::CayleySplitting,
        }
    }

    /// Shares of the time step h that the first and the last kick take.
    pub(crate) fn kicks(self) -> [f64; 2] {
        match self {
            Self::Rodrigues27 => [1.0, 0.0],
            _ => [0.5, 0.5],
        }
    }
}
