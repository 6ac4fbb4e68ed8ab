//! What a user says about one bond.

use crate::{DemError, Strength};

/// Stiffness and strength of one bond.
///
/// With r the distance of the centres, r₀ that of the reference, θ the angle of the relative rotation since the
/// reference and D the sum of the radii.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BondLaw {
    /// K of bending and torsion, U = K θ²/2 of `[BG21] (44)`, in J. The torque jumps at θ = π.
    pub bending: f64,
    /// K of stretching, U = K/2 (r/r₀ − 1)² of `[BG21] (51)`, in J.
    pub stretching: f64,
    /// K of shear in J, see [`ShearForm`](crate::ShearForm).
    pub shearing: f64,
    /// K of the contact, U = 2/5 K [1 − r/D]₊^{5/2} of `[BG21] (56)` with the misprinted 5/2 mended, in J.
    ///
    /// A pair that has broken apart still has it. Zero where [`ContactForce`](crate::ContactForce) acts on all pairs.
    pub contact: f64,
    /// When the bond breaks.
    pub strength: Strength,
}

impl BondLaw {
    /// Passes stiffnesses that are finite and not negative, and strengths that are positive.
    pub(super) fn check(&self, bond: usize) -> Result<(), DemError> {
        let stiffnesses = [
            ("bending stiffness", self.bending),
            ("stretching stiffness", self.stretching),
            ("shear stiffness", self.shearing),
            ("contact stiffness", self.contact),
        ];
        for (parameter, value) in stiffnesses {
            if !(value.is_finite() && value >= 0.0) {
                return Err(DemError::InvalidBond { bond, parameter, range: "finite and not negative", value });
            }
        }
        let strengths =
            [("stretch at which it breaks", self.strength.stretch), ("force at which it breaks", self.strength.force)];
        for (parameter, value) in strengths {
            if value.is_nan() || value <= 0.0 {
                return Err(DemError::InvalidBond { bond, parameter, range: "positive", value });
            }
        }
        Ok(())
    }
}

/// A bond between two bodies.
///
/// It is oriented: its direction n points from the second body to the first. The objective shear forms do not depend on
/// that, the printed one does.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bond {
    /// The first and the second body.
    pub bodies: [usize; 2],
    /// Stiffness and strength.
    pub law: BondLaw,
}

impl Bond {
    /// A bond between two bodies.
    #[must_use]
    pub const fn new(first: usize, second: usize, law: BondLaw) -> Self {
        Self { bodies: [first, second], law }
    }
}
