//! `[box]` and `[units]`: where the bodies are, and what the numbers are numbers of.

use serde::{Deserialize, Serialize};

/// The box that bodies are in. It adds no walls; those are in `[[walls]]`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SimulationBox {
    /// Lower corner in m.
    pub low: [f64; 3],
    /// Upper corner in m.
    pub high: [f64; 3],
    /// What both sides in the directions x, y and z are.
    pub boundary: [Boundary; 3],
}

/// What the two sides of a box in one direction are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Boundary {
    /// Bodies near one side meet the images of those at the other.
    Periodic,
    /// A run stops with an error when a centre leaves by more than half the skin of the neighbour list.
    Closed,
    /// Bodies may leave.
    Open,
}

/// Names of the units of a scene, which has to be coherent; nothing is converted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Units {
    /// Unit of length.
    pub length: String,
    /// Unit of mass.
    pub mass: String,
    /// Unit of time.
    pub time: String,
}

impl Default for Units {
    fn default() -> Self {
        Self { length: "m".into(), mass: "kg".into(), time: "s".into() }
    }
}

impl std::fmt::Display for Units {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "length {}, mass {}, time {}", self.length, self.mass, self.time)
    }
}
