//! The box of a scene.

use serde::{Deserialize, Serialize};

/// The box that bodies are in, with what its sides are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Region {
    /// Lower corner in m.
    pub low: [f64; 3],
    /// Upper corner in m.
    pub high: [f64; 3],
    /// What the sides in each direction are.
    pub sides: [Sides; 3],
}

/// The two sides of a box in one direction; walls are given apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sides {
    /// Bodies that leave through one meet those at the other.
    Periodic,
    /// A centre beyond them is an error.
    Closed,
    /// There are none.
    Open,
}
