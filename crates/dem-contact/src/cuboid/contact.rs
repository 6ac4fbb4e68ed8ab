//! Where a sphere and a plank touch.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::cuboid::shape::Cuboid;
use crate::neighbor::domain::Domain;

/// A sphere near a plank.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CuboidContact {
    /// Unit normal from the plank to the sphere, world frame.
    pub(crate) normal: DVec3,
    /// Gap in m, negative where they overlap.
    pub(crate) gap: f64,
    /// From the centre of the plank to its nearest point, world frame.
    pub(crate) arm: DVec3,
}

/// How the sphere and the plank meet, unless they are further apart than `reach` (m) for sure.
pub(crate) fn meet(
    domain: &Domain,
    plank: &Cuboid,
    sphere: usize,
    bodies: &Bodies,
    state: &State,
    reach: f64,
) -> Option<CuboidContact> {
    let radius = bodies.radius()[sphere];
    let away = domain.separation(state.position().get(plank.body), state.position().get(sphere));
    // Whatever is not a number is for those to report who look at states.
    if radius <= 0.0 || sphere == plank.body || away.length() > plank.reach() + radius + reach {
        return None;
    }
    let attitude = state.attitude().get(plank.body);
    let nearest = plank.nearest(attitude.rotate_inverse(away));
    let (normal, arm) = (attitude.rotate(nearest.normal), attitude.rotate(nearest.point));
    Some(CuboidContact { normal, gap: nearest.distance - radius, arm })
}
