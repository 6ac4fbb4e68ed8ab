//! The three laws of elastic spheres as one type: each type of law would compile all of `ContactForce` and
//! `EnergyMinimizer` once more.
use anyhow::Result;
use dem_contact::law::{ContactLaw, Damping, Hertz, Hooke};

use super::law::Law;
use super::species_law::SpeciesLaw;

/// What spheres of a pile repel each other by.
#[derive(Clone, Copy, Debug)]
pub(super) enum Repulsion {
    Hooke(Hooke),
    Hertz(Hertz),
    Species(SpeciesLaw),
}

impl Repulsion {
    /// At the stiffness κ (see [`Law::stiffness`]), damped by `gamma` between two free spheres.
    pub(super) fn new(law: Law, stiffness: f64, gamma: f64) -> Result<Self> {
        // Coefficients of a law are for a unit of reduced mass, which is a half.
        let damping = if gamma > 0.0 { Damping::coefficient(2.0 * gamma)? } else { Damping::NONE };
        Ok(match law {
            Law::Hooke => Self::Hooke(Hooke::new(stiffness, damping)?),
            // F = k δ^{3/2}, which is K √R δ^{3/2} with the reduced radius 1/4.
            Law::Hertz => Self::Hertz(Hertz::new(2.0 * stiffness, damping)?),
            Law::Multi => Self::Species(SpeciesLaw::new(stiffness, gamma)),
        })
    }
}

impl ContactLaw for Repulsion {
    #[inline]
    fn energy(&self, overlap: f64, radius: f64) -> f64 {
        match self {
            Self::Hooke(law) => law.energy(overlap, radius),
            Self::Hertz(law) => law.energy(overlap, radius),
            Self::Species(law) => law.energy(overlap, radius),
        }
    }

    #[inline]
    fn force(&self, overlap: f64, radius: f64) -> f64 {
        match self {
            Self::Hooke(law) => law.force(overlap, radius),
            Self::Hertz(law) => law.force(overlap, radius),
            Self::Species(law) => law.force(overlap, radius),
        }
    }

    #[inline]
    fn stiffness(&self, overlap: f64, radius: f64) -> f64 {
        match self {
            Self::Hooke(law) => law.stiffness(overlap, radius),
            Self::Hertz(law) => law.stiffness(overlap, radius),
            Self::Species(law) => law.stiffness(overlap, radius),
        }
    }

    #[inline]
    fn damping(&self, overlap: f64, radius: f64, mass: f64) -> f64 {
        match self {
            Self::Hooke(law) => law.damping(overlap, radius, mass),
            Self::Hertz(law) => law.damping(overlap, radius, mass),
            Self::Species(law) => law.damping(overlap, radius, mass),
        }
    }

    fn is_damped(&self) -> bool {
        match self {
            Self::Hooke(law) => law.is_damped(),
            Self::Hertz(law) => law.is_damped(),
            Self::Species(law) => law.is_damped(),
        }
    }
}
