//! The two kinds of walls: planes, which are computed directly, and surfaces, which are searched for patches.

use rrp_geom::glam::DVec3;

use crate::wall::placed::Placed;
use crate::wall::surface::WallShape;

/// A wall at one time as contacts see it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PlacedSurface<'a> {
    /// A point of the plane in m and the unit normal out of the wall, in the world frame.
    Plane { origin: DVec3, out: DVec3 },
    /// A surface that may be curved, in the frame of its shape.
    Surface(&'a dyn WallShape),
}

impl<'a> Placed<'a> {
    /// The wall as a plane or as another surface.
    pub(crate) fn surface(&self) -> PlacedSurface<'a> {
        match (self.plane(), self.shape.surface()) {
            (None, Some(surface)) => PlacedSurface::Surface(surface),
            (plane, _) => {
                // Shapes without a surface are planes.
                let (origin, out) = plane.unwrap_or_default();
                PlacedSurface::Plane { origin, out }
            }
        }
    }
}
