//! `[time]`: how long a scene runs, and in which steps.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::number_or_word::number_or_word;

/// How long a scene runs, and in which steps.
#[derive(Debug, Clone, Copy, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Timing {
    /// Time step in s, or `"auto"`.
    #[serde(default)]
    #[schemars(extend("unit" = "s", "toml" = r#""auto""#))]
    pub dt: TimeStep,
    /// Duration of the run in s; a scene with stages has none of its own.
    #[schemars(extend("unit" = "s", "toml" = "2.0"))]
    pub duration: Option<f64>,
    /// Duration of a quick run in s; a twentieth of `duration` if not given.
    #[schemars(extend("unit" = "s", "toml" = "0.1"))]
    pub quick: Option<f64>,
}

/// A time step: a number, or `"auto"`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum TimeStep {
    /// The recommended step, from the laws, the bodies, their speeds and driven walls.
    #[default]
    Auto,
    /// A given time step in s.
    Fixed(f64),
}

number_or_word! {
    TimeStep: Auto = "auto", Fixed;
    "A time step: a number, or `\"auto\"`.",
    "The length of each step in s.",
    "The recommended step, from the laws, the bodies, their speeds and driven walls."
}
