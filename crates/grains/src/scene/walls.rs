//! `[[walls]]`: planes, boxes, cylinders, turned profiles, meshes and elastic walls.

pub mod motion;
mod reading;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use self::motion::{WallDrive, WallMotion};

/// A wall, or the sides of a box.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct WallGroup {
    /// What stages and columns of results call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The material, a name that `contact.materials` or `contact.pairs` names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// Its shape, where it is, and how it moves.
    #[serde(flatten)]
    pub shape: WallShape,
    /// What drives it beside that.
    #[serde(flatten)]
    pub drive: WallDrive,
}

impl WallGroup {
    /// How the wall moves.
    pub(crate) fn motion(&self) -> WallMotion {
        let WallDrive { oscillation, table, surface_velocity, servo } = self.drive.clone();
        WallMotion { oscillation, table, surface_velocity, servo, ..self.shape.motion() }
    }

    /// Lets the wall move like this. Boxes and elastic walls stand still.
    pub(crate) fn set_motion(&mut self, motion: &WallMotion) {
        self.shape.set_motion(motion);
        self.drive = motion.drive();
    }
}

/// The shape of a wall, where it is, and how it moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum WallShape {
    /// A plane; bodies are in front of it.
    Plane {
        /// A point of it in m, at time zero.
        point: [f64; 3],
        /// Normal, towards the bodies, of any length.
        normal: [f64; 3],
        /// Velocity in m/s.
        #[serde(default)]
        velocity: [f64; 3],
        /// Angular velocity in rad/s.
        #[serde(default)]
        spin: [f64; 3],
        /// The point that it turns about in m, at time zero; `point` if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pivot: Option<[f64; 3]>,
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
    /// A cylinder without ends.
    Cylinder {
        /// A point of the axis in m.
        point: [f64; 3],
        /// Direction of the axis, of any length.
        axis: [f64; 3],
        /// Radius in m.
        radius: f64,
        /// Whether bodies are outside instead of inside.
        #[serde(default)]
        outside: bool,
        /// Velocity in m/s.
        #[serde(default)]
        velocity: [f64; 3],
        /// Angular velocity in rad/s, along the axis that it turns about.
        #[serde(default)]
        spin: [f64; 3],
        /// The point that it turns about in m, at time zero; `point` if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pivot: Option<[f64; 3]>,
    },
    /// A profile turned about an axis: cylinders with ends, cones, discs, see [`dem_contact::wall::Revolution`].
    Revolution {
        /// Where the height zero is on the axis, in m.
        point: [f64; 3],
        /// Direction of the axis, of any length.
        axis: [f64; 3],
        /// Distances from the axis and heights along it in m; bodies are on the left.
        profile: Vec<[f64; 2]>,
        /// Velocity in m/s.
        #[serde(default)]
        velocity: [f64; 3],
        /// Angular velocity in rad/s, along the axis that it turns about.
        #[serde(default)]
        spin: [f64; 3],
        /// The point that it turns about in m, at time zero; `point` if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pivot: Option<[f64; 3]>,
    },
    /// Triangles of a file. An open mesh is a thin sheet with two sides. A closed one is a solid with bodies around it,
    /// or a container. The order of corners and the normals in the file mean nothing.
    Stl {
        /// Path, from the folder of the scene; binary or text.
        path: PathBuf,
        /// Length of the unit of the file in m: 0.001 for millimetres.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        scale: f64,
        /// Where the origin of the file is, in m.
        #[serde(default)]
        point: [f64; 3],
        /// Whether the mesh must be closed.
        #[serde(default)]
        closed: bool,
        /// Whether bodies are inside; `true` and `false` both say that the mesh must be closed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        inside: Option<bool>,
        /// Width of cracks that are closed, in m; 1e-6 of the largest coordinate if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        join: Option<f64>,
        /// Velocity in m/s.
        #[serde(default)]
        velocity: [f64; 3],
        /// Angular velocity in rad/s, along the axis that it turns about.
        #[serde(default)]
        spin: [f64; 3],
        /// The point that it turns about in m, at time zero; `point` if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pivot: Option<[f64; 3]>,
    },
    /// The elastic wall of `[BG21] (58)`. It has a force of its own, not that of contacts. Explicit integrators only.
    Elastic {
        /// A point of it in m.
        point: [f64; 3],
        /// Normal, towards the bodies, of any length.
        normal: [f64; 3],
        /// K in J, as that of bonds.
        stiffness: f64,
    },
}

fn one() -> f64 {
    1.0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_one(value: &f64) -> bool {
    value.to_bits() == one().to_bits()
}

impl WallShape {
    /// How the wall moves, apart from its drive.
    fn motion(&self) -> WallMotion {
        match *self {
            Self::Plane { velocity, spin, pivot, .. }
            | Self::Cylinder { velocity, spin, pivot, .. }
            | Self::Revolution { velocity, spin, pivot, .. }
            | Self::Stl { velocity, spin, pivot, .. } => WallMotion { velocity, spin, pivot, ..WallMotion::default() },
            Self::Box { .. } | Self::Elastic { .. } => WallMotion::default(),
        }
    }

    /// Lets the wall move like this. Boxes and elastic walls stand still.
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

    /// The point that the wall turns about, at time zero; zero for walls that cannot turn.
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

    /// The name of its kind in a scene.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Plane { .. } => "plane",
            Self::Box { .. } => "box",
            Self::Cylinder { .. } => "cylinder",
            Self::Revolution { .. } => "revolution",
            Self::Stl { .. } => "stl",
            Self::Elastic { .. } => "elastic",
        }
    }

    /// What to write if bodies are on the other side of the surface than they should be.
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

    /// K of an elastic wall.
    pub(crate) fn elastic_stiffness(&self) -> Option<f64> {
        match self {
            Self::Elastic { stiffness, .. } => Some(*stiffness),
            _ => None,
        }
    }

    /// Number of walls that the contact law acts on.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Box { without, .. } => Side::ALL.iter().filter(|side| !without.contains(side)).count(),
            Self::Elastic { .. } => 0,
            _ => 1,
        }
    }
}

/// A side of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// The side at the lower x.
    #[serde(rename = "-x")]
    LowX,
    /// The side at the upper x.
    #[serde(rename = "+x")]
    HighX,
    /// The side at the lower y.
    #[serde(rename = "-y")]
    LowY,
    /// The side at the upper y.
    #[serde(rename = "+y")]
    HighY,
    /// The side at the lower z.
    #[serde(rename = "-z")]
    LowZ,
    /// The side at the upper z.
    #[serde(rename = "+z")]
    HighZ,
}

impl Side {
    /// All sides in the order of the walls of a box.
    pub(crate) const ALL: [Self; 6] = [Self::LowX, Self::HighX, Self::LowY, Self::HighY, Self::LowZ, Self::HighZ];
}
