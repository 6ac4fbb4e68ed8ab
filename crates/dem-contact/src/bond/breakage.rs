use crate::bond::energies::BondEnergies;
#[cfg(feature = "serde")]
use crate::util::serde_limit;

/// Limits of elongation and force beyond which a bond breaks; an infinite limit is never reached.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Strength {
    /// Largest elongation r/r₀ − 1 of the bond with the reference length r₀. Compression breaks no bond.
    #[cfg_attr(feature = "serde", serde(with = "serde_limit", default = "serde_limit::infinite"))]
    pub stretch: f64,
    /// Largest force |F| of stretching and shear in N, without the force of the contact of the bonded bodies.
    #[cfg_attr(feature = "serde", serde(with = "serde_limit", default = "serde_limit::infinite"))]
    pub force: f64,
}

impl Strength {
    /// Strength of a bond that never breaks.
    pub const UNBREAKABLE: Self = Self { stretch: f64::INFINITY, force: f64::INFINITY };

    /// Strength of a bond that breaks at the elongation `stretch` = r/r₀ − 1.
    #[must_use]
    pub const fn of_stretch(stretch: f64) -> Self {
        Self { stretch, ..Self::UNBREAKABLE }
    }

    /// Strength of a bond that breaks at `force`, that of stretching and shear in N without the contact.
    #[must_use]
    pub const fn of_force(force: f64) -> Self {
        Self { force, ..Self::UNBREAKABLE }
    }

    pub(super) fn is_finite(self) -> bool {
        self.stretch.is_finite() || self.force.is_finite()
    }
}

impl Default for Strength {
    fn default() -> Self {
        Self::UNBREAKABLE
    }
}

/// Rupture of one bond, whose load went beyond its strength.
///
/// The force of bending, stretching and shear jumps to zero at the first accepted state beyond the strength, and their
/// energy leaves the system. The contact of the two bodies stays.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rupture {
    /// Number of the broken bond, in the order in which bonds were given.
    pub bond: usize,
    /// Time in s at which the bond broke.
    pub time: f64,
    /// Energies of bending, stretching and shear that the rupture released, in J; the contact part is zero.
    pub released: BondEnergies,
    /// Work in J of the jump of force at the rupture. A kick-drift-kick step of length h takes its last half kick
    /// without the force F of the bond, which would have done the work h/2 F·V at the relative velocity V. An energy
    /// balance that includes this work has the order of the integrator.
    pub jump: f64,
}
