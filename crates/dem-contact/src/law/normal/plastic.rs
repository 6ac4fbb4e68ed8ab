//! A linear law of contacts that yield, by Walton and Braun, and its extension with adhesion.

use crate::error::DemError;
use crate::error::law::LawError;
use crate::error::parameter::{not_negative, positive};
use crate::law::contact_law::{ContactLaw, Memory};
use crate::law::normal::hooke::Hooke;

/// Linear elastoplastic contact law: a contact is loaded along `F = k₁ δ`, and unloaded and reloaded along
/// `F = k₂ (δ − δ_p)`, where `δ_p` is the depth of the dent [Walton and Braun 1986]. With adhesion, unloading ends on
/// `F = −k_c δ`, along which the dent closes [Luding 2008].
///
/// Without adhesion an impact has the restitution √(k₁/k₂), whatever its speed. A contact remembers the depth of its
/// dent, which closes when surfaces separate. Forces, energies and damping are functions of the elastic overlap
/// `δ − δ_p`. The limits of friction, rolling and twisting are those of the load F + `k_c δ`, so that an attractive
/// contact has friction too, except on the line `F = −k_c δ`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Given"))]
pub struct PlasticHooke {
    unloading: Hooke,
    loading: f64,
    adhesion: f64,
}

#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    unloading: Hooke,
    loading: f64,
    adhesion: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<Given> for PlasticHooke {
    type Error = DemError;

    fn try_from(given: Given) -> Result<Self, DemError> {
        Self::new(given.unloading, given.loading)?.with_adhesion(given.adhesion)
    }
}

impl PlasticHooke {
    /// Makes the law with stiffness `k₂` and damping of `unloading`, and the stiffness `k₁` of `loading` in N/m.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `loading` is positive and at most `k₂`;
    /// [`LawError::CappedAdhesion`](crate::error::LawError::CappedAdhesion) if `unloading` cuts attraction off.
    pub fn new(unloading: Hooke, loading: f64) -> Result<Self, DemError> {
        if unloading.is_capped() {
            return Err(DemError::Law(LawError::CappedAdhesion));
        }
        let loading = positive("the stiffness of loading", loading)?;
        if loading > unloading.stiffness {
            let parameter = "the stiffness of loading";
            let range = "at most that of unloading";
            return Err(DemError::InvalidParameter { parameter, range, value: loading });
        }
        Ok(Self { unloading, loading, adhesion: 0.0 })
    }

    /// Returns this law with the stiffness `k_c` of adhesion in N/m.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `adhesion` is finite and not negative.
    pub fn with_adhesion(self, adhesion: f64) -> Result<Self, DemError> {
        Ok(Self { adhesion: not_negative("the stiffness of adhesion", adhesion)?, ..self })
    }
}

impl ContactLaw for PlasticHooke {
    #[inline(always)]
    fn energy(&self, overlap: f64, radius: f64) -> f64 {
        self.unloading.energy(overlap, radius)
    }

    #[inline(always)]
    fn force(&self, overlap: f64, radius: f64) -> f64 {
        self.unloading.force(overlap, radius)
    }

    #[inline(always)]
    fn stiffness(&self, overlap: f64, radius: f64) -> f64 {
        self.unloading.stiffness(overlap, radius)
    }

    #[inline(always)]
    fn damping(&self, overlap: f64, radius: f64, mass: f64) -> f64 {
        self.unloading.damping(overlap, radius, mass)
    }

    fn is_damped(&self) -> bool {
        self.unloading.is_damped()
    }

    fn is_hysteretic(&self) -> bool {
        true
    }

    /// Returns the memory of a contact: the depth of its dent in m, at least the depth at which loading goes on along
    /// `k₁ δ`, at most the depth at which the attraction is `k_c δ`.
    #[inline(always)]
    fn remember(&self, overlap: f64, _: f64, before: f64) -> Memory {
        let stiffness = self.unloading.stiffness;
        let least = 1.0 - self.loading / stiffness;
        let most = 1.0 + self.adhesion / stiffness;
        let dent = before.max(least * overlap).min(most * overlap);
        let acts = overlap > 0.0;
        Memory { number: if acts { dent } else { 0.0 }, acts }
    }

    #[inline(always)]
    fn elastic_overlap(&self, overlap: f64, memory: f64) -> f64 {
        overlap - memory
    }

    #[inline(always)]
    fn friction_load(&self, overlap: f64, _: f64) -> f64 {
        self.adhesion * overlap
    }
}
