//! Contacts that stick or yield, beside an elastic normal law.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
