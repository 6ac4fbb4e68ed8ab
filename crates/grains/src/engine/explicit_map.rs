//! The explicit map of a scene, damped or not.

use rrp_integrate::step::Damped;
use rrp_integrate::{Bodies, Explicit, ForceField, IntegrateError, Integrator, Map, State};

use crate::build::damping::damping;
use crate::error::GrainsError;
use crate::scene::Scene;
use crate::scene::integrator::Method;

pub(super) enum ExplicitMap {
    Undamped(Explicit),
    Damped(Damped),
}

impl ExplicitMap {
    /// The map of a scene for steps of `dt` (s), after damping has taken the energy `work` (J).
    ///
    /// # Errors
    /// For a step or a damping without meaning.
    pub(super) fn of(scene: &Scene, dt: f64, work: f64) -> Result<Self, GrainsError> {
        let Some(damping) = damping(scene)? else { return explicit(scene, dt).map(Self::Undamped) };
        let made = Damped::new(map(scene), dt, damping).and_then(|map| map.with_work(work)).map(Self::Damped);
        made.map_err(|error| GrainsError::refused("time.dt")(error.into()))
    }

    pub(super) fn step(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
    ) -> Result<usize, IntegrateError> {
        let report = match self {
            Self::Undamped(map) => map.step(bodies, field, state),
            Self::Damped(map) => map.step(bodies, field, state),
        };
        report.map(|report| report.iterations)
    }

    /// Energy in J that damping has taken.
    pub(super) fn work_of_damping(&self) -> f64 {
        match self {
            Self::Undamped(_) => 0.0,
            Self::Damped(map) => map.work(),
        }
    }
}

/// The undamped map of a scene for steps of `dt` (s).
///
/// # Errors
/// For a step without meaning.
pub(super) fn explicit(scene: &Scene, dt: f64) -> Result<Explicit, GrainsError> {
    Explicit::new(map(scene), dt).map_err(|error| GrainsError::refused("time.dt")(error.into()))
}

fn map(scene: &Scene) -> Map {
    match scene.integrator {
        Method::Rodrigues23 => Map::Rodrigues23,
        Method::Rodrigues25 => Map::Rodrigues25,
        _ => Map::Verlet,
    }
}
