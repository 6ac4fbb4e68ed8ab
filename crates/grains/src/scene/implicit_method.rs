//! Options of implicit steps.

use serde::{Deserialize, Serialize};

/// Options of the implicit integrator.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ImplicitMethod {
    /// α in [0, 1]; 1/2 if not given.
    #[serde(default = "half")]
    pub alpha: f64,
    /// Which equations.
    #[serde(default)]
    pub form: ImplicitForm,
    /// Relative residual that a step is solved to; 1e-11 if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
}

/// Which implicit equations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImplicitForm {
    /// [`dem_contact::implicit::DiscreteForm::MarsdenWest`].
    #[default]
    MarsdenWest,
    /// [`dem_contact::implicit::DiscreteForm::Paper`].
    Paper,
}

fn half() -> f64 {
    0.5
}
