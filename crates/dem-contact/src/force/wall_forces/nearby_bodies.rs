//! The bodies near a wall.

use rrp_geom::glam::DVec3;

use crate::neighbor::NeighborList;
use crate::wall::placed::{Motionless, Placed};
use crate::wall::placed_surface::PlacedSurface;

/// The bodies near one wall, for one list, until bodies or the wall have moved too far.
#[derive(Debug, Clone, Default)]
pub(crate) struct NearbyBodies {
    /// Their slots.
    pub(crate) slots: Vec<u32>,
    /// The first of the pieces near each of them, and the end of the last ones; empty for a plane.
    start: Vec<u32>,
    pieces: Vec<u32>,
    /// The wall when they were found, and the largest distance (m) of a nearby part of it from its point.
    wall: Motionless,
    extent: f64,
    /// Displacement and path length (m) of the list when they were found.
    displacement: f64,
    path_length: f64,
}

impl NearbyBodies {
    /// Whether the wall or the bodies have moved so far that others may have come near.
    pub(crate) fn are_outdated(&self, placed: &Placed<'_>, list: &NeighborList) -> bool {
        let body = (list.path_length() - self.path_length).min(list.displacement() + self.displacement);
        let wall = placed.moved(&self.wall, self.extent);
        // A motion of a user's own may have given no finite value then.
        wall.is_nan() || wall > 0.5 * list.skin() || body > list.skin() * (1.0 - 1e-9)
    }

    /// The pieces near the body in `slots[k]`.
    #[inline]
    pub(crate) fn pieces(&self, k: usize) -> &[u32] {
        &self.pieces[self.start[k] as usize..self.start[k + 1] as usize]
    }

    /// Finds the bodies near the wall.
    pub(crate) fn find(&mut self, placed: &Placed<'_>, list: &NeighborList) {
        // Until the next search a body moves by the skin at most, and the wall by half of it.
        let margin = 1.5 * list.skin();
        self.slots.clear();
        self.pieces.clear();
        self.start.clear();
        self.start.push(0);
        (self.wall, self.extent) = (placed.motionless(), 0.0);
        (self.displacement, self.path_length) = (list.displacement(), list.path_length());
        for (slot, (body, &[x, y, z, radius])) in (0_u32..).zip(list.order().iter().zip(list.packed())) {
            // Two infinite masses do not touch: their reduced mass is infinite too.
            if radius <= 0.0 || list.fixed().binary_search(&(*body as usize)).is_ok() {
                continue;
            }
            let centre = DVec3::new(x, y, z);
            self.extent = self.extent.max((centre - placed.point).length() + radius + margin);
            match placed.surface() {
                PlacedSurface::Plane { origin, out } => {
                    if (centre - origin).dot(out) <= radius + margin {
                        self.slots.push(slot);
                    }
                }
                PlacedSurface::Surface(surface) => {
                    surface.near(placed.local(centre), radius + margin, &mut self.pieces);
                    if self.pieces.len() as u32 > self.start[self.start.len() - 1] {
                        self.slots.push(slot);
                        self.start.push(self.pieces.len() as u32);
                    }
                }
            }
        }
    }
}
