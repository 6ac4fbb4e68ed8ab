//! Resistance of contacts to rolling and twisting.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::number_or_word::number_or_word;

/// A spring with a dashpot beside it and a slider behind both, which resists rolling or twisting:
/// [`dem_contact::law::SpringSlider`].
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Resistance {
    /// Stiffness of the spring: in N/m for rolling, measured as length at the reduced radius; in N m for twisting.
    /// `"tangential"` takes the stiffness of the tangential spring, times the square of the reduced radius as a torque.
    /// Without a stiffness the resistance is the coefficient alone, as a constant torque against the spin. Then a ball
    /// on a slope creeps, and one that touches two walls or more keeps a small spin that changes its sign from step to
    /// step.
    #[schemars(extend("unit" = "N/m or N m", "toml" = r#""tangential""#))]
    pub stiffness: Option<Stiffness>,
    /// Damping beside the spring: in kg/s for rolling, in N m s for twisting.
    #[serde(default)]
    #[schemars(extend("unit" = "kg/s or N m s", "toml" = "1.0"))]
    pub damping: f64,
    /// Coefficient of the largest resistance over the normal force: without unit for rolling, in m for twisting.
    #[schemars(extend("unit" = "1 or m", "toml" = "0.05"))]
    pub friction: f64,
}

/// The stiffness of a resistance to rolling or twisting: a number, or `"tangential"`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stiffness {
    /// The stiffness of the contact's tangential spring.
    Tangential,
    /// A stiffness in N/m for rolling, in N m for twisting.
    Fixed(f64),
}

number_or_word! {
    Stiffness: Tangential = "tangential", Fixed;
    "The stiffness of a resistance: a number, or `\"tangential\"`.",
    "Stiffness in N/m for rolling, in N m for twisting.",
    "The stiffness of the tangential spring."
}
