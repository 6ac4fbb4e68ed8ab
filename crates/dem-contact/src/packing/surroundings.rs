use rrp_geom::glam::DVec3;

use crate::neighbor::domain::{Boundary, Domain};
use crate::wall::Wall;
use crate::wall::images::{TouchedPoints, whole_numbers};

/// A fixed sphere that the spheres of a packing, or inserted grains, must not overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    /// Centre in m of the fixed sphere.
    pub center: DVec3,
    /// Radius in m of the fixed sphere.
    pub radius: f64,
}

/// Fixed spheres and walls that the spheres of a packing keep clear of.
#[derive(Debug, Clone, Copy, Default)]
pub struct Surroundings<'a> {
    /// Fixed spheres that the spheres of a packing must not overlap.
    pub spheres: &'a [Sphere],
    /// Walls in their poses at time zero. Spheres stay out of solids, and keep so far from the back of a one-sided
    /// [`Revolution`](crate::wall::Revolution) that a move by a radius does not reach it.
    pub walls: &'a [Wall],
    /// Distances in m of the periodic images of spheres and walls; zero in directions without images.
    pub periods: DVec3,
}

impl Surroundings<'_> {
    /// Returns the spheres and their images that reach into the box of `domain`, grown by `margin` (m). Images in
    /// directions in which the domain itself is periodic are left out.
    pub(crate) fn spheres_in(&self, domain: &Domain, margin: f64) -> Vec<Sphere> {
        let mut found = Vec::new();
        for &Sphere { center, radius } in self.spheres {
            let reach = radius + margin;
            let range = |c: usize| {
                let low = domain.low()[c] - reach - center[c];
                let high = domain.high()[c] + reach - center[c];
                if domain.boundary()[c] == Boundary::Periodic {
                    return [0.0, 0.0];
                }
                match self.periods[c] {
                    period if period > 0.0 => [(low / period).ceil(), (high / period).floor()],
                    // Without a period there is at most the sphere itself.
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

    /// Whether a sphere would overlap a wall, be in a solid, or be too near to the back of a one-sided wall.
    pub(crate) fn walls_block(&self, sphere: Sphere, points: &mut TouchedPoints) -> bool {
        let Sphere { center, radius } = sphere;
        self.walls.iter().any(|wall| {
            wall.placed(0.0).touch(center, radius, self.periods, points);
            !points.touched.is_empty() || wall.is_in_solid(center, 0.0, self.periods) || is_near_back(wall, sphere)
        })
    }

    pub(super) fn hold_in_solid(&self, center: DVec3) -> bool {
        self.walls.iter().any(|wall| wall.is_in_solid(center, 0.0, self.periods))
    }

    /// Whether a move by a radius would bring a sphere to the back of a one-sided wall.
    pub(super) fn hold_near_back(&self, sphere: Sphere) -> bool {
        self.walls.iter().any(|wall| is_near_back(wall, sphere))
    }

    /// Adds the displacements (m) of a sphere out of walls to `push`; returns the largest overlap (m) with a wall.
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

/// Whether the surface of a sphere behind a one-sided wall is nearer to the wall than a radius.
fn is_near_back(wall: &Wall, Sphere { center, radius }: Sphere) -> bool {
    wall.is_at_back(center, 0.0, 2.0 * radius)
}
