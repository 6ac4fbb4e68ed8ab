//! `[global-damping]`: what slows all bodies down.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Damping of all motion beside that of contacts. Its work has the column `damped`.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "GlobalDamping")]
#[non_exhaustive]
pub enum Damping {
    /// None from here on, for a stage.
    Off,
    /// The rate c in 1/s of F = −c m v, and of torques −c L: motion dies out as exp(−c t).
    #[schemars(extend("unit" = "1/s", "toml" = "{ viscous = 5.0 }"))]
    Viscous(f64),
    /// Cundall's coefficient α, below 1: each component F of force or torque on a body becomes F − α |F| sign(v). It
    /// finds rest fast. It is not objective: in a scene that is turned, or seen from a frame that moves, motion is
    /// damped otherwise.
    #[schemars(extend("toml" = "{ cundall = 0.7 }"))]
    Cundall(f64),
}
