//! Hooke's law.

use crate::error::DemError;
use crate::error::parameter::positive;
use crate::law::contact_law::ContactLaw;
use crate::law::normal::damping::Damping;

/// Hooke's law of a linear contact: force F = k δ and energy V = k δ²/2 at the overlap δ, `[DK21] (20)`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Hooke {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::positive"))]
    pub(in crate::law) stiffness: f64,
    pub(in crate::law) damping: Damping,
    capped: bool,
}

impl Hooke {
    /// Makes Hooke's law with the stiffness k in N/m.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `stiffness` is finite and positive.
    pub fn new(stiffness: f64, damping: Damping) -> Result<Self, DemError> {
        Ok(Self { stiffness: positive("the stiffness", stiffness)?, damping, capped: damping.is_capped() })
    }

    /// Returns this law with a normal force that is cut off at zero where damping makes it attractive.
    #[must_use]
    pub fn capped(self) -> Self {
        Self { capped: true, ..self }
    }
}

impl ContactLaw for Hooke {
    #[inline(always)]
    fn energy(&self, overlap: f64, _: f64) -> f64 {
        0.5 * self.stiffness * overlap * overlap
    }

    #[inline(always)]
    fn force(&self, overlap: f64, _: f64) -> f64 {
        self.stiffness * overlap
    }

    #[inline(always)]
    fn stiffness(&self, _: f64, _: f64) -> f64 {
        self.stiffness
    }

    #[inline(always)]
    fn damping(&self, _: f64, _: f64, mass: f64) -> f64 {
        let ratio = 2.0 * self.damping.ratio;
        let restitution = if ratio > 0.0 { ratio * (self.stiffness * mass).sqrt() } else { 0.0 };
        self.damping.rate * mass + restitution
    }

    #[inline(always)]
    fn damping_slope(&self, _: f64, _: f64, _: f64) -> f64 {
        0.0
    }

    fn is_damped(&self) -> bool {
        self.damping.is_some()
    }

    fn is_capped(&self) -> bool {
        self.capped
    }
}
