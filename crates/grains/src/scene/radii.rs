//! Radii that differ.

use serde::{Deserialize, Serialize};

/// Radii of a group, drawn body by body with a seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Radii {
    /// Uniform between two radii.
    Uniform {
        /// Smallest radius in m.
        low: f64,
        /// Largest radius in m.
        high: f64,
        /// Where the random numbers start.
        #[serde(default)]
        seed: u64,
    },
    /// Some radii, each with its share of the number of bodies.
    Mix {
        /// Radii in m.
        radius: Vec<f64>,
        /// Shares, in any unit.
        share: Vec<f64>,
        /// Where the random numbers start.
        #[serde(default)]
        seed: u64,
    },
}
