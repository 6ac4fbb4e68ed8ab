use crate::kernel::turn::Turn;

/// The explicit maps of `[BG21]`, named after their equations, and related maps. Each takes one force evaluation per
/// step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Map {
    /// `[BG21] (23)`, the exact discrete Legendre transform: spheres, order 2, [`Turn::Legendre`], turns below 90° per
    /// step.
    Rodrigues23,
    /// `[BG21] (25)`, like the explicit Newmark method: spheres, order 2, [`Turn::Cayley`]. The default for spheres.
    Rodrigues25,
    /// Symplectic Euler, `[BG21] (27)`: spheres, order 1, one kick by the forces over the step, then [`Turn::Cayley`].
    Rodrigues27,
    /// Velocity Verlet with quaternions: spheres, order 2, [`Turn::Exponential`], for comparison.
    Verlet,
    /// Moser-Veselov: any shape, order 2, [`Turn::MoserVeselov`]. A free body keeps its energy and momentum to
    /// round-off.
    MoserVeselov,
    /// Splitting into turns about the body axes: any shape, order 2, [`Turn::CayleySplitting`], no equation to solve.
    CayleySplitting,
}

impl Map {
    /// Formula by which this map turns bodies after its first kick.
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

    pub(crate) fn kicks(self) -> [f64; 2] {
        match self {
            Self::Rodrigues27 => [1.0, 0.0],
            _ => [0.5, 0.5],
        }
    }
}
