//! The shapes a wall can have.

use std::sync::Arc;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::wall::cylinder::Cylinder;
use crate::wall::mesh::triangle_mesh::TriangleMesh;
use crate::wall::revolution::Revolution;
use crate::wall::surface::{Patch, WallShape};

/// The shape of a wall.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Shape {
    /// A plane through the origin of its frame with this unit normal, towards the bodies.
    Plane(DVec3),
    /// A cylinder without ends.
    Cylinder(Cylinder),
    /// Cylinders with ends, cones, discs and combinations of them.
    Revolution(Revolution),
    /// No surface: takes the place of a removed wall, so that other walls keep their numbers.
    Nowhere,
    /// Triangles.
    Mesh(#[cfg_attr(feature = "serde", serde(with = "crate::util::serde_checked::shared"))] Arc<TriangleMesh>),
    /// A user's own shape. It cannot be stored.
    #[cfg_attr(feature = "serde", serde(skip))]
    Own(Arc<dyn WallShape>),
}

impl Shape {
    /// The shape as a trait object; `None` for a plane, which the loop evaluates itself.
    pub(crate) fn surface(&self) -> Option<&dyn WallShape> {
        match self {
            Self::Plane(_) => None,
            Self::Nowhere => Some(&NOWHERE),
            Self::Cylinder(cylinder) => Some(cylinder),
            Self::Revolution(revolution) => Some(revolution),
            Self::Mesh(mesh) => Some(&**mesh),
            Self::Own(own) => Some(&**own),
        }
    }

    /// Checks the numbers of a shape.
    pub(crate) fn check(&self) -> Result<(), DemError> {
        match self {
            Self::Cylinder(cylinder) => cylinder.check(),
            Self::Revolution(revolution) => revolution.check(),
            Self::Plane(_) | Self::Nowhere | Self::Mesh(_) | Self::Own(_) => Ok(()),
        }
    }
}

/// An empty surface, which no body touches.
#[derive(Debug)]
struct EmptySurface;

static NOWHERE: EmptySurface = EmptySurface;

impl WallShape for EmptySurface {
    fn near(&self, _: DVec3, _: f64, _: &mut Vec<u32>) {}

    fn patches(&self, _: DVec3, _: f64, _: &[u32], _: &mut Vec<Patch>) {}
}

impl From<Cylinder> for Shape {
    fn from(cylinder: Cylinder) -> Self {
        Self::Cylinder(cylinder)
    }
}

impl From<Revolution> for Shape {
    fn from(revolution: Revolution) -> Self {
        Self::Revolution(revolution)
    }
}

impl From<TriangleMesh> for Shape {
    fn from(mesh: TriangleMesh) -> Self {
        Self::Mesh(Arc::new(mesh))
    }
}

impl From<Arc<TriangleMesh>> for Shape {
    fn from(mesh: Arc<TriangleMesh>) -> Self {
        Self::Mesh(mesh)
    }
}

impl From<Arc<dyn WallShape>> for Shape {
    fn from(own: Arc<dyn WallShape>) -> Self {
        Self::Own(own)
    }
}
