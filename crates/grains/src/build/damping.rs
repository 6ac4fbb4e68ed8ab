//! Global damping of a scene.

use rrp_integrate::step::GlobalDamping;

use crate::error::GrainsError;
use crate::scene::Scene;
use crate::scene::damping::Damping;

/// Returns the global damping of a scene, if any.
///
/// # Errors
/// For values out of range, integrators that have no damping, and boxes that deform.
pub(crate) fn damping(scene: &Scene) -> Result<Option<GlobalDamping>, GrainsError> {
    let (key, damping, range, value) = match scene.global_damping {
        None | Some(Damping::Off) => return Ok(None),
        Some(Damping::Viscous(rate)) => ("viscous", GlobalDamping::Viscous { rate }, "finite and positive", rate),
        Some(Damping::Cundall(coefficient)) => {
            ("cundall", GlobalDamping::Cundall { coefficient }, "above 0 and below 1", coefficient)
        }
    };
    if damping.check().is_err() {
        return Err(GrainsError::out_of_range(format!("global-damping.{key}"), range, value));
    }
    let conflict = |problem| Err(GrainsError::conflict("global-damping", problem));
    if !scene.integrator.is_explicit() {
        return conflict(
            "only explicit integrators know damping of all motion; in a stage with another integrator say \"off\"",
        );
    }
    if scene.deforms() {
        return conflict("a box that deforms carries its bodies along, which damping of all motion would hold back");
    }
    Ok(Some(damping))
}
