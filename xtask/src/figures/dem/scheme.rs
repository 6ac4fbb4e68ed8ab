//! The integrators that the figures of `[DK21]` compare, each with its name, colour and mark.
use grains_pages::plot::{Marker, Series};

/// Integrator of the discrete element method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    /// Velocity Verlet, an explicit integrator that evaluates forces once per step.
    Verlet,
    /// Variational integrator `[DK21] (13)-(16)` with α = 0, which is of first order.
    First,
    /// Variational integrator `[DK21] (13)-(16)` with α = 1/2, exactly as the paper prints it.
    Printed,
    /// Variational integrator with α = 1/2, in which the forces of a step are divided between both of its ends, as by
    /// Marsden and West.
    Midpoint,
    /// Implicit integrator that conserves both momentum and energy exactly.
    ExactEnergy,
    /// Variational integrator with α = 1/2 and the update of the momentum in `[DK21]` Algorithm 1, which is right for α
    /// = 0 only.
    AlgorithmOne,
}

impl Scheme {
    /// Integrators that every figure of `[DK21]` shows.
    pub(super) const ALL: [Self; 5] = [Self::Verlet, Self::First, Self::Printed, Self::Midpoint, Self::ExactEnergy];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Verlet => "velocity Verlet",
            Self::First => "α = 0",
            Self::Printed => "α = ½ as printed",
            Self::Midpoint => "α = ½ Marsden-West",
            Self::ExactEnergy => "exact energy",
            Self::AlgorithmOne => "α = ½, p of Algorithm 1",
        }
    }

    /// Returns the number of the colour in which every figure draws this integrator; 6 is the colour of LAMMPS.
    pub(super) fn colour(self) -> usize {
        match self {
            Self::Verlet => 0,
            Self::First => 4,
            Self::Printed => 1,
            Self::Midpoint => 2,
            Self::ExactEnergy => 3,
            Self::AlgorithmOne => 5,
        }
    }

    /// Returns the mark with which figures draw the points of this integrator.
    pub(super) fn marker(self) -> Marker {
        match self {
            Self::Verlet => Marker::Square,
            Self::First => Marker::Triangle,
            Self::Printed | Self::AlgorithmOne => Marker::Cross,
            Self::Midpoint | Self::ExactEnergy => Marker::Circle,
        }
    }

    /// Makes a line of a plot with the name and colour of this integrator.
    pub(super) fn line(self, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        Series::line(self.name(), points).colour(self.colour())
    }
}

/// Joins curves into one series with gaps between them.
pub(super) fn chained(curves: &[Vec<(f64, f64)>]) -> Vec<(f64, f64)> {
    curves.join(&(f64::NAN, f64::NAN))
}

/// Makes the series of a plot with the results of LAMMPS.
pub(super) fn lammps(points: impl IntoIterator<Item = (f64, f64)>) -> Series {
    Series::markers("LAMMPS", Marker::Circle, points).colour(6)
}
