//! Hertz' law of elastic spheres.

use crate::error::DemError;
use crate::error::parameter::{not_negative, positive};
use crate::law::contact_law::ContactLaw;
use crate::law::normal::damping::Damping;

/// Hertz' law of elastic spheres: force F = K √R δ^{3/2} and energy V = 2/5 K √R δ^{5/2}, with the modulus K, the
/// overlap δ and the reduced radius R.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Hertz {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::positive"))]
    pub(in crate::law) modulus: f64,
    damping: Damping,
    /// Coefficient γ in 1/(m s) of a damping c = γ m √(R δ) that grows with the contact radius; m is the reduced mass.
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "crate::util::serde_checked::not_negative"))]
    pub(in crate::law) gamma: f64,
    capped: bool,
}

impl Hertz {
    /// Makes Hertz' law with the modulus K in Pa: 4/3 of the reduced modulus E*, the `Kn` of LAMMPS' `gran/hertz`.
    ///
    /// Damping by restitution is c = 2√(5/6) ζ √(m dF/dδ), which gives the same restitution at every speed. Damping by
    /// coefficient is `c = γ_n m`. ζ is the damping ratio, m the reduced mass.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `modulus` is finite and positive.
    pub fn new(modulus: f64, damping: Damping) -> Result<Self, DemError> {
        Ok(Self { modulus: positive("the modulus", modulus)?, damping, gamma: 0.0, capped: damping.is_capped() })
    }

    /// Makes Hertz' law of two bodies of one material: K = 2/3 E/(1−ν²), Young's modulus E (Pa), Poisson's ratio ν.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `young` is finite and positive and `poisson` is in (−1, 1/2].
    pub fn from_material(young: f64, poisson: f64, damping: Damping) -> Result<Self, DemError> {
        if !(poisson > -1.0 && poisson <= 0.5) {
            let parameter = "Poisson's ratio";
            let range = "above -1 and at most 1/2";
            return Err(DemError::InvalidParameter { parameter, range, value: poisson });
        }
        Self::new(2.0 / 3.0 * positive("Young's modulus", young)? / (1.0 - poisson * poisson), damping)
    }

    /// Adds damping that grows with the radius of the contact: c = γ m √(R δ) with γ in 1/(m s) and the reduced mass m,
    /// as in LAMMPS' `gran/hertz/history`.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `gamma` is finite and not negative.
    pub fn with_growing_damping(self, gamma: f64) -> Result<Self, DemError> {
        Ok(Self { gamma: not_negative("the damping coefficient", gamma)?, ..self })
    }

    /// Returns this law with a normal force that is cut off at zero where damping makes it attractive.
    #[must_use]
    pub fn capped(self) -> Self {
        Self { capped: true, ..self }
    }
}

impl ContactLaw for Hertz {
    #[inline(always)]
    fn energy(&self, overlap: f64, radius: f64) -> f64 {
        0.4 * self.force(overlap, radius) * overlap
    }

    #[inline(always)]
    fn force(&self, overlap: f64, radius: f64) -> f64 {
        self.modulus * (radius * overlap).sqrt() * overlap
    }

    #[inline(always)]
    fn stiffness(&self, overlap: f64, radius: f64) -> f64 {
        1.5 * self.modulus * (radius * overlap).sqrt()
    }

    #[inline(always)]
    fn damping(&self, overlap: f64, radius: f64, mass: f64) -> f64 {
        let ratio = (10.0_f64 / 3.0).sqrt() * self.damping.ratio;
        let restitution = if ratio > 0.0 { ratio * (mass * self.stiffness(overlap, radius)).sqrt() } else { 0.0 };
        (self.damping.rate + self.gamma * (radius * overlap).sqrt()) * mass + restitution
    }

    #[inline(always)]
    fn damping_slope(&self, overlap: f64, radius: f64, mass: f64) -> f64 {
        // Damping by restitution grows with the fourth root of the overlap.
        let growing = self.gamma * (radius * overlap).sqrt() * mass;
        let restitution = self.damping(overlap, radius, mass) - self.damping.rate * mass - growing;
        (0.5 * growing + 0.25 * restitution) / overlap
    }

    fn is_damped(&self) -> bool {
        self.damping.is_some() || self.gamma > 0.0
    }

    fn is_capped(&self) -> bool {
        self.capped
    }
}
