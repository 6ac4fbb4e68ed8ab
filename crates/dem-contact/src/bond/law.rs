use crate::bond::breakage::Strength;
use crate::bond::parallel_law::{ParallelBondLaw, StressLimits};
use crate::error::DemError;
use crate::error::bond::BondError;

/// Stiffness and strength of one bond.
///
/// The bond stores no energy in its reference state. In the formulas r is the distance of the centres, r₀ this distance
/// in the reference state, θ the angle of the relative rotation since the reference state, and D the sum of the radii.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BondLaw {
    /// Stiffness K in J of bending and torsion: energy K θ²/2 at the angle θ, `[BG21] (44)`. The torque jumps at θ = π.
    pub bending: f64,
    /// Stiffness K in J of stretching: energy K/2 (r/r₀ − 1)² at the length r and reference length r₀, `[BG21] (51)`.
    pub stretching: f64,
    /// Stiffness K in J against shear, the factor of the energies listed at [`ShearForm`].
    pub shearing: f64,
    /// Stiffness K in J of the contact: energy 2/5 K [1 − r/D]₊^{5/2} at the distance r of the centres, with the sum D
    /// of the radii; `[BG21] (56)` corrected.
    ///
    /// Pairs keep this contact when their bond breaks. Set K to zero beside
    /// [`ContactForce`](crate::force::ContactForce).
    pub contact: f64,
    /// Elongation and force at which the bond breaks.
    pub strength: Strength,
}

impl BondLaw {
    pub(super) fn check(&self, bond: usize) -> Result<(), DemError> {
        let stiffnesses = [
            ("bending stiffness", self.bending),
            ("stretching stiffness", self.stretching),
            ("shear stiffness", self.shearing),
            ("contact stiffness", self.contact),
        ];
        for (parameter, value) in stiffnesses {
            if !(value.is_finite() && value >= 0.0) {
                return Err(DemError::Bond(BondError::InvalidBond {
                    bond,
                    parameter,
                    range: "finite and not negative",
                    value,
                }));
            }
        }
        let strengths =
            [("stretch at which it breaks", self.strength.stretch), ("force at which it breaks", self.strength.force)];
        for (parameter, value) in strengths {
            if value.is_nan() || value <= 0.0 {
                return Err(DemError::Bond(BondError::InvalidBond { bond, parameter, range: "positive", value }));
            }
        }
        Ok(())
    }
}

/// The law of a bond: that of `[BG21]` section 4, or that of a parallel bond of `[PC04]`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AnyBondLaw {
    /// Elastic bond of `[BG21]` section 4.
    Elastic(BondLaw),
    /// Parallel bond of `[PC04]`, a round section of glue between two spheres.
    Parallel(ParallelBondLaw),
}

impl From<BondLaw> for AnyBondLaw {
    fn from(law: BondLaw) -> Self {
        Self::Elastic(law)
    }
}

impl From<ParallelBondLaw> for AnyBondLaw {
    fn from(law: ParallelBondLaw) -> Self {
        Self::Parallel(law)
    }
}

impl AnyBondLaw {
    /// Stiffness K in J of the contact that a pair keeps when its bond breaks; zero for parallel bonds.
    #[inline(always)]
    pub(super) fn contact(&self) -> f64 {
        match self {
            Self::Elastic(law) => law.contact,
            Self::Parallel(_) => 0.0,
        }
    }

    pub(super) fn is_breakable(&self) -> bool {
        match self {
            Self::Elastic(law) => law.strength.is_finite(),
            Self::Parallel(law) => law.strength.is_finite(),
        }
    }

    pub(super) fn unbreakable(self) -> Self {
        match self {
            Self::Elastic(law) => Self::Elastic(BondLaw { strength: Strength::UNBREAKABLE, ..law }),
            Self::Parallel(law) => Self::Parallel(ParallelBondLaw { strength: StressLimits::UNBREAKABLE, ..law }),
        }
    }

    pub(super) fn check(&self, bond: usize) -> Result<(), DemError> {
        match self {
            Self::Elastic(law) => law.check(bond),
            Self::Parallel(law) => law.check(bond),
        }
    }
}

/// A bond between two bodies: their numbers and the law of the bond.
///
/// The direction n of a bond points from its second body to its first. [`ShearForm::Printed`] depends on the order.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bond {
    /// Numbers of the first and the second body of the bond.
    pub bodies: [usize; 2],
    /// Law of the bond: its stiffness and strength.
    pub law: AnyBondLaw,
}

impl Bond {
    /// Makes a bond with this law between the bodies `first` and `second`.
    #[must_use]
    pub fn new(first: usize, second: usize, law: impl Into<AnyBondLaw>) -> Self {
        Self { bodies: [first, second], law: law.into() }
    }
}

/// Form of shear: the elastic energy against a rotation of the line between two bodies relative to their attitudes.
///
/// Here n is the unit vector from the second body to the first, n₀ the same vector in the reference state, Qᵢ the
/// rotation of body i since the reference state, aᵢ = Qᵢ n₀, e = (aᵢ + aⱼ)/2 and P = e − (n·e) n. All forms store at
/// most K φ²/2 for a small angle φ between n and n₀.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum ShearForm {
    /// Form A: U = K/2 |P|². It is objective, conserves angular momentum, and does not depend on bending. Its energy is
    /// stationary at n·e = 0 and equal for n and −n: do not use it for bonds that shear by a quarter turn.
    #[default]
    Decoupled,
    /// Form B: U = K (1 − n·e). It is objective, conserves angular momentum, is monotone up to a half turn, and adds
    /// bending stiffness.
    Monotone,
    /// Form printed in `[BG21] (53)`, to repeat results: U = K/2 (1 − aᵢ·Qⱼ n)².
    ///
    /// It is not objective: a rigid rotation by ψ stores K/2 (1 − cos ψ)². It conserves the sum of spins instead of the
    /// total angular momentum, has no linear stiffness (K φ⁴/8), and depends on which body is the first.
    Printed,
}
