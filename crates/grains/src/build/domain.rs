//! The domain of a scene.

use dem_contact::neighbor::{Boundary, Domain};

use crate::error::GrainsError;
use crate::scene::{Scene, space};
use crate::value::vector;

/// The domain of the bodies.
///
/// # Errors
/// For a box without meaning.
pub(crate) fn domain(scene: &Scene) -> Result<Domain, GrainsError> {
    let Some(space) = &scene.simulation_box else { return Ok(Domain::OPEN) };
    let (low, high) = (vector("box.low", space.low)?, vector("box.high", space.high)?);
    let boundary = space.boundary.map(|boundary| match boundary {
        space::Boundary::Periodic => Boundary::Periodic,
        space::Boundary::Closed => Boundary::Closed,
        space::Boundary::Open => Boundary::Open,
    });
    Domain::new(low, high, boundary).map_err(GrainsError::refused("box.high"))
}
