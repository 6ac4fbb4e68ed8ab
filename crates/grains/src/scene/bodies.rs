//! `[[bodies]]`: groups of spheres, where they are and how large they are.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::sizes::SizeTable;

/// Spheres that share everything except their places.
///
/// Give their mass as `mass` or `density`; fixed bodies need neither. Values in a file of bodies override those of the
/// group.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BodyGroup {
    /// Where the bodies are.
    pub place: Place,
    /// Radius in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Radii that differ, instead of `radius`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sizes: Option<SizeTable>,
    /// Seed of the radii.
    #[serde(default)]
    pub seed: u64,
    /// Mass of each in kg.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<f64>,
    /// Density in kg/m³.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<f64>,
    /// Moment of inertia in kg m²; that of a solid sphere if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<f64>,
    /// Velocity of all bodies in m/s.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Velocity of each body in m/s, instead of `velocity`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub velocities: Vec<[f64; 3]>,
    /// Angular velocity of all bodies in rad/s, world frame.
    #[serde(default)]
    pub spin: [f64; 3],
    /// The material, a name that `contact.materials` or `contact.pairs` names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// Whether the bodies have infinite mass: forces do not change their velocity.
    #[serde(default)]
    pub fixed: bool,
}

/// Where the bodies of a group are; lengths in m.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Place {
    /// At these centres.
    List(Vec<[f64; 3]>),
    /// Read from a file: a table (`.csv`), a LAMMPS data file of atom style sphere (`.data`, `.data.gz`) or a frame
    /// (`.vtp`).
    ///
    /// A table has the columns `x`, `y`, `z` and optionally `radius`, `mass`, `vx`, `vy`, `vz`, `wx`, `wy`, `wz`.
    File {
        /// Path, from the folder of the scene.
        path: PathBuf,
        /// The materials that the types 1, 2, ... of a LAMMPS data file are.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        types: Vec<String>,
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
    /// The pyramid of cannonballs of `[OK18]` section 8.2. Its base is fixed.
    Pyramid {
        /// Number of layers, including the base.
        layers: usize,
        /// Gap between layers, in radii.
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
    /// At random, without overlaps with other bodies, walls and images. Give one of `count`, `mass` and `fraction`.
    Pour {
        /// Lower corner of the box that holds the spheres.
        low: [f64; 3],
        /// Upper corner.
        high: [f64; 3],
        /// Number of bodies.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<usize>,
        /// Mass of all of them together in kg, instead of their number: as many bodies as do not exceed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mass: Option<f64>,
        /// Volume of all of them over that of the box, walls included: as many bodies as do not exceed it. Equal
        /// spheres reach 0.6.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fraction: Option<f64>,
        /// Seed of the random numbers.
        #[serde(default)]
        seed: u64,
        /// Smallest gap between the surfaces of bodies; half of it to walls.
        #[serde(default)]
        gap: f64,
    },
    /// At random together with the bodies of another group, in its box. Give one of `count`, `mass` and `fraction`.
    PourWith {
        /// The group with the `pour`, counted from zero.
        group: usize,
        /// Number of bodies.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<usize>,
        /// Mass of all bodies of this group together in kg: as many as do not exceed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mass: Option<f64>,
        /// Volume of all bodies of this group over that of the box: as many as do not exceed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fraction: Option<f64>,
    },
}

impl Default for Place {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}
