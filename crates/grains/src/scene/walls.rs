//! `[[walls]]`: planes, boxes, cylinders, turned profiles, meshes and elastic walls.

pub mod motion;
mod reading;

use std::path::PathBuf;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

use self::motion::{WallDrive, WallMotion};

/// A wall, or the sides of a box: one of the shapes `plane`, `box`, `cylinder`, `revolution`, `stl` and `elastic`, and
/// beside it a name, a material, and what drives it.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
#[schemars(transform = one_of_the_shapes)]
pub struct WallGroup {
    /// Name of the wall, for stages and columns of results.
    #[schemars(extend("toml" = r#""lid""#))]
    pub name: Option<String>,
    /// Material of the wall, a name that `contact.materials` or `contact.pairs` names.
    #[schemars(extend("toml" = r#""steel""#))]
    pub material: Option<String>,
    /// Names of the groups of bodies and sources that feel the wall, in a scene with explicit integrators; all if not
    /// given. Others pass through, and are poured and brought where the wall is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("toml" = r#"["large"]"#))]
    pub groups: Vec<String>,
    /// Shape of the wall, its place, and its steady motion.
    #[serde(flatten)]
    pub shape: WallShape,
    /// Motion of the wall beside its velocity and spin.
    #[serde(flatten)]
    pub drive: WallDrive,
}

/// Writes the schema of a wall as serde reads it: its shape is one of several keys, beside the keys that all walls
/// have.
fn one_of_the_shapes(schema: &mut Schema) {
    let Some(shapes) = schema.remove("oneOf") else { return };
    let mut choices = Vec::new();
    for shape in shapes.as_array().into_iter().flatten() {
        for (name, value) in shape["properties"].as_object().into_iter().flatten() {
            let mut value = value.clone();
            value["description"] = shape["description"].clone();
            let example =
                shape["toml"].as_str().and_then(|text| text.strip_prefix(&format!("{{ {name} = "))?.strip_suffix(" }"));
            value["toml"] = example.into();
            choices.push(json!({ "required": [name] }));
            schema.ensure_object().entry("properties").or_insert_with(|| json!({}))[name] = value;
        }
    }
    schema.insert("oneOf".to_owned(), choices.into());
    schema.insert("additionalProperties".to_owned(), false.into());
}

impl WallGroup {
    /// Returns how the wall moves, by its shape's velocity and spin and by its drive.
    pub(crate) fn motion(&self) -> WallMotion {
        let WallDrive { oscillation, table, turn, surface_velocity, servo } = self.drive.clone();
        WallMotion { oscillation, table, turn, surface_velocity, servo, ..self.shape.motion() }
    }

    /// Returns whether the bodies of a group with this name feel the wall.
    pub(crate) fn is_felt_by(&self, group: Option<&String>) -> bool {
        self.groups.is_empty() || group.is_some_and(|name| self.groups.contains(name))
    }

    /// Sets the motion of the wall. Boxes and elastic walls stand still.
    pub(crate) fn set_motion(&mut self, motion: &WallMotion) {
        self.shape.set_motion(motion);
        self.drive = motion.drive();
    }
}

/// Shape of a wall, its place, and its velocity and spin.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum WallShape {
    /// A plane with bodies in front of it.
    #[schemars(extend("toml" = "{ plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] } }"))]
    Plane {
        /// A point of the plane in m, at time zero.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
        point: [f64; 3],
        /// Normal of the plane, towards the bodies, of any length.
        #[schemars(extend("toml" = "[0.0, 0.0, 1.0]"))]
        normal: [f64; 3],
        /// Velocity of the plane in m/s.
        #[serde(default)]
        #[schemars(extend("unit" = "m/s", "toml" = "[0.1, 0.0, 0.0]"))]
        velocity: [f64; 3],
        /// Angular velocity of the plane in rad/s.
        #[serde(default)]
        #[schemars(extend("unit" = "rad/s", "toml" = "[0.0, 0.0, 1.0]"))]
        spin: [f64; 3],
        /// The point in m that the plane turns about, at time zero; `point` if not given.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
        pivot: Option<[f64; 3]>,
    },
    /// The inner sides of a box: −x, +x, −y, +y, −z, +z. The box stands still.
    #[schemars(extend("toml" = r#"{ box = { low = [0.0, 0.0, 0.0], high = [0.1, 0.1, 0.2], without = ["+z"] } }"#))]
    Box {
        /// Lower corner in m of the box of walls.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
        low: [f64; 3],
        /// Upper corner in m of the box of walls.
        #[schemars(extend("unit" = "m", "toml" = "[0.1, 0.1, 0.2]"))]
        high: [f64; 3],
        /// Sides of the box that are left out, of `-x`, `+x`, `-y`, `+y`, `-z`, `+z`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[schemars(extend("toml" = r#"["+z"]"#))]
        without: Vec<Side>,
    },
    /// A cylinder without ends; for one with ends take a `revolution`.
    #[schemars(extend("toml" = "{ cylinder = { point = [0.0, 0.0, 0.0], axis = [0.0, 1.0, 0.0], radius = 0.1 } }"))]
    Cylinder {
        /// A point of the cylinder's axis in m.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
        point: [f64; 3],
        /// Direction of the cylinder's axis, of any length.
        #[schemars(extend("toml" = "[0.0, 1.0, 0.0]"))]
        axis: [f64; 3],
        /// Radius of the cylinder in m.
        #[schemars(extend("unit" = "m", "toml" = "0.1"))]
        radius: f64,
        /// Whether bodies are outside of the cylinder instead of inside.
        #[serde(default)]
        #[schemars(extend("toml" = "true"))]
        outside: bool,
        /// Velocity of the cylinder in m/s.
        #[serde(default)]
        #[schemars(extend("unit" = "m/s", "toml" = "[0.1, 0.0, 0.0]"))]
        velocity: [f64; 3],
        /// Angular velocity of the cylinder in rad/s, along the axis that it turns about.
        #[serde(default)]
        #[schemars(extend("unit" = "rad/s", "toml" = "[0.0, 1.0, 0.0]"))]
        spin: [f64; 3],
        /// The point in m that the cylinder turns about, at time zero; `point` if not given.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
        pivot: Option<[f64; 3]>,
    },
    /// A profile turned about an axis: cylinders with ends, cones, discs, see [`dem_contact::wall::Revolution`]. It has
    /// one side: a body that touches it from behind ends the run. For grains on both sides give it a thickness, such as
    /// `[[0.04, 0.0], [0.04, 0.2], [0.043, 0.2], [0.043, 0.0], [0.04, 0.0]]`.
    #[schemars(extend("toml" = "{ revolution = { point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0], profile = [[0.02, 0.0], [0.1, 0.1], [0.1, 0.5]] } }"))]
    Revolution {
        /// The point of the axis in m where the height of the profile is zero.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
        point: [f64; 3],
        /// Direction of the profile's axis, of any length.
        #[schemars(extend("toml" = "[0.0, 0.0, 1.0]"))]
        axis: [f64; 3],
        /// Points of the profile in m: distances from the axis and heights along it; bodies are on the left.
        #[schemars(extend("unit" = "m", "toml" = "[[0.02, 0.0], [0.1, 0.1], [0.1, 0.5]]"))]
        profile: Vec<[f64; 2]>,
        /// Velocity of the wall in m/s.
        #[serde(default)]
        #[schemars(extend("unit" = "m/s", "toml" = "[0.0, 0.0, 0.1]"))]
        velocity: [f64; 3],
        /// Angular velocity of the wall in rad/s, along the axis that it turns about.
        #[serde(default)]
        #[schemars(extend("unit" = "rad/s", "toml" = "[0.0, 0.0, 1.0]"))]
        spin: [f64; 3],
        /// The point in m that the wall turns about, at time zero; `point` if not given.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
        pivot: Option<[f64; 3]>,
    },
    /// A mesh: triangles of a file. An open mesh is a thin sheet with two sides. A closed one is a solid with bodies
    /// around it, or a container. The order of corners and the normals in the file mean nothing.
    #[schemars(extend("toml" = r#"{ stl = { path = "hopper.stl", scale = 0.001 } }"#))]
    Stl {
        /// Path of the STL file, binary or text, from the folder of the scene.
        #[schemars(extend("toml" = r#""hopper.stl""#))]
        path: PathBuf,
        /// Length of the unit of the file in m: 0.001 for millimetres.
        #[serde(default = "super::one", skip_serializing_if = "is_one")]
        #[schemars(extend("unit" = "m", "default" = 1.0, "toml" = "0.001"))]
        scale: f64,
        /// Point in m where the origin of the file is.
        #[serde(default)]
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
        point: [f64; 3],
        /// Whether the mesh must be closed; an open one is then refused.
        #[serde(default)]
        #[schemars(extend("toml" = "true"))]
        closed: bool,
        /// Whether bodies are inside of the mesh; `true` and `false` both say that the mesh must be closed.
        #[schemars(extend("toml" = "true"))]
        inside: Option<bool>,
        /// Width in m of cracks of the mesh that are closed; 1e-6 of the largest coordinate if not given.
        #[schemars(extend("unit" = "m", "toml" = "1e-6"))]
        join: Option<f64>,
        /// Velocity of the mesh in m/s.
        #[serde(default)]
        #[schemars(extend("unit" = "m/s", "toml" = "[0.0, 0.0, 0.1]"))]
        velocity: [f64; 3],
        /// Angular velocity of the mesh in rad/s, along the axis that it turns about.
        #[serde(default)]
        #[schemars(extend("unit" = "rad/s", "toml" = "[0.0, 0.0, 1.0]"))]
        spin: [f64; 3],
        /// The point in m that the mesh turns about, at time zero; `point` if not given.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
        pivot: Option<[f64; 3]>,
    },
    /// The elastic wall of `[BG21] (58)`. It has a force of its own, not that of contacts, and stands still.
    /// Explicit integrators only.
    #[schemars(extend("toml" = "{ elastic = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0], stiffness = 1e-3 } }"))]
    Elastic {
        /// A point of the elastic wall in m.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
        point: [f64; 3],
        /// Normal of the elastic wall, towards the bodies, of any length.
        #[schemars(extend("toml" = "[0.0, 0.0, 1.0]"))]
        normal: [f64; 3],
        /// Stiffness K of the elastic wall in J, as that of bonds.
        #[schemars(extend("unit" = "J", "toml" = "1e-3"))]
        stiffness: f64,
    },
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_one(value: &f64) -> bool {
    value.to_bits() == 1.0_f64.to_bits()
}

impl WallShape {
    /// Returns how the wall moves, apart from its drive.
    pub(crate) fn motion(&self) -> WallMotion {
        match *self {
            Self::Plane { velocity, spin, pivot, .. }
            | Self::Cylinder { velocity, spin, pivot, .. }
            | Self::Revolution { velocity, spin, pivot, .. }
            | Self::Stl { velocity, spin, pivot, .. } => WallMotion { velocity, spin, pivot, ..WallMotion::default() },
            Self::Box { .. } | Self::Elastic { .. } => WallMotion::default(),
        }
    }

    /// Sets the velocity, spin and pivot of the wall. Boxes and elastic walls stand still.
    fn set_motion(&mut self, motion: &WallMotion) {
        match self {
            Self::Plane { velocity, spin, pivot, .. }
            | Self::Cylinder { velocity, spin, pivot, .. }
            | Self::Revolution { velocity, spin, pivot, .. }
            | Self::Stl { velocity, spin, pivot, .. } => {
                (*velocity, *spin, *pivot) = (motion.velocity, motion.spin, motion.pivot);
            }
            Self::Box { .. } | Self::Elastic { .. } => {}
        }
    }

    /// Returns the point that the wall turns about, at time zero, in m; zero for walls that cannot turn.
    pub(crate) fn pivot(&self) -> [f64; 3] {
        let point = match *self {
            Self::Plane { point, .. }
            | Self::Cylinder { point, .. }
            | Self::Revolution { point, .. }
            | Self::Stl { point, .. } => point,
            Self::Box { .. } | Self::Elastic { .. } => [0.0; 3],
        };
        self.motion().pivot.unwrap_or(point)
    }

    /// Returns advice on what to write if bodies are on the wrong side of the wall's surface.
    pub(crate) fn remedy(&self) -> &'static str {
        match self {
            Self::Stl { inside: Some(true), .. } => "leave out `inside = true` if bodies are around it",
            Self::Stl { .. } => "set `inside = true` if bodies are in it",
            Self::Cylinder { outside: true, .. } => "leave out `outside = true` if bodies are in it",
            Self::Cylinder { .. } => "set `outside = true` if bodies are around it",
            Self::Revolution { .. } => "reverse the order of `profile` if bodies are on its other side",
            Self::Plane { .. } | Self::Elastic { .. } => "reverse its `normal` if bodies are on its other side",
            Self::Box { .. } => "make the box larger",
        }
    }

    /// Returns the stiffness K in J of an elastic wall; none for other shapes.
    pub(crate) fn elastic_stiffness(&self) -> Option<f64> {
        match self {
            Self::Elastic { stiffness, .. } => Some(*stiffness),
            _ => None,
        }
    }

    /// Returns the number of walls of this shape that the contact law acts on: the sides of a box, none for an elastic
    /// wall.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Box { without, .. } => Side::ALL.iter().filter(|side| !without.contains(side)).count(),
            Self::Elastic { .. } => 0,
            _ => 1,
        }
    }
}

/// A side of a box of walls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub enum Side {
    /// The side of a box at the lower x.
    #[serde(rename = "-x")]
    LowX,
    /// The side of a box at the upper x.
    #[serde(rename = "+x")]
    HighX,
    /// The side of a box at the lower y.
    #[serde(rename = "-y")]
    LowY,
    /// The side of a box at the upper y.
    #[serde(rename = "+y")]
    HighY,
    /// The side of a box at the lower z.
    #[serde(rename = "-z")]
    LowZ,
    /// The side of a box at the upper z.
    #[serde(rename = "+z")]
    HighZ,
}

impl Side {
    /// All sides in the order of the walls of a box.
    pub(crate) const ALL: [Self; 6] = [Self::LowX, Self::HighX, Self::LowY, Self::HighY, Self::LowZ, Self::HighZ];
}
