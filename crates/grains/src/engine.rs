//! What moves the bodies of a scene, behind one face.

mod explicit;
mod implicit;
mod laws;
mod materials;
mod memoryless;
mod rigid;
mod slipping;
mod sprung;
mod still;
mod surroundings;
mod work;

use dem_contact::bond::Bonds;
use dem_contact::error::DemError;
use rrp_integrate::{Bodies, IntegrateError, State};

use crate::build::parts::Parts;
use crate::scene::{Method, Scene};
use crate::{GrainsError, Location, Reading};

pub(crate) use laws::{Normal, Tangent, WithLaws, with_all_laws, with_laws};

/// An integrator with all that acts.
pub(crate) trait Engine: Send {
    /// Takes one step and returns the iterations of its solver.
    fn step(&mut self, bodies: &Bodies, state: &mut State) -> Result<usize, IntegrateError>;

    /// Reads energies, contacts and loads; changes nothing.
    fn read(&self, bodies: &Bodies, state: &State) -> Result<Reading, DemError>;

    /// What a restart needs beside bodies, state and scene.
    fn store(&self) -> Result<Vec<u8>, postcard::Error>;

    /// The bonds, to be drawn.
    fn bonds(&self) -> Option<&Bonds> {
        None
    }
}

/// Makes the engine of `scene` from its parts.
pub(crate) fn build(scene: &Scene, parts: Parts, dt: f64) -> Result<Box<dyn Engine>, GrainsError> {
    known(scene)?;
    match &scene.integrator {
        Method::Verlet | Method::Rodrigues23 | Method::Rodrigues25 => {
            with_all_laws(scene.law()?, explicit::Build { scene, parts, dt })?
        }
        Method::Implicit(_) | Method::ExactEnergy => with_laws(scene.law()?, implicit::Build { scene, parts, dt })?,
        Method::Static(method) => with_laws(scene.law()?, still::Build { method, parts, stored: None })?,
        Method::ContactDynamics(method) => Ok(Box::new(rigid::Rigid::new(method, parts, dt)?)),
    }
}

/// Passes a scene without laws of contacts that its integrator would leave out.
fn known(scene: &Scene) -> Result<(), GrainsError> {
    let Some(model) = &scene.contact else { return Ok(()) };
    let resistance = || model.resistances().into_iter().flatten().next().map(|(key, _)| key);
    let (unknown, problem) = match scene.integrator {
        Method::Verlet | Method::Rodrigues23 | Method::Rodrigues25 => return Ok(()),
        Method::Implicit(_) | Method::ExactEnergy => {
            (resistance(), "only explicit integrators know resistance to rolling and twisting")
        }
        Method::Static(_) => (
            model.key_of_friction().or_else(resistance),
            "static equilibrium is sought without friction and without resistance to rolling and twisting",
        ),
        Method::ContactDynamics(_) => (
            model.key_of_friction().or_else(resistance),
            "contact dynamics takes bodies without friction and without resistance to rolling and twisting",
        ),
    };
    let several = matches!(scene.integrator, Method::Static(_)) && model.names().len() > 1;
    if several && unknown.is_none() {
        let (at, problem) = (Location::of(model.key_of_materials()), "static equilibrium is sought with one material");
        return Err(GrainsError::Conflict { at, problem });
    }
    unknown.map_or(Ok(()), |key| Err(GrainsError::Conflict { at: Location::of(key), problem }))
}

/// Makes the engine of `scene` from what it had stored.
pub(crate) fn restore(scene: &Scene, parts: Parts, dt: f64, bytes: &[u8]) -> Result<Box<dyn Engine>, GrainsError> {
    let unusable = |error: postcard::Error| GrainsError::UnusableCheckpoint {
        path: std::path::PathBuf::new(),
        problem: error.to_string(),
    };
    match &scene.integrator {
        Method::Verlet | Method::Rodrigues23 | Method::Rodrigues25 => {
            with_all_laws(scene.law()?, explicit::Restore { scene, dt, bytes })?
        }
        Method::Implicit(_) | Method::ExactEnergy => {
            with_laws(scene.law()?, implicit::Restore { scene, bytes })?.map_err(unusable)
        }
        Method::Static(method) => with_laws(scene.law()?, still::Build { method, parts, stored: Some(bytes) })?,
        Method::ContactDynamics(method) => {
            let engine = rigid::Rigid::new(method, parts, dt)?.restored(bytes).map_err(unusable)?;
            Ok(Box::new(engine))
        }
    }
}
