//! The shapes a wall can have.

use std::sync::Arc;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::wall::cylinder::Cylinder;
use crate::wall::mesh::triangle_mesh::TriangleMesh;
use crate::wall::revolution::Revolution;
use crate::wall::surface::{Patch, WallShape};

/// Shape of a wall, in a frame that moves with the wall.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Shape {
    /// Plane through the origin of its frame with this unit normal, which points to the bodies.
    Plane(DVec3),
    /// Circular cylinder without ends.
    Cylinder(Cylinder),
    /// Surface of revolution: a cylinder with ends, a cone, a disc, or a combination of them.
    Revolution(Revolution),
    /// Shape without a surface. It replaces a removed wall, so that other walls keep their numbers.
    Nowhere,
    /// Surface of triangles.
    Mesh(#[cfg_attr(feature = "serde", serde(with = "crate::util::serde_checked::shared"))] Arc<TriangleMesh>),
    /// Shape that the user implements; it cannot be stored.
    #[cfg_attr(feature = "serde", serde(skip))]
    Own(Arc<dyn WallShape>),
}

impl Shape {
    /// Shape of the wall as a trait object; `None` for a plane, which the loop over wall contacts evaluates itself.
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

    pub(super) fn check(&self) -> Result<(), DemError> {
        match self {
            Self::Cylinder(cylinder) => cylinder.check(),
            Self::Revolution(revolution) => revolution.check(),
            Self::Plane(_) | Self::Nowhere | Self::Mesh(_) | Self::Own(_) => Ok(()),
        }
    }
}

/// Surface that no body touches: the trait object of [`Shape::Nowhere`], which replaces a removed wall.
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
