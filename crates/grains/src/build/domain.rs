//! The domain of a scene.

use dem_contact::neighbor::Domain;

use crate::error::GrainsError;
use crate::scene::Scene;
use crate::value::vector;

/// Returns the domain that the bodies are in: the box of the scene, or all of space.
///
/// # Errors
/// For an invalid box.
pub(crate) fn domain(scene: &Scene) -> Result<Domain, GrainsError> {
    let Some(space) = &scene.simulation_box else { return Ok(Domain::OPEN) };
    let low = vector("box.low", space.low)?;
    let high = vector("box.high", space.high)?;
    Domain::new(low, high, space.boundary).map_err(GrainsError::refused("box.high"))
}
