//! The energies of bonds by kind of load.

use std::ops::{Add, AddAssign};

use rrp_geom::glam::DVec3;

/// Energies of one bond or of many, in J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BondEnergies {
    /// Uᵐ of bending and torsion.
    pub bending: f64,
    /// Uᵃ of stretching.
    pub stretching: f64,
    /// Uˢ of shear.
    pub shearing: f64,
    /// Uᵖᵖ of the contact of the bonded bodies.
    pub contact: f64,
}

impl BondEnergies {
    /// The energies of a bond without direction.
    pub(super) const UNKNOWN: Self =
        Self { bending: f64::NAN, stretching: f64::NAN, shearing: f64::NAN, contact: f64::NAN };

    /// Bending, stretching and shear: the energy that a rupture releases.
    #[must_use]
    pub fn binder(self) -> f64 {
        self.bending + self.stretching + self.shearing
    }

    /// All energies together.
    #[must_use]
    pub fn total(self) -> f64 {
        self.binder() + self.contact
    }
}

impl Add for BondEnergies {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            bending: self.bending + other.bending,
            stretching: self.stretching + other.stretching,
            shearing: self.shearing + other.shearing,
            contact: self.contact + other.contact,
        }
    }
}

impl AddAssign for BondEnergies {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// The load of one bond at a state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BondLoad {
    /// The first and the second body.
    pub bodies: [usize; 2],
    /// Whether the binder holds. A broken bond has its contact only.
    pub intact: bool,
    /// Force on the first body in N, world frame, contact included; the force on the second is opposite.
    pub force: DVec3,
    /// Torques on both bodies about their centres in N m, world frame.
    pub torques: [DVec3; 2],
    /// Unit vector from the second body to the first, or to its image that is bonded.
    pub direction: DVec3,
    /// Distance of the centres in m.
    pub distance: f64,
    /// Elongation r/r₀ − 1: distance of the centres over the distance in the reference, minus one.
    pub stretch: f64,
    /// Energies in J.
    pub energies: BondEnergies,
}
