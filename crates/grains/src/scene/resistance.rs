//! Resistance to rolling or twisting.

use serde::{Deserialize, Serialize};

/// A spring with a dashpot beside it and a slider behind both, which resists rolling or twisting:
/// [`dem_contact::law::SpringSlider`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Resistance {
    /// Stiffness: in N/m for rolling, measured as length at the reduced radius; in N m for twisting.
    pub stiffness: f64,
    /// Damping: in kg/s for rolling, in N m s for twisting.
    #[serde(default)]
    pub damping: f64,
    /// The coefficient of the largest resistance: without unit for rolling, in m for twisting.
    pub friction: f64,
}
