//! The explicit integrator of a scene, damped or not.

use rrp_integrate::step::{Damped, ExplicitIntegrator};
use rrp_integrate::{Explicit, Map};

use crate::build::damping::damping;
use crate::error::GrainsError;
use crate::scene::Scene;
use crate::scene::integrator::Method;

/// Makes the integrator of a scene for steps of `dt` (s); `work` is the energy (J) that global damping has dissipated
/// so far.
///
/// # Errors
/// For an invalid step or damping.
pub(super) fn explicit_integrator(scene: &Scene, dt: f64, work: f64) -> Result<ExplicitIntegrator, GrainsError> {
    let made = match damping(scene)? {
        None => Explicit::new(map(scene), dt).map(ExplicitIntegrator::from),
        Some(damping) => {
            Damped::new(map(scene), dt, damping).and_then(|map| map.with_work(work)).map(ExplicitIntegrator::from)
        }
    };
    made.map_err(|error| GrainsError::refused("time.dt")(error.into()))
}

fn map(scene: &Scene) -> Map {
    match scene.integrator {
        Method::Rodrigues23 => Map::Rodrigues23,
        Method::Rodrigues25 => Map::Rodrigues25,
        _ => Map::Verlet,
    }
}
