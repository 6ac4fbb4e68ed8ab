//! Which bodies are near a wall.

use rrp_geom::glam::DVec3;

use crate::neighbor::NeighborList;
use crate::wall::placed::{Motionless, Placed};

/// The bodies near one wall, for one list and for walls that have not moved much.
#[derive(Debug, Clone, Default)]
pub(crate) struct NearWalls {
    /// Places of the bodies.
    pub(crate) places: Vec<u32>,
    /// Where the pieces of each of them begin, for shapes other than planes, and where the last ones end.
    start: Vec<u32>,
    pieces: Vec<u32>,
    /// Where the wall was, and how far from its point the bodies were at most.
    at: Motionless,
    extent: f64,
    /// What the list had to say of how far bodies have gone, in m.
    moved: f64,
    travelled: f64,
}

impl NearWalls {
    /// Whether the wall or bodies are so far from where they were that bodies may have come near to it.
    pub(crate) fn is_stale(&self, placed: &Placed<'_>, list: &NeighborList) -> bool {
        let body = (list.travelled() - self.travelled).min(list.moved() + self.moved);
        let wall = placed.moved(&self.at, self.extent);
        // A motion of a user's own may have been nowhere then.
        wall.is_nan() || wall > 0.5 * list.skin() || body > list.skin() * (1.0 - 1e-9)
    }

    /// The pieces near the body number `k` of the places.
    #[inline]
    pub(crate) fn pieces(&self, k: usize) -> &[u32] {
        &self.pieces[self.start[k] as usize..self.start[k + 1] as usize]
    }

    /// Finds them.
    pub(crate) fn find(&mut self, placed: &Placed<'_>, list: &NeighborList) {
        // Until the next search a body moves at most by the skin and a wall by half of it.
        let reach = 1.5 * list.skin();
        self.places.clear();
        self.pieces.clear();
        self.start.clear();
        self.start.push(0);
        (self.at, self.extent) = (placed.motionless(), 0.0);
        (self.moved, self.travelled) = (list.moved(), list.travelled());
        for (place, (body, &[x, y, z, radius])) in (0_u32..).zip(list.order().iter().zip(list.packed())) {
            // Two infinite masses do not touch: their reduced mass is infinite too.
            if radius <= 0.0 || list.fixed().binary_search(&(*body as usize)).is_ok() {
                continue;
            }
            let centre = DVec3::new(x, y, z);
            self.extent = self.extent.max((centre - placed.point).length() + radius + reach);
            match (placed.plane(), placed.shape.surface()) {
                (Some((origin, normal)), _) if (centre - origin).dot(normal) <= radius + reach => {
                    self.places.push(place)
                }
                (None, Some(surface)) => {
                    surface.near(placed.local(centre), radius + reach, &mut self.pieces);
                    if self.pieces.len() as u32 > self.start[self.start.len() - 1] {
                        self.places.push(place);
                        self.start.push(self.pieces.len() as u32);
                    }
                }
                _ => {}
            }
        }
    }
}
