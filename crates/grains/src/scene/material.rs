//! What bodies and walls are made of.

use serde::{Deserialize, Serialize};

use super::Resistance;

/// A material for [`NormalLaw::HertzMindlin`](super::NormalLaw::HertzMindlin): [`dem_contact::law::Material`] with a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Material {
    /// Its name.
    pub name: String,
    /// Young's modulus in Pa.
    pub young: f64,
    /// Poisson's ratio, in (−1, 1/2].
    pub poisson: f64,
    /// Speed after over speed before an impact with its like, in (0, 1]; 1 if not given.
    #[serde(default = "one")]
    pub restitution: f64,
    /// Friction coefficient μ; 0 if not given.
    #[serde(default)]
    pub friction: f64,
    /// Resistance to rolling; explicit integrators only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolling: Option<Resistance>,
    /// Resistance to twisting; explicit integrators only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twisting: Option<Resistance>,
}

fn one() -> f64 {
    1.0
}
