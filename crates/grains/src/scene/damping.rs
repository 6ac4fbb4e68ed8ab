//! `[global-damping]`: what slows all bodies down.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Global damping: damping of all motion beside that of contacts. Its work has the column `damped`.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "GlobalDamping")]
#[non_exhaustive]
pub enum Damping {
    /// No global damping from this stage on.
    Off,
    /// Viscous damping with the rate c in 1/s: F = −c m v, and torques −c L: motion dies out as exp(−c t).
    #[schemars(extend("unit" = "1/s", "toml" = "{ viscous = 5.0 }"))]
    Viscous(f64),
    /// Cundall's damping with the coefficient α, below 1: each component F of force or torque on a body becomes F − α
    /// |F| sign(v). It finds rest fast. It is not objective: in a scene that is turned, or seen from a frame that
    /// moves, motion is damped otherwise.
    #[schemars(extend("toml" = "{ cundall = 0.7 }"))]
    Cundall(f64),
}
