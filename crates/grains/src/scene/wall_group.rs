//! Walls.

use serde::{Deserialize, Serialize};

/// A wall, or the sides of a box.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum WallGroup {
    /// A plane that bodies stay in front of.
    Plane {
        /// A point of it in m, at time zero.
        point: [f64; 3],
        /// Normal, towards the bodies, of any length.
        normal: [f64; 3],
        /// Velocity in m/s.
        #[serde(default)]
        velocity: [f64; 3],
    },
    /// The inner sides of a box: −x, +x, −y, +y, −z, +z.
    Box {
        /// Lower corner in m.
        low: [f64; 3],
        /// Upper corner in m.
        high: [f64; 3],
        /// Sides that are left out, of `-x`, `+x`, `-y`, `+y`, `-z`, `+z`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        without: Vec<Side>,
    },
    /// The wall of `[BG21] (58)`, elastic with a force of its own instead of that of contacts; explicit integrators only.
    Elastic {
        /// A point of it in m.
        point: [f64; 3],
        /// Normal, towards the bodies, of any length.
        normal: [f64; 3],
        /// K in J, as that of bonds.
        stiffness: f64,
    },
}

/// A side of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// That at the lower x.
    #[serde(rename = "-x")]
    LowX,
    /// That at the upper x.
    #[serde(rename = "+x")]
    HighX,
    /// That at the lower y.
    #[serde(rename = "-y")]
    LowY,
    /// That at the upper y.
    #[serde(rename = "+y")]
    HighY,
    /// That at the lower z.
    #[serde(rename = "-z")]
    LowZ,
    /// That at the upper z.
    #[serde(rename = "+z")]
    HighZ,
}
