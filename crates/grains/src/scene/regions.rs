//! Regions of space: boxes and cylinders that hold bodies.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A box along the axes; lengths in m.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BoxRegion {
    /// Lower corner of the box in m.
    #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
    pub low: [f64; 3],
    /// Upper corner of the box in m.
    #[schemars(extend("unit" = "m", "toml" = "[0.1, 0.1, 0.1]"))]
    pub high: [f64; 3],
}

/// A cylinder with two ends; lengths in m.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CylinderRegion {
    /// Middle of the first end of the cylinder in m.
    #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
    pub point: [f64; 3],
    /// Vector in m from the first end of the cylinder to the second one; it is as long as the cylinder.
    #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.2]"))]
    pub axis: [f64; 3],
    /// Radius of the cylinder in m.
    #[schemars(extend("unit" = "m", "toml" = "0.05"))]
    pub radius: f64,
}
