//! `[liquid]`: what grains carry, and the bridges that it makes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Liquid on all bodies. Where two of them touch, a bridge takes from both and pulls them together until it breaks
/// `[W00]`; it then gives half to each. Explicit integrators only, in boxes that do not deform.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "Liquid")]
pub struct LiquidGroup {
    /// Volume of liquid on each body, at the start or when the body comes, over the volume of the body; at most 1.
    #[schemars(extend("toml" = "0.01"))]
    pub content: f64,
    /// Surface tension of the liquid in N/m.
    #[schemars(extend("unit" = "N/m", "toml" = "0.072"))]
    pub surface_tension: f64,
    /// Contact angle of the liquid in radians, below π/2.
    #[serde(default)]
    #[schemars(extend("unit" = "rad", "toml" = "0.2"))]
    pub contact_angle: f64,
    /// Share of the liquid on a body that goes to its new bridges.
    #[serde(default = "super::half")]
    #[schemars(extend("toml" = "0.5"))]
    pub share: f64,
    /// Names of walls that bridges reach: boxes, and planes, which may move, come and go. Other walls are dry. Servos
    /// do not count the pull of bridges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("toml" = r#"["floor"]"#))]
    pub walls: Vec<String>,
}
