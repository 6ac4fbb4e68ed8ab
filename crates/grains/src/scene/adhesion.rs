//! Contacts that stick or yield, beside an elastic normal law.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::contact::{ContactModel, NormalLaw, PairLaw};
use crate::error::GrainsError;

/// How contacts stick, beside the normal laws `hertz` and `hertz-mindlin`; with the work of adhesion in J/m², twice the
/// surface energy between like solids. Explicit integrators only.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum AdhesionLaw {
    /// Soft bodies, by Johnson, Kendall and Roberts; pull-off at 3/2 π w R: [`dem_contact::law::Jkr`].
    #[schemars(extend("unit" = "J/m²", "toml" = "{ jkr = 0.05 }"))]
    Jkr(f64),
    /// Stiff bodies, by Derjaguin, Muller and Toporov; pull-off at 2 π w R: [`dem_contact::law::Dmt`].
    #[schemars(extend("unit" = "J/m²", "toml" = "{ dmt = 0.05 }"))]
    Dmt(f64),
}

impl AdhesionLaw {
    /// Work of adhesion of the law in J/m².
    pub(crate) fn work(self) -> f64 {
        let (Self::Jkr(work) | Self::Dmt(work)) = self;
        work
    }

    /// Returns the law with another work of adhesion (J/m²).
    pub(crate) fn with_work(self, work: f64) -> Self {
        match self {
            Self::Jkr(_) => Self::Jkr(work),
            Self::Dmt(_) => Self::Dmt(work),
        }
    }

    /// Name of the adhesion law in scenes.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Jkr(_) => "jkr",
            Self::Dmt(_) => "dmt",
        }
    }
}

/// Contacts that yield, beside the normal law `hooke`, whose stiffness is then that of unloading. Without adhesion the
/// restitution is √(loading/unloading): [`dem_contact::law::PlasticHooke`]. Explicit integrators only.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlasticLaw {
    /// Stiffness of loading in N/m, at most the stiffness of `hooke`, which is that of unloading.
    #[schemars(extend("unit" = "N/m", "toml" = "4e4"))]
    pub loading: f64,
    /// Stiffness `k_c` of adhesion in N/m: unloading ends on F = −`k_c` δ.
    #[serde(default)]
    #[schemars(extend("unit" = "N/m", "toml" = "1e4"))]
    pub adhesion: f64,
}

impl ContactModel {
    /// Returns the key of the law by which contacts stick or yield, for messages; none if they do neither.
    pub(crate) fn key_of_sticking(&self) -> Option<&'static str> {
        match (self.adhesion, self.plastic) {
            (Some(_), _) => Some("contact.adhesion"),
            (None, Some(_)) => Some("contact.plastic"),
            (None, None) => None,
        }
    }

    /// Checks that laws of contacts that stick or yield have the normal law that they need.
    pub(crate) fn check_sticking(&self) -> Result<(), GrainsError> {
        let conflict = |key: String, problem| Err(GrainsError::conflict(key, problem));
        let is_hooke = matches!(self.normal, NormalLaw::Hooke { .. });
        if self.adhesion.is_some() && self.plastic.is_some() {
            let problem = "belongs to the normal law `hooke`, and `adhesion` to `hertz` and `hertz-mindlin`: write \
                           only one of them";
            return conflict("contact.plastic".into(), problem);
        }
        if self.adhesion.is_some() && is_hooke {
            let problem = "needs the normal law `hertz` or `hertz-mindlin` in `contact.normal`: write it there, and \
                           `hooke` in `contact.pairs` for the pairs that do not stick; beside `hooke` write `plastic`";
            return conflict("contact.adhesion".into(), problem);
        }
        if self.plastic.is_some() && !is_hooke {
            let problem = "needs the normal law `hooke` in `contact.normal`: write it there, or write `adhesion` \
                           beside `hertz` and `hertz-mindlin`";
            return conflict("contact.plastic".into(), problem);
        }
        let adhesion_of_pair = self.pairs.iter().position(|pair| pair.adhesion.is_some());
        let adhesion_of_material = self.materials.iter().position(|one| one.adhesion.is_some());
        if self.adhesion.is_none() {
            let problem = if is_hooke {
                "needs a law of adhesion, and `hooke` has none: write `hertz` or `hertz-mindlin` in `contact.normal`, \
                 `contact.adhesion = { jkr = 0.0 }` with the work of adhesion of all other contacts instead of 0.0, \
                 and `hooke` in `contact.pairs` for the pairs that do not stick"
            } else {
                "needs a law of adhesion: write `contact.adhesion = { jkr = 0.0 }`, or `dmt`, with the work of \
                 adhesion of all other contacts instead of 0.0"
            };
            if let Some(index) = adhesion_of_material {
                return conflict(format!("contact.materials[{index}].adhesion"), problem);
            }
            if let Some(index) = adhesion_of_pair {
                return conflict(format!("contact.pairs[{index}].adhesion"), problem);
            }
        }
        let never_sticks = |pair: &PairLaw| matches!(self.normal_of(pair), NormalLaw::Hooke { .. });
        if let Some(index) = self.pairs.iter().position(|pair| pair.adhesion.is_some() && never_sticks(pair)) {
            let problem = "needs the normal law `hertz` or `hertz-mindlin`: write it as `normal` of this pair, or \
                           leave out `adhesion`";
            return conflict(format!("contact.pairs[{index}].adhesion"), problem);
        }
        Ok(())
    }

    /// Returns the work of adhesion in J/m² between two materials, given by number: that of their pair, or the
    /// geometric mean of both. A material without its own has that of `contact.adhesion`.
    pub(crate) fn work_of_adhesion(&self, law: AdhesionLaw, [a, b]: [usize; 2], own: Option<&PairLaw>) -> f64 {
        let of = |number: usize| self.materials.get(number).and_then(|one| one.adhesion).unwrap_or(law.work());
        own.and_then(|pair| pair.adhesion).unwrap_or_else(|| (of(a) * of(b)).sqrt())
    }
}
