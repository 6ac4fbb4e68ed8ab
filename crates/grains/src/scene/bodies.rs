//! `[[bodies]]`: groups of spheres, where they are and how large they are.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::name::NameOrNumber;
use super::sizes::SizeTable;
use super::walls::motion::{MotionRows, Oscillation};

/// Spheres that share everything except their places.
///
/// Give their mass as `mass` or `density`; fixed bodies need neither. Values in a file of bodies override those of the
/// group.
#[derive(Debug, Clone, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BodyGroup {
    /// A name, for stages and measurements; no two the same among groups of bodies and sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = r#""plate""#))]
    pub name: Option<String>,
    /// Where the bodies are.
    #[schemars(extend("toml" = "{ list = [[0.0, 0.0, 1.0]] }"))]
    pub place: Place,
    /// Radius in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "m", "toml" = "0.005"))]
    pub radius: Option<f64>,
    /// Radii that differ, instead of `radius`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "m", "toml" = "{ uniform = { low = 0.004, high = 0.006 } }"))]
    pub sizes: Option<SizeTable>,
    /// Seed of the radii.
    #[serde(default)]
    #[schemars(extend("toml" = "1"))]
    pub seed: u64,
    /// Mass of each in kg.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "kg", "toml" = "0.01"))]
    pub mass: Option<f64>,
    /// Density in kg/m³.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "kg/m³", "toml" = "2500.0"))]
    pub density: Option<f64>,
    /// Moment of inertia in kg m²; that of a solid sphere if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "kg m²", "toml" = "1e-7"))]
    pub inertia: Option<f64>,
    /// Velocity of all bodies in m/s.
    #[serde(default)]
    #[schemars(extend("unit" = "m/s", "toml" = "[0.0, 0.0, -1.0]"))]
    pub velocity: [f64; 3],
    /// Velocity of each body in m/s, instead of `velocity`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("unit" = "m/s", "toml" = "[[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]"))]
    pub velocities: Vec<[f64; 3]>,
    /// Angular velocity of all bodies in rad/s, world frame. Fixed bodies keep it, in a scene with explicit integrators:
    /// their surfaces rub on others.
    #[serde(default)]
    #[schemars(extend("unit" = "rad/s", "toml" = "[0.0, 0.0, 10.0]"))]
    pub spin: [f64; 3],
    /// The point in m that a group of fixed bodies turns about as a whole, by its `spin`; it goes on with their velocity.
    /// If not given, each turns about its centre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
    pub pivot: Option<[f64; 3]>,
    /// The material, a name that `contact.materials` or `contact.pairs` names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = r#""glass""#))]
    pub material: Option<String>,
    /// Whether the bodies have infinite mass: forces do not change their velocity.
    #[serde(default)]
    #[schemars(extend("toml" = "true"))]
    pub fixed: bool,
    /// An oscillation of fixed bodies, on top of their velocity. Explicit integrators only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ amplitude = [0.0, 0.0, 0.001], frequency = 50.0 }"))]
    pub oscillation: Option<Oscillation>,
    /// A motion of fixed bodies by a table, on top of it. Explicit integrators only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ velocities = [[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.1]] }"))]
    pub table: Option<MotionRows>,
}

impl BodyGroup {
    /// The motion of the group if it is driven: by an oscillation or a table, or because it is fixed and turns.
    pub(crate) fn motion(&self) -> Option<BodyMotion> {
        let &Self { velocity, spin, pivot, oscillation, ref table, fixed, .. } = self;
        let turns = fixed && spin.iter().any(|component| component.abs() > 0.0);
        let is_driven = turns || pivot.is_some() || oscillation.is_some() || table.is_some();
        is_driven.then(|| BodyMotion { velocity, spin, pivot, oscillation, table: table.clone() })
    }
}

/// How a group of fixed bodies moves from now on, from where it is; not at all where nothing is given.
#[derive(Debug, Clone, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BodyMotion {
    /// Velocity in m/s.
    #[serde(default)]
    #[schemars(extend("unit" = "m/s", "toml" = "[0.0, 0.0, 0.1]"))]
    pub velocity: [f64; 3],
    /// Angular velocity in rad/s.
    #[serde(default)]
    #[schemars(extend("unit" = "rad/s", "toml" = "[0.0, 0.0, 10.0]"))]
    pub spin: [f64; 3],
    /// The point in m that the group turns about as a whole, when the motion begins; each body about its centre if not
    /// given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
    pub pivot: Option<[f64; 3]>,
    /// An oscillation on top of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ amplitude = [0.0, 0.0, 0.001], frequency = 50.0 }"))]
    pub oscillation: Option<Oscillation>,
    /// A motion by a table on top of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ velocities = [[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.1]] }"))]
    pub table: Option<MotionRows>,
}

impl BodyMotion {
    pub(crate) fn turns(&self) -> bool {
        self.spin.iter().any(|component| component.abs() > 0.0)
    }
}

/// Where the bodies of a group are; lengths in m.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Place {
    /// At these centres.
    #[schemars(extend("unit" = "m", "toml" = "{ list = [[0.0, 0.0, 1.0], [0.2, 0.0, 1.0]] }"))]
    List(Vec<[f64; 3]>),
    /// Read from a file: a table (`.csv`), a LAMMPS data file of atom style sphere (`.data`, `.data.gz`) or a frame
    /// (`.vtp`).
    ///
    /// A table has the columns `x`, `y`, `z` and optionally `radius`, `mass`, `vx`, `vy`, `vz`, `wx`, `wy`, `wz`.
    #[schemars(extend("toml" = r#"{ file = { path = "bodies.csv" } }"#))]
    File {
        /// Path, from the folder of the scene.
        #[schemars(extend("toml" = r#""bodies.csv""#))]
        path: PathBuf,
        /// The materials that the types 1, 2, ... of a LAMMPS data file are.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[schemars(extend("toml" = r#"["glass", "steel"]"#))]
        types: Vec<String>,
    },
    /// A simple cubic lattice, x first.
    #[schemars(extend("toml" = "{ lattice = { origin = [0.01, 0.01, 0.01], count = [4, 4, 8], spacing = [0.02, 0.02, 0.02] } }"))]
    Lattice {
        /// Centre of the first body.
        #[schemars(extend("unit" = "m", "toml" = "[0.01, 0.01, 0.01]"))]
        origin: [f64; 3],
        /// Number of bodies in each direction.
        #[schemars(extend("toml" = "[4, 4, 8]"))]
        count: [usize; 3],
        /// Distance of centres in each direction.
        #[schemars(extend("unit" = "m", "toml" = "[0.02, 0.02, 0.02]"))]
        spacing: [f64; 3],
    },
    /// The pyramid of cannonballs of `[OK18]` section 8.2. Its base is fixed.
    #[schemars(extend("toml" = "{ pyramid = { layers = 4 } }"))]
    Pyramid {
        /// Number of layers, including the base.
        #[schemars(extend("toml" = "4"))]
        layers: usize,
        /// Gap between layers, in radii.
        #[serde(default)]
        #[schemars(extend("unit" = "radii", "toml" = "0.05"))]
        lift: f64,
    },
    /// Around a circle.
    #[schemars(extend("toml" = "{ ring = { centre = [0.0, 0.0, 0.0], diameter = 0.2, count = 20 } }"))]
    Ring {
        /// Centre of the circle.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
        centre: [f64; 3],
        /// Diameter of the circle of centres.
        #[schemars(extend("unit" = "m", "toml" = "0.2"))]
        diameter: f64,
        /// Number of bodies.
        #[schemars(extend("toml" = "20"))]
        count: usize,
    },
    /// At random, without overlaps with other bodies, walls and images. Give one of `count`, `mass` and `fraction`.
    #[schemars(extend("toml" = "{ pour = { low = [0.0, 0.0, 0.0], high = [0.1, 0.1, 0.2], count = 500 } }"))]
    Pour {
        /// Lower corner of the box that holds the spheres.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
        low: Option<[f64; 3]>,
        /// Upper corner.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(extend("unit" = "m", "toml" = "[0.1, 0.1, 0.2]"))]
        high: Option<[f64; 3]>,
        /// A cylinder that holds the spheres, instead of `low` and `high`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(extend("toml" = "{ point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 0.2], radius = 0.05 }"))]
        cylinder: Option<CylinderRegion>,
        /// Number of bodies.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(extend("toml" = "500"))]
        count: Option<usize>,
        /// Mass of all of them together in kg, instead of their number: as many bodies as do not exceed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(extend("unit" = "kg", "toml" = "0.5"))]
        mass: Option<f64>,
        /// Volume of all of them over that of the box or cylinder, walls included: as many bodies as do not exceed it. Equal
        /// spheres reach 0.6.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(extend("toml" = "0.4"))]
        fraction: Option<f64>,
        /// Seed of the random numbers.
        #[serde(default)]
        #[schemars(extend("toml" = "1"))]
        seed: u64,
        /// Smallest gap between the surfaces of bodies; half of it to walls.
        #[serde(default)]
        #[schemars(extend("unit" = "m", "toml" = "1e-4"))]
        gap: f64,
    },
    /// At random together with the bodies of another group, in its box. Give one of `count`, `mass` and `fraction`.
    #[schemars(extend("toml" = r#"{ pour-with = { group = "large", count = 100 } }"#))]
    PourWith {
        /// The group with the `pour`, by its `name` or its number.
        #[schemars(extend("toml" = r#""large""#))]
        group: NameOrNumber,
        /// Number of bodies.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(extend("toml" = "100"))]
        count: Option<usize>,
        /// Mass of all bodies of this group together in kg: as many as do not exceed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(extend("unit" = "kg", "toml" = "0.1"))]
        mass: Option<f64>,
        /// Volume of all bodies of this group over that of the box: as many as do not exceed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(extend("toml" = "0.1"))]
        fraction: Option<f64>,
    },
}

/// A cylinder with two ends; lengths in m.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CylinderRegion {
    /// The middle of its first end.
    #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
    pub point: [f64; 3],
    /// From the first end to the second one: it is as long as the cylinder.
    #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.2]"))]
    pub axis: [f64; 3],
    /// Its radius.
    #[schemars(extend("unit" = "m", "toml" = "0.05"))]
    pub radius: f64,
}

impl Default for Place {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}
