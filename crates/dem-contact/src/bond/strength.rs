//! When a bond breaks.

/// The loads at which a bond breaks; infinite where it never does.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "super::restart::Limits", into = "super::restart::Limits"))]
pub struct Strength {
    /// Largest elongation r/r₀ − 1. A bond does not break by being short.
    pub stretch: f64,
    /// Largest force |F| of the binder in N: stretching and shear, without the contact of the bodies.
    pub force: f64,
}

impl Strength {
    /// Never breaks.
    pub const UNBREAKABLE: Self = Self { stretch: f64::INFINITY, force: f64::INFINITY };

    /// Breaks at the elongation `stretch` = r/r₀ − 1.
    #[must_use]
    pub const fn of_stretch(stretch: f64) -> Self {
        Self { stretch, ..Self::UNBREAKABLE }
    }

    /// Breaks at the force `force` in N.
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
