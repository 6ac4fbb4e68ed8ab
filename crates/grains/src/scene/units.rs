//! What the numbers of a scene are numbers of.

use serde::{Deserialize, Serialize};

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
