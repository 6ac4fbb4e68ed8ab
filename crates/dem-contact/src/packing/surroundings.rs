//! What spheres of a packing keep clear of, beside each other: spheres that are there already, and walls.

use rrp_geom::glam::DVec3;

use crate::neighbor::domain::{Boundary, Domain};
use crate::wall::Wall;
use crate::wall::images::{TouchedPoints, whole_numbers};

/// A sphere that others must not overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    /// In m.
    pub center: DVec3,
    /// In m.
    pub radius: f64,
}

/// What spheres of a packing keep clear of, beside each other.
#[derive(Debug, Clone, Copy, Default)]
pub struct Surroundings<'a> {
    /// Spheres that stay where they are.
    pub spheres: &'a [Sphere],
    /// Walls, where they are at time zero. Spheres stay out of solids and in front of surfaces with one side.
    pub walls: &'a [Wall],
    /// Periods in m of the images of spheres and walls; zero where there are none.
    pub periods: DVec3,
}

impl Surroundings<'_> {
    /// The spheres and images of them that reach into the box of `domain`, grown by `margin` (m). In directions where
    /// the domain itself is periodic, images are its own.
    pub(crate) fn spheres_in(&self, domain: &Domain, margin: f64) -> Vec<Sphere> {
        let mut found = Vec::new();
        for &Sphere { center, radius } in self.spheres {
            let reach = radius + margin;
            let range = |c: usize| {
                let (low, high) = (domain.low()[c] - reach - center[c], domain.high()[c] + reach - center[c]);
                if domain.boundary()[c] == Boundary::Periodic {
                    return [0.0, 0.0];
                }
                match self.periods[c] {
                    period if period > 0.0 => [(low / period).ceil(), (high / period).floor()],
                    // None, or the sphere itself.
                    _ => [0.0, if low <= 0.0 && high >= 0.0 { 0.0 } else { -1.0 }],
                }
            };
            for i in whole_numbers(range(0)) {
                for j in whole_numbers(range(1)) {
                    let image = |k| Sphere { center: center + self.periods * DVec3::new(i, j, k), radius };
                    found.extend(whole_numbers(range(2)).map(image));
                }
            }
        }
        found
    }

    /// Whether a sphere would be behind a wall or overlap it.
    pub(crate) fn walls_block(&self, sphere: Sphere, points: &mut TouchedPoints) -> bool {
        let Sphere { center, radius } = sphere;
        self.walls.iter().any(|wall| {
            wall.placed(0.0).touch(center, radius, self.periods, points);
            !points.touched.is_empty() || self.is_behind(wall, center)
        })
    }

    /// Whether a centre is behind any wall.
    pub(super) fn hold_behind_wall(&self, center: DVec3) -> bool {
        self.walls.iter().any(|wall| self.is_behind(wall, center))
    }

    fn is_behind(&self, wall: &Wall, center: DVec3) -> bool {
        wall.is_in_solid(center, 0.0, self.periods) || wall.is_at_back(center, 0.0)
    }

    /// Adds to `push` (m) how far a sphere has to go out of walls, and returns its largest overlap with one.
    pub(super) fn push_off_walls(&self, sphere: Sphere, points: &mut TouchedPoints, push: &mut [f64]) -> f64 {
        let Sphere { center, radius } = sphere;
        let mut most = f64::NEG_INFINITY;
        for wall in self.walls {
            wall.placed(0.0).touch(center, radius, self.periods, points);
            for touched in &points.touched {
                let overlap = radius - touched.patch.distance;
                let way = touched.patch.normal * overlap;
                push.iter_mut().zip(way.to_array()).for_each(|(push, way)| *push += way);
                most = most.max(overlap);
            }
        }
        most
    }
}
