//! `[[sources]]` and `[[gates]]`: grains that come in the course of a run, and where they are counted or taken away.

use std::path::PathBuf;

use dem_contact::source::GateShape;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::output::Interval;
use super::regions::{BoxRegion, CylinderRegion};
use super::sizes::SizeTable;

/// Grains that come in the course of a run. They are inserted at intervals, each time as many as are due until the
/// next. Intervals go on from stage to stage, and restart when a stage switches the source on. Explicit integrators
/// only.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Source {
    /// Name of the source, for stages and measurements; no two the same among sources, gates and groups of bodies.
    #[schemars(extend("toml" = r#""feed""#))]
    pub name: Option<String>,
    /// Region where the grains come, overlapping nothing.
    #[schemars(extend("toml" = "{ box = { low = [0.0, 0.0, 0.5], high = [0.1, 0.1, 0.6] } }"))]
    pub region: SourceRegion,
    /// Amount of grains that comes in a second; if not given, as many as fit.
    #[schemars(extend("toml" = "{ mass = 0.1 }"))]
    pub rate: Option<Amount>,
    /// Amount of grains that comes in all; unlimited if not given.
    #[schemars(extend("toml" = "{ count = 1000 }"))]
    pub total: Option<Amount>,
    /// Interval at which grains come, all that are due at once; every 100 steps if not given.
    #[serde(default = "hundred")]
    #[schemars(extend("toml" = "{ time = 0.01 }"))]
    pub every: Interval,
    /// Law of the radii of the grains.
    #[schemars(extend("unit" = "m", "toml" = "{ radius = 0.002 }"))]
    pub sizes: SizeTable,
    /// Density of the grains in kg/m³.
    #[schemars(extend("unit" = "kg/m³", "toml" = "2500.0"))]
    pub density: f64,
    /// Velocity in m/s with which the grains come.
    #[serde(default)]
    #[schemars(extend("unit" = "m/s", "toml" = "[0.0, 0.0, -1.0]"))]
    pub velocity: [f64; 3],
    /// Angular velocity in rad/s with which the grains come, world frame.
    #[serde(default)]
    #[schemars(extend("unit" = "rad/s", "toml" = "[0.0, 0.0, 10.0]"))]
    pub spin: [f64; 3],
    /// Material of the grains, a name that `contact.materials` or `contact.pairs` names.
    #[schemars(extend("toml" = r#""glass""#))]
    pub material: Option<String>,
    /// Seed of the source's random numbers. Grain k of source s has numbers of its own, whatever comes beside it.
    #[serde(default)]
    #[schemars(extend("toml" = "1"))]
    pub seed: u64,
}

impl Source {
    /// Returns the beginning of the names of the source's columns in the time series, from its name or number.
    pub(crate) fn column(&self, index: usize) -> String {
        self.name.clone().unwrap_or(format!("source{index}"))
    }
}

impl Gate {
    /// Returns the beginning of the names of the gate's columns in the time series, from its name or number.
    pub(crate) fn column(&self, index: usize) -> String {
        self.name.clone().unwrap_or(format!("gate{index}"))
    }

    /// Returns the name of the gate, or its number without a name.
    pub(crate) fn label(&self, number: usize) -> String {
        self.name.clone().unwrap_or(number.to_string())
    }
}

fn hundred() -> Interval {
    Interval::Steps(100)
}

/// Region where the grains of a source come; lengths in m.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SourceRegion {
    /// A box that holds the grains.
    #[schemars(extend("toml" = "{ box = { low = [0.0, 0.0, 0.5], high = [0.1, 0.1, 0.6] } }"))]
    Box(BoxRegion),
    /// A cylinder that holds the grains.
    #[schemars(extend("toml" = "{ cylinder = { point = [0.0, 0.0, 0.5], axis = [0.0, 0.0, 0.1], radius = 0.05 } }"))]
    Cylinder(CylinderRegion),
    /// A disc that the centres of the grains are on.
    #[schemars(extend("toml" = "{ disc = { point = [0.0, 0.0, 0.5], normal = [0.0, 0.0, 1.0], radius = 0.05 } }"))]
    Disc {
        /// Middle of the disc in m.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.5]"))]
        point: [f64; 3],
        /// Normal of the disc, of any length.
        #[schemars(extend("toml" = "[0.0, 0.0, 1.0]"))]
        normal: [f64; 3],
        /// Radius of the disc in m.
        #[schemars(extend("unit" = "m", "toml" = "0.05"))]
        radius: f64,
    },
    /// Faces of a mesh, which is no wall and stays where it is. Grains touch a face as they come, at points that are
    /// uniform over the area, and overlap no other part of the mesh. They may overlap images of it beyond periodic
    /// sides, unless it is also one of `[[walls]]`.
    #[schemars(extend("toml" = r#"{ faces = { path = "inlet.stl", facing = [0.0, 0.0, -1.0], speed = 0.5 } }"#))]
    Faces(FaceRegion),
}

/// Faces of a mesh of triangles that grains come off: all, or those that the other keys choose by direction and place.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FaceRegion {
    /// Path of the STL file, binary or text, from the folder of the scene. A resumed run does not need the file.
    #[schemars(extend("toml" = r#""inlet.stl""#))]
    pub path: PathBuf,
    /// Length of the unit of the file in m: 0.001 for millimetres.
    #[serde(default = "super::one")]
    #[schemars(extend("unit" = "m", "toml" = "0.001"))]
    pub scale: f64,
    /// Point in m where the origin of the file is.
    #[serde(default)]
    #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.5]"))]
    pub point: [f64; 3],
    /// Whether grains come inside of the mesh, which must be closed then. Otherwise they come around a closed mesh, and
    /// off that side of an open one that `facing` tells.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("toml" = "true"))]
    pub inside: bool,
    /// Direction, of any length, in which the used faces look; all faces are used if not given. An open mesh needs it,
    /// since it has two sides.
    #[schemars(extend("toml" = "[0.0, 0.0, -1.0]"))]
    pub facing: Option<[f64; 3]>,
    /// Angle in rad by which the normal of a face may be off `facing`; π/4 if not given, at most π/2.
    #[schemars(extend("unit" = "rad", "toml" = "0.1"))]
    pub angle: Option<f64>,
    /// Lower corner in m of a box; only triangles that lie wholly in the box are used.
    #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.4]"))]
    pub low: Option<[f64; 3]>,
    /// Upper corner in m of the box of `low`.
    #[schemars(extend("unit" = "m", "toml" = "[0.1, 0.1, 0.6]"))]
    pub high: Option<[f64; 3]>,
    /// Speed of the grains away from the face, along its normal, beside the `velocity` of the source; not negative.
    #[serde(default)]
    #[schemars(extend("unit" = "m/s", "toml" = "0.5"))]
    pub speed: f64,
}

/// An amount of grains, in all or in a second.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Amount {
    /// An amount given by the number of grains.
    #[schemars(extend("toml" = "{ count = 1000 }"))]
    Count(f64),
    /// An amount given by the mass of the grains in kg.
    #[schemars(extend("unit" = "kg", "toml" = "{ mass = 0.1 }"))]
    Mass(f64),
    /// An amount given by the volume of the grains over the volume of the region.
    #[schemars(extend("toml" = "{ fraction = 0.3 }"))]
    Fraction(f64),
}

/// A plane or a region whose grains are counted, or taken away. Grains that are inserted beyond a gate count
/// as passed. Grains that are there at the start count only if the gate removes them. In a box that deforms it is a
/// plane.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Gate {
    /// Name of the gate, for columns of the time series; no two the same among sources and gates.
    #[schemars(extend("toml" = r#""outflow""#))]
    pub name: Option<String>,
    /// Plane or region of the gate.
    #[schemars(extend("toml" = "{ plane = { point = [0.0, 0.0, -0.1], normal = [0.0, 0.0, 1.0] } }"))]
    pub shape: GateShape,
    /// Whether grains beyond the gate are taken away. Explicit integrators only, not with bonds or ties.
    #[serde(default)]
    #[schemars(extend("toml" = "true"))]
    pub remove: bool,
    /// Interval at which the gate looks for grains; every 100 steps if not given. It looks sooner where a grain would
    /// be in its region only between two looks, if the grain keeps its velocity.
    #[serde(default = "hundred")]
    #[schemars(extend("toml" = "{ time = 0.01 }"))]
    pub every: Interval,
}
