//! Where the bodies of a group are.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Where the bodies of a group are; lengths in m.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Place {
    /// At these centres.
    List(Vec<[f64; 3]>),
    /// As a file says: a table (`.csv`), a LAMMPS data file of atom style sphere (`.data`, `.data.gz`) or a frame
    /// (`.vtp`).
    ///
    /// A table has the columns `x`, `y`, `z` and maybe `radius`, `mass`, `vx`, `vy`, `vz`, `wx`, `wy`, `wz`.
    File {
        /// Path, from the folder of the scene.
        path: PathBuf,
    },
    /// A simple cubic lattice, x first.
    Lattice {
        /// Centre of the first body.
        origin: [f64; 3],
        /// Number of bodies in each direction.
        count: [usize; 3],
        /// Distance of centres in each direction.
        spacing: [f64; 3],
    },
    /// The pyramid of cannonballs of `[OK18]` section 8.2, whose base is fixed.
    Pyramid {
        /// Layers, that of the base included.
        layers: usize,
        /// Each layer is lifted off the one below by this many radii.
        #[serde(default)]
        lift: f64,
    },
    /// Around a circle.
    Ring {
        /// Centre of the circle.
        centre: [f64; 3],
        /// Diameter of the circle of centres.
        diameter: f64,
        /// Number of bodies.
        count: usize,
    },
    /// At random without overlaps.
    Pour {
        /// Lower corner of the box that they are inside of.
        low: [f64; 3],
        /// Upper corner.
        high: [f64; 3],
        /// Number of bodies.
        count: usize,
        /// Where the random numbers start.
        #[serde(default)]
        seed: u64,
        /// Smallest gap between surfaces.
        #[serde(default)]
        gap: f64,
    },
}

impl Default for Place {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}
