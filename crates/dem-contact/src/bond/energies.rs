use std::ops::{Add, AddAssign};

use rrp_geom::glam::DVec3;

/// Elastic energies of one bond, or sums over many bonds, by kind of load, in J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BondEnergies {
    /// Energy Uᵐ of bending and torsion of the bond in J.
    pub bending: f64,
    /// Energy Uᵃ of stretching of the bond in J.
    pub stretching: f64,
    /// Energy Uˢ of shear of the bond in J.
    pub shearing: f64,
    /// Energy Uᵖᵖ of the elastic contact between the bonded bodies in J.
    pub contact: f64,
}

impl BondEnergies {
    /// Energies that are all NaN, since they are not defined: of a bond whose bodies have the same centre, or of a
    /// state that does not fit the bonds.
    pub(super) const UNKNOWN: Self =
        Self { bending: f64::NAN, stretching: f64::NAN, shearing: f64::NAN, contact: f64::NAN };

    /// Energy in J that a rupture of the bond releases: bending, stretching and shear.
    #[must_use]
    pub fn binder(self) -> f64 {
        self.bending + self.stretching + self.shearing
    }

    /// Sum of all elastic energies of the bond in J: bending, stretching, shear, and the contact of the bonded bodies.
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

/// Load that one bond bears at a state: force, torques, elongation and energies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BondLoad {
    /// Numbers of the first and the second body of the bond.
    pub bodies: [usize; 2],
    /// Whether the bond is not broken. A broken bond exerts only the contact force of its bodies.
    pub intact: bool,
    /// Force of the bond on its first body in N, world frame, contact included; the second body has the opposite force.
    pub force: DVec3,
    /// Torques of the bond on its two bodies about their centres in N m, world frame.
    pub torques: [DVec3; 2],
    /// Unit vector from the second body of the bond, or its bonded periodic image, to the first.
    pub direction: DVec3,
    /// Distance in m of the centres of the two bonded bodies.
    pub distance: f64,
    /// Elongation r/r₀ − 1 of the bond: distance of the centres over their distance in the reference state, minus one.
    pub stretch: f64,
    /// Elastic energies of the bond in J.
    pub energies: BondEnergies,
}
