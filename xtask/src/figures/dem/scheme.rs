//! The compared integrators, each with its name and colour.
use grains_pages::plot::{Marker, Series};

/// An integrator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    /// Velocity Verlet: explicit, with forces evaluated once per step.
    Verlet,
    /// `[DK21] (13)-(16)` with α = 0.
    First,
    /// `[DK21] (13)-(16)` with α = 1/2, as printed.
    Printed,
    /// α = 1/2 with the forces of the step divided between both its ends, as by Marsden and West.
    Midpoint,
    /// The momentum-conserving step that also conserves energy.
    ExactEnergy,
    /// α = 1/2 with the momentum line of Algorithm 1, which is right for α = 0 only.
    AlgorithmOne,
}

impl Scheme {
    /// Schemes that every figure shows.
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

    /// Returns the scheme's colour in every figure; 6 is LAMMPS.
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

    /// Returns the scheme's mark in every figure with marks.
    pub(super) fn marker(self) -> Marker {
        match self {
            Self::Verlet => Marker::Square,
            Self::First => Marker::Triangle,
            Self::Printed | Self::AlgorithmOne => Marker::Cross,
            Self::Midpoint | Self::ExactEnergy => Marker::Circle,
        }
    }

    pub(super) fn line(self, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        Series::line(self.name(), points).colour(self.colour())
    }
}

/// Joins curves into one, separated by gaps.
pub(super) fn chained(curves: &[Vec<(f64, f64)>]) -> Vec<(f64, f64)> {
    curves.join(&(f64::NAN, f64::NAN))
}

pub(super) fn lammps(points: impl IntoIterator<Item = (f64, f64)>) -> Series {
    Series::markers("LAMMPS", Marker::Circle, points).colour(6)
}
