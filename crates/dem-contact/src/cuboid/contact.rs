use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::cuboid::shape::Cuboid;
use crate::neighbor::domain::Domain;

#[derive(Debug, Clone, Copy)]
pub(crate) struct CuboidContact {
    /// Unit normal of the contact, from the cuboid to the sphere.
    pub(crate) normal: DVec3,
    /// Gap between cuboid and sphere in m, negative where they overlap.
    pub(crate) gap: f64,
    /// Vector from the centre of the cuboid to its point nearest to the sphere, in m.
    pub(crate) arm: DVec3,
}

/// Returns the contact or gap of a sphere and a cuboid; `None` if the body has no radius, or if a bound on the distance
/// shows that the gap exceeds `largest_gap` (m).
pub(crate) fn sphere_contact(
    domain: &Domain,
    cuboid: &Cuboid,
    sphere: usize,
    bodies: &Bodies,
    state: &State,
    largest_gap: f64,
) -> Option<CuboidContact> {
    let radius = bodies.radius()[sphere];
    let away = domain.separation(state.position().get(cuboid.body), state.position().get(sphere));
    // NaN positions pass; the check of the state reports them.
    if radius <= 0.0 || sphere == cuboid.body || away.length() > cuboid.bounding_radius() + radius + largest_gap {
        return None;
    }
    let attitude = state.attitude().get(cuboid.body);
    let nearest = cuboid.nearest(attitude.rotate_inverse(away));
    let normal = attitude.rotate(nearest.normal);
    let arm = attitude.rotate(nearest.point);
    Some(CuboidContact { normal, gap: nearest.distance - radius, arm })
}
