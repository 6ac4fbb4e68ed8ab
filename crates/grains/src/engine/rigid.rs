//! Choice of the engine of contact dynamics that a scene needs, with friction or without, and energies that both share.

use dem_contact::contact_dynamics::RigidMaterials;
use rrp_integrate::{Bodies, Gravity, State, linear_momentum};

use super::contact_dynamics::ContactDynamicsEngine;
use super::rigid_friction::RigidFrictionEngine;
use super::{Built, Engine, RestoreError};
use crate::build::parts::Parts;
use crate::error::GrainsError;
use crate::laws::materials;
use crate::scene::Scene;
use crate::scene::integrator::ContactDynamicsMethod;

/// An engine of contact dynamics, without friction or with friction.
enum Rigid {
    Frictionless(Box<ContactDynamicsEngine>),
    Friction(Box<RigidFrictionEngine>),
}

/// Upper bound of the tolerance that a scene may give for the solver of contact dynamics. Residuals are relative to the
/// largest change of velocity that contacts have to bring about, or to the forces on a body: contacts without any force
/// have a residual of about 1.
const LOOSEST: f64 = 0.9;

/// Checks the tolerance of the solver of contact dynamics, a relative residual.
///
/// # Errors
/// [`GrainsError::OutOfRange`].
pub(super) fn tolerance(value: f64) -> Result<f64, GrainsError> {
    if value > 0.0 && value < LOOSEST {
        return Ok(value);
    }
    let range = "positive and below 0.9, such as 1e-6: contacts without any force have a residual of about 1";
    Err(GrainsError::out_of_range("integrator.contact-dynamics.tolerance", range, value))
}

/// Builds the engine of `scene`, for steps of `dt` (s). Rigid contacts keep no history, so all begin anew.
///
/// # Errors
/// For an invalid scene; the error names the key.
pub(super) fn build(
    scene: &Scene,
    method: &ContactDynamicsMethod,
    parts: Parts,
    dt: f64,
) -> Result<Built, GrainsError> {
    let begun_anew = parts.contacts.count_histories();
    let engine: Box<dyn Engine> = match rigid(scene, method, parts, dt)? {
        Rigid::Frictionless(_) if method.unsolved.is_some() => {
            let problem = "is for steps with friction, and no contact has friction: leave it out, since a step without \
                           friction that is not solved ends the run, or give `contact.materials` `friction`";
            return Err(GrainsError::conflict("integrator.contact-dynamics.unsolved", problem));
        }
        Rigid::Frictionless(engine) => engine,
        Rigid::Friction(engine) => engine,
    };
    Ok(Built { engine, begun_anew })
}

/// Restores the engine of `scene` from the bytes that it stored.
///
/// # Errors
/// [`RestoreError`].
pub(super) fn restore(
    scene: &Scene,
    method: &ContactDynamicsMethod,
    parts: Parts,
    dt: f64,
    bytes: &[u8],
) -> Result<Box<dyn Engine>, RestoreError> {
    Ok(match rigid(scene, method, parts, dt)? {
        Rigid::Frictionless(engine) => Box::new(engine.restored(bytes)?),
        Rigid::Friction(engine) => Box::new(engine.restored(bytes)?),
    })
}

/// Potential energy of gravity in J half a step of `dt` (s) back, less that of now: Σ dt/2 m g·v.
///
/// A step moves bodies by its last velocities, x⁺ = x + dt v⁺, and forces work at the mean ones, (v + v⁺)/2. So gravity
/// has taken from its energy what belongs to positions half a step back: kinetic energy and this sum balance exactly.
pub(super) fn staggered(gravity: Gravity, dt: f64, bodies: &Bodies, state: &State) -> f64 {
    0.5 * dt * gravity.acceleration.dot(linear_momentum(bodies, state))
}

/// Makes the engine of contact dynamics for `scene`. Friction is needed if any pair of materials has friction or
/// resists rolling or twisting, or if pairs differ in their restitution, of which the step without friction has only
/// one value.
fn rigid(scene: &Scene, method: &ContactDynamicsMethod, parts: Parts, dt: f64) -> Result<Rigid, GrainsError> {
    let model = scene.contact.as_ref().filter(|model| !model.materials.is_empty());
    let Some(model) = model else {
        let restitution = method.restitution.unwrap_or(0.0);
        return Ok(Rigid::Frictionless(Box::new(ContactDynamicsEngine::new(method, restitution, parts, dt)?)));
    };
    let coefficients = with_own_restitution(materials::rigid(model)?, method)?;
    match coefficients.restitution() {
        Some(restitution) if coefficients.are_frictionless() => {
            Ok(Rigid::Frictionless(Box::new(ContactDynamicsEngine::new(method, restitution, parts, dt)?)))
        }
        _ => Ok(Rigid::Friction(Box::new(RigidFrictionEngine::new(scene, method, coefficients, parts, dt)?))),
    }
}

/// Returns the coefficients of materials; the restitution of the integrator, if the scene gives one, holds for all
/// pairs.
fn with_own_restitution(
    coefficients: RigidMaterials,
    method: &ContactDynamicsMethod,
) -> Result<RigidMaterials, GrainsError> {
    match method.restitution {
        None => Ok(coefficients),
        Some(restitution) => coefficients
            .with_restitution(restitution)
            .map_err(GrainsError::refused("integrator.contact-dynamics.restitution")),
    }
}
