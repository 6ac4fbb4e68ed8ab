//! The law of Derjaguin, Muller and Toporov: stiff spheres that stick.

use std::f64::consts::PI;

use crate::error::DemError;
use crate::law::contact_law::ContactLaw;
use crate::law::normal::adhesive::{AdhesiveLaw, sticking};
use crate::law::normal::hertz::Hertz;

/// Hertz' law with a constant attraction while bodies touch: F = K √R δ^{3/2} − 2πwR for δ > 0, with the work of
/// adhesion w [Derjaguin, Muller and Toporov 1975].
///
/// The force jumps at δ = 0, the energy does not: an undamped contact loses nothing. Give the tangential law as
/// [`Adhesive`](crate::law::Adhesive) with the same normal law. Damping is that of Hertz' law.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Given"))]
pub struct Dmt {
    elastic: Hertz,
    adhesion: f64,
}

/// The law as it is stored.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    elastic: Hertz,
    adhesion: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<Given> for Dmt {
    type Error = DemError;

    fn try_from(given: Given) -> Result<Self, DemError> {
        Self::new(given.elastic, given.adhesion)
    }
}

impl Dmt {
    /// The law with the modulus and the damping of `elastic`, and the work of adhesion w in J/m², as in
    /// [`Jkr::new`](crate::law::Jkr::new).
    ///
    /// # Errors
    /// As [`Jkr::new`](crate::law::Jkr::new).
    pub fn new(elastic: Hertz, adhesion: f64) -> Result<Self, DemError> {
        Ok(Self { elastic, adhesion: sticking(&elastic, adhesion)? })
    }
}

impl ContactLaw for Dmt {
    #[inline(always)]
    fn energy(&self, overlap: f64, radius: f64) -> f64 {
        self.elastic.energy(overlap, radius) - self.friction_load(overlap, radius) * overlap
    }

    #[inline(always)]
    fn force(&self, overlap: f64, radius: f64) -> f64 {
        self.elastic.force(overlap, radius) - self.friction_load(overlap, radius)
    }

    #[inline(always)]
    fn stiffness(&self, overlap: f64, radius: f64) -> f64 {
        self.elastic.stiffness(overlap, radius)
    }

    #[inline(always)]
    fn damping(&self, overlap: f64, radius: f64, mass: f64) -> f64 {
        self.elastic.damping(overlap, radius, mass)
    }

    fn is_damped(&self) -> bool {
        self.elastic.is_damped()
    }
}

impl AdhesiveLaw for Dmt {
    #[inline(always)]
    fn remember(&self, overlap: f64, _: f64, _: f64) -> Option<f64> {
        (overlap > 0.0).then_some(0.0)
    }

    #[inline(always)]
    fn friction_load(&self, _: f64, radius: f64) -> f64 {
        2.0 * PI * self.adhesion * radius
    }
}
