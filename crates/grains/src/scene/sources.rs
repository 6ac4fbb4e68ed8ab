//! `[[sources]]` and `[[gates]]`: grains that come in the course of a run, and where they are counted or taken away.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::output::Interval;
use super::sizes::SizeTable;

/// Grains that come in the course of a run. They are inserted at intervals, each time as many as are due until the
/// next. Intervals go on from stage to stage, and restart when a stage switches the source on. Explicit integrators
/// only.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Source {
    /// A name, for stages and measurements; no two the same among sources, gates and groups of bodies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = r#""feed""#))]
    pub name: Option<String>,
    /// Where they come, overlapping nothing.
    #[schemars(extend("toml" = "{ box = { low = [0.0, 0.0, 0.5], high = [0.1, 0.1, 0.6] } }"))]
    pub region: SourceRegion,
    /// How much comes in a second; if not given, as much as fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ mass = 0.1 }"))]
    pub rate: Option<Amount>,
    /// How much comes in all; unlimited if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ count = 1000 }"))]
    pub total: Option<Amount>,
    /// How often grains come, all that are due at once; every 100 steps if not given.
    #[serde(default = "hundred")]
    #[schemars(extend("toml" = "{ time = 0.01 }"))]
    pub every: Interval,
    /// How large they are.
    #[schemars(extend("unit" = "m", "toml" = "{ radius = 0.002 }"))]
    pub sizes: SizeTable,
    /// Density in kg/m³.
    #[schemars(extend("unit" = "kg/m³", "toml" = "2500.0"))]
    pub density: f64,
    /// Velocity in m/s.
    #[serde(default)]
    #[schemars(extend("unit" = "m/s", "toml" = "[0.0, 0.0, -1.0]"))]
    pub velocity: [f64; 3],
    /// Angular velocity in rad/s, world frame.
    #[serde(default)]
    #[schemars(extend("unit" = "rad/s", "toml" = "[0.0, 0.0, 10.0]"))]
    pub spin: [f64; 3],
    /// The material, a name that `contact.materials` or `contact.pairs` names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = r#""glass""#))]
    pub material: Option<String>,
    /// Seed of the random numbers. Grain k of source s has numbers of its own, whatever comes beside it.
    #[serde(default)]
    #[schemars(extend("toml" = "1"))]
    pub seed: u64,
}

impl Source {
    /// What its columns of the time series begin with, by its number.
    pub(crate) fn column(&self, index: usize) -> String {
        self.name.clone().unwrap_or(format!("source{index}"))
    }
}

impl Gate {
    /// What its columns of the time series begin with, by its number.
    pub(crate) fn column(&self, index: usize) -> String {
        self.name.clone().unwrap_or(format!("gate{index}"))
    }

    /// Its name, or else its number.
    pub(crate) fn label(&self, number: usize) -> String {
        self.name.clone().unwrap_or(number.to_string())
    }
}

fn hundred() -> Interval {
    Interval::Steps(100)
}

/// Where grains come; lengths in m.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SourceRegion {
    /// A box that holds them.
    #[schemars(extend("toml" = "{ box = { low = [0.0, 0.0, 0.5], high = [0.1, 0.1, 0.6] } }"))]
    Box {
        /// Lower corner.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.5]"))]
        low: [f64; 3],
        /// Upper corner.
        #[schemars(extend("unit" = "m", "toml" = "[0.1, 0.1, 0.6]"))]
        high: [f64; 3],
    },
    /// A cylinder that holds them.
    #[schemars(extend("toml" = "{ cylinder = { point = [0.0, 0.0, 0.5], axis = [0.0, 0.0, 0.1], radius = 0.05 } }"))]
    Cylinder {
        /// The middle of its first end.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.5]"))]
        point: [f64; 3],
        /// From the first end to the second one: it is as long as the cylinder.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.1]"))]
        axis: [f64; 3],
        /// Its radius.
        #[schemars(extend("unit" = "m", "toml" = "0.05"))]
        radius: f64,
    },
    /// A disc that their centres are on.
    #[schemars(extend("toml" = "{ disc = { point = [0.0, 0.0, 0.5], normal = [0.0, 0.0, 1.0], radius = 0.05 } }"))]
    Disc {
        /// Its middle.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.5]"))]
        point: [f64; 3],
        /// Its normal, of any length.
        #[schemars(extend("toml" = "[0.0, 0.0, 1.0]"))]
        normal: [f64; 3],
        /// Its radius.
        #[schemars(extend("unit" = "m", "toml" = "0.05"))]
        radius: f64,
    },
    /// Faces of a mesh, which is no wall and stays where it is. Grains touch a face as they come, at points that are
    /// uniform over the area, and overlap no other part of the mesh. They may overlap images of it beyond periodic
    /// sides, unless it is also one of `[[walls]]`.
    #[schemars(extend("toml" = r#"{ faces = { path = "inlet.stl", facing = [0.0, 0.0, -1.0], speed = 0.5 } }"#))]
    Faces(FaceRegion),
}

/// Faces of a mesh of triangles that grains come off: all, or those that face and lie as it says.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FaceRegion {
    /// The STL file, binary or text, from the folder of the scene. A resumed run does not need it.
    #[schemars(extend("toml" = r#""inlet.stl""#))]
    pub path: PathBuf,
    /// Length of the unit of the file in m: 0.001 for millimetres.
    #[serde(default = "one")]
    #[schemars(extend("unit" = "m", "toml" = "0.001"))]
    pub scale: f64,
    /// Where the origin of the file is.
    #[serde(default)]
    #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.5]"))]
    pub point: [f64; 3],
    /// Whether grains come inside of the mesh, which must be closed then. Else they come around a closed mesh, and off
    /// that side of an open one that `facing` tells.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("toml" = "true"))]
    pub inside: bool,
    /// Only faces that face in this direction, of any length. An open mesh needs it, since it has two sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "[0.0, 0.0, -1.0]"))]
    pub facing: Option<[f64; 3]>,
    /// By how much the normal of a face may be off `facing`; π/4 if not given, at most π/2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "rad", "toml" = "0.1"))]
    pub angle: Option<f64>,
    /// Only triangles that lie wholly in the box from here to `high`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.4]"))]
    pub low: Option<[f64; 3]>,
    /// The upper corner of that box.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "m", "toml" = "[0.1, 0.1, 0.6]"))]
    pub high: Option<[f64; 3]>,
    /// Speed away from the face, along its normal, beside the `velocity` of the source; not negative.
    #[serde(default)]
    #[schemars(extend("unit" = "m/s", "toml" = "0.5"))]
    pub speed: f64,
}

fn one() -> f64 {
    1.0
}

/// An amount of grains.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Amount {
    /// Their number.
    #[schemars(extend("toml" = "{ count = 1000 }"))]
    Count(f64),
    /// Their mass in kg.
    #[schemars(extend("unit" = "kg", "toml" = "{ mass = 0.1 }"))]
    Mass(f64),
    /// Their volume over that of the region.
    #[schemars(extend("toml" = "{ fraction = 0.3 }"))]
    Fraction(f64),
}

/// A plane or a region whose grains are counted, or taken away. Grains that are inserted beyond a gate count
/// as passed. Grains that are there at the start count only if the gate removes them. In a box that deforms it is a
/// plane.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Gate {
    /// A name, for columns of the time series; no two the same among sources and gates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = r#""outflow""#))]
    pub name: Option<String>,
    /// Where it is.
    #[schemars(extend("toml" = "{ plane = { point = [0.0, 0.0, -0.1], normal = [0.0, 0.0, 1.0] } }"))]
    pub shape: GateRegion,
    /// Whether grains beyond it are taken away. Explicit integrators only, not with bonds or ties.
    #[serde(default)]
    #[schemars(extend("toml" = "true"))]
    pub remove: bool,
    /// How often it looks; every 100 steps if not given. It looks sooner where a grain would be in its region only
    /// between two looks, if the grain keeps its velocity.
    #[serde(default = "hundred")]
    #[schemars(extend("toml" = "{ time = 0.01 }"))]
    pub every: Interval,
}

/// Where a gate is; lengths in m.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub enum GateRegion {
    /// A plane, which grains pass from its front to its back; not along a periodic direction.
    #[schemars(extend("toml" = "{ plane = { point = [0.0, 0.0, -0.1], normal = [0.0, 0.0, 1.0] } }"))]
    Plane {
        /// A point of it.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, -0.1]"))]
        point: [f64; 3],
        /// Its normal, against the way of the grains, of any length.
        #[schemars(extend("toml" = "[0.0, 0.0, 1.0]"))]
        normal: [f64; 3],
    },
    /// A box, which grains and their images come into.
    #[schemars(extend("toml" = "{ box = { low = [0.0, 0.0, -0.2], high = [0.1, 0.1, -0.1] } }"))]
    Box {
        /// Lower corner.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, -0.2]"))]
        low: [f64; 3],
        /// Upper corner.
        #[schemars(extend("unit" = "m", "toml" = "[0.1, 0.1, -0.1]"))]
        high: [f64; 3],
    },
    /// A cylinder, which grains and their images come into.
    #[schemars(extend("toml" = "{ cylinder = { point = [0.0, 0.0, -0.2], axis = [0.0, 0.0, 0.1], radius = 0.05 } }"))]
    Cylinder {
        /// The middle of its first end.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, -0.2]"))]
        point: [f64; 3],
        /// From the first end to the second one: it is as long as the cylinder.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.1]"))]
        axis: [f64; 3],
        /// Its radius.
        #[schemars(extend("unit" = "m", "toml" = "0.05"))]
        radius: f64,
    },
}
