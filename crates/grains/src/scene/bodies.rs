//! `[[bodies]]`: groups of spheres, where they are and how large they are.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::name::NameOrNumber;
use super::regions::CylinderRegion;
use super::sizes::SizeTable;
use super::walls::motion::{MotionRows, Oscillation};

/// Spheres that share everything except their places.
///
/// Give their mass as `mass` or `density`; fixed bodies need neither. Values in a file of bodies override those of the
/// group.
#[derive(Debug, Clone, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BodyGroup {
    /// Name of the group, for stages and measurements; no two the same among groups of bodies and sources.
    #[schemars(extend("toml" = r#""plate""#))]
    pub name: Option<String>,
    /// Places of the bodies of the group.
    #[schemars(extend("toml" = "{ list = [[0.0, 0.0, 1.0]] }"))]
    pub place: Place,
    /// Radius of each body in m.
    #[schemars(extend("unit" = "m", "toml" = "0.005"))]
    pub radius: Option<f64>,
    /// Law of radii that differ, instead of `radius`.
    #[schemars(extend("unit" = "m", "toml" = "{ uniform = { low = 0.004, high = 0.006 } }"))]
    pub sizes: Option<SizeTable>,
    /// Seed of the random radii of `sizes`.
    #[serde(default)]
    #[schemars(extend("toml" = "1"))]
    pub seed: u64,
    /// Mass of each body in kg.
    #[schemars(extend("unit" = "kg", "toml" = "0.01"))]
    pub mass: Option<f64>,
    /// Density of the bodies in kg/m³, instead of `mass`.
    #[schemars(extend("unit" = "kg/m³", "toml" = "2500.0"))]
    pub density: Option<f64>,
    /// Moment of inertia of each body in kg m²; that of a solid sphere if not given.
    #[schemars(extend("unit" = "kg m²", "toml" = "1e-7"))]
    pub inertia: Option<f64>,
    /// Velocity of all bodies in m/s.
    #[serde(default)]
    #[schemars(extend("unit" = "m/s", "toml" = "[0.0, 0.0, -1.0]"))]
    pub velocity: [f64; 3],
    /// Velocity of each body in m/s, instead of `velocity`; not for a group that turns or is driven.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("unit" = "m/s", "toml" = "[[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]"))]
    pub velocities: Vec<[f64; 3]>,
    /// Angular velocity of all bodies in rad/s, in the world frame. Bodies with `fixed = true` keep it, in a scene with
    /// explicit integrators: their surfaces rub on others. Bodies that are fixed by their place or file do not spin.
    #[serde(default)]
    #[schemars(extend("unit" = "rad/s", "toml" = "[0.0, 0.0, 10.0]"))]
    pub spin: [f64; 3],
    /// The point in m about which a group of fixed bodies turns as a whole, by its `spin`; the point moves with their
    /// velocity. If not given, each body turns about its centre.
    #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
    pub pivot: Option<[f64; 3]>,
    /// Material of the bodies, a name that `contact.materials` or `contact.pairs` names.
    #[schemars(extend("toml" = r#""glass""#))]
    pub material: Option<String>,
    /// Whether the bodies have infinite mass: forces do not change their velocity.
    #[serde(default)]
    #[schemars(extend("toml" = "true"))]
    pub fixed: bool,
    /// An oscillation of fixed bodies, on top of their velocity. Explicit integrators only.
    #[schemars(extend("toml" = "{ amplitude = [0.0, 0.0, 0.001], frequency = 50.0 }"))]
    pub oscillation: Option<Oscillation>,
    /// A motion of fixed bodies by a table, on top of their velocity. Explicit integrators only.
    #[schemars(extend("toml" = "{ velocities = [[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.1]] }"))]
    pub table: Option<MotionRows>,
}

impl BodyGroup {
    /// Returns the motion of the group if it is driven: by an oscillation or a table, or because it is fixed and turns.
    pub(crate) fn motion(&self) -> Option<BodyMotion> {
        let &Self { velocity, spin, pivot, oscillation, ref table, fixed, .. } = self;
        let turns = fixed && spin.iter().any(|component| component.abs() > 0.0);
        let is_driven = turns || pivot.is_some() || oscillation.is_some() || table.is_some();
        is_driven.then(|| BodyMotion { velocity, spin, pivot, oscillation, table: table.clone() })
    }
}

/// Motion of a group of fixed bodies from a stage on, from where the group is; it rests if nothing is given.
#[derive(Debug, Clone, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BodyMotion {
    /// Velocity of the group in m/s.
    #[serde(default)]
    #[schemars(extend("unit" = "m/s", "toml" = "[0.0, 0.0, 0.1]"))]
    pub velocity: [f64; 3],
    /// Angular velocity of the group in rad/s.
    #[serde(default)]
    #[schemars(extend("unit" = "rad/s", "toml" = "[0.0, 0.0, 10.0]"))]
    pub spin: [f64; 3],
    /// The point in m about which the group turns as a whole, when the motion begins; if not given, each body turns
    /// about its centre.
    #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
    pub pivot: Option<[f64; 3]>,
    /// An oscillation of the group on top of its velocity.
    #[schemars(extend("toml" = "{ amplitude = [0.0, 0.0, 0.001], frequency = 50.0 }"))]
    pub oscillation: Option<Oscillation>,
    /// A motion of the group by a table, on top of its velocity.
    #[schemars(extend("toml" = "{ velocities = [[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.1]] }"))]
    pub table: Option<MotionRows>,
}

impl BodyMotion {
    pub(crate) fn turns(&self) -> bool {
        self.spin.iter().any(|component| component.abs() > 0.0)
    }
}

/// Places of the bodies of a group; lengths in m.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Place {
    /// Bodies at these centres.
    #[schemars(extend("unit" = "m", "toml" = "{ list = [[0.0, 0.0, 1.0], [0.2, 0.0, 1.0]] }"))]
    List(Vec<[f64; 3]>),
    /// Bodies of a file: a table (`.csv`), a LAMMPS data file of atom style sphere (`.data`, `.data.gz`) or a frame
    /// (`.vtp`).
    ///
    /// A table has the columns `x`, `y`, `z` and optionally `radius`, `mass`, `vx`, `vy`, `vz`, `wx`, `wy`, `wz`.
    #[schemars(extend("toml" = r#"{ file = { path = "bodies.csv" } }"#))]
    File {
        /// Path of the file, from the folder of the scene.
        #[schemars(extend("toml" = r#""bodies.csv""#))]
        path: PathBuf,
        /// Materials of the types 1, 2, ... of a LAMMPS data file.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[schemars(extend("toml" = r#"["glass", "steel"]"#))]
        types: Vec<String>,
    },
    /// Bodies on a simple cubic lattice, numbered along x first.
    #[schemars(extend("toml" = "{ lattice = { origin = [0.01, 0.01, 0.01], count = [4, 4, 8], spacing = [0.02, 0.02, 0.02] } }"))]
    Lattice {
        /// Centre of the first body of the lattice in m.
        #[schemars(extend("unit" = "m", "toml" = "[0.01, 0.01, 0.01]"))]
        origin: [f64; 3],
        /// Number of bodies of the lattice in each direction.
        #[schemars(extend("toml" = "[4, 4, 8]"))]
        count: [usize; 3],
        /// Distance of neighbouring centres in each direction in m.
        #[schemars(extend("unit" = "m", "toml" = "[0.02, 0.02, 0.02]"))]
        spacing: [f64; 3],
    },
    /// The pyramid of cannonballs of `[OK18]` section 8.2. Its base is fixed.
    #[schemars(extend("toml" = "{ pyramid = { layers = 4 } }"))]
    Pyramid {
        /// Number of layers of the pyramid, including the base.
        #[schemars(extend("toml" = "4"))]
        layers: usize,
        /// Gap between layers of the pyramid, in radii.
        #[serde(default)]
        #[schemars(extend("unit" = "radii", "toml" = "0.05"))]
        lift: f64,
    },
    /// Bodies around a circle across z, at equal distances.
    #[schemars(extend("toml" = "{ ring = { centre = [0.0, 0.0, 0.0], diameter = 0.2, count = 20 } }"))]
    Ring {
        /// Centre of the circle in m.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
        centre: [f64; 3],
        /// Diameter of the circle of centres in m.
        #[schemars(extend("unit" = "m", "toml" = "0.2"))]
        diameter: f64,
        /// Number of bodies on the circle.
        #[schemars(extend("toml" = "20"))]
        count: usize,
    },
    /// Bodies at random, without overlaps with other bodies, walls and images. Give one of `count`, `mass` and
    /// `fraction`.
    #[schemars(extend("toml" = "{ pour = { low = [0.0, 0.0, 0.0], high = [0.1, 0.1, 0.2], count = 500 } }"))]
    Pour {
        /// Lower corner in m of the box that holds the poured bodies.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
        low: Option<[f64; 3]>,
        /// Upper corner in m of the box that holds the poured bodies.
        #[schemars(extend("unit" = "m", "toml" = "[0.1, 0.1, 0.2]"))]
        high: Option<[f64; 3]>,
        /// A cylinder that holds the poured bodies, instead of `low` and `high`.
        #[schemars(extend("toml" = "{ point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 0.2], radius = 0.05 }"))]
        cylinder: Option<CylinderRegion>,
        /// Number of bodies to pour.
        #[schemars(extend("toml" = "500"))]
        count: Option<usize>,
        /// Mass of all poured bodies together in kg, instead of their number: as many bodies as do not exceed it.
        #[schemars(extend("unit" = "kg", "toml" = "0.5"))]
        mass: Option<f64>,
        /// Volume of all poured bodies over that of the box or cylinder, walls included: as many bodies as do not
        /// exceed it. Equal spheres reach 0.6.
        #[schemars(extend("toml" = "0.4"))]
        fraction: Option<f64>,
        /// Seed of the random places of the bodies.
        #[serde(default)]
        #[schemars(extend("toml" = "1"))]
        seed: u64,
        /// Smallest gap in m between the surfaces of poured bodies; half of this gap to walls.
        #[serde(default)]
        #[schemars(extend("unit" = "m", "toml" = "1e-4"))]
        gap: f64,
    },
    /// Bodies at random together with those of another group, in its box. Give one of `count`, `mass` and `fraction`.
    #[schemars(extend("toml" = r#"{ pour-with = { group = "large", count = 100 } }"#))]
    PourWith {
        /// The group with the `pour`, given by its `name` or its number.
        #[schemars(extend("toml" = r#""large""#))]
        group: NameOrNumber,
        /// Number of bodies to pour with the group.
        #[schemars(extend("toml" = "100"))]
        count: Option<usize>,
        /// Mass of all bodies of this group together in kg: as many bodies as do not exceed it.
        #[schemars(extend("unit" = "kg", "toml" = "0.1"))]
        mass: Option<f64>,
        /// Volume of all bodies of this group over that of the box: as many bodies as do not exceed it.
        #[schemars(extend("toml" = "0.1"))]
        fraction: Option<f64>,
    },
}

impl Default for Place {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}
