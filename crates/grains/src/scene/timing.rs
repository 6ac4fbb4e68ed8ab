//! How long, and in which steps.

use serde::{Deserialize, Serialize};

use super::TimeStep;

/// How long a scene runs, and in which steps.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Timing {
    /// Time step.
    #[serde(default)]
    pub dt: TimeStep,
    /// Duration in s.
    pub duration: f64,
    /// Duration in s of a quick run; a twentieth of `duration` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quick: Option<f64>,
}
