//! Options of static equilibrium.

use serde::{Deserialize, Serialize};

/// Options of the search for static equilibrium.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StaticMethod {
    /// Largest unbalanced force over the mean contact force; 1e-12 if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Most steps of relaxation; a million if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<usize>,
}
