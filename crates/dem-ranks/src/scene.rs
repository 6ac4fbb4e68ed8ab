//! The scene from which a run on several ranks is made.

use dem_contact::force::ContactForce;
use rrp_integrate::field::Blocked;
use rrp_integrate::step::ExplicitIntegrator;
use rrp_integrate::{Bodies, Gravity, State};

use crate::error::RanksError;

/// All bodies and the forces on them. Each rank has the whole scene: constants of bodies, laws and walls.
#[derive(Debug, Clone)]
pub struct Scene {
    /// Constants of all bodies, which must be spheres.
    pub bodies: Bodies,
    /// Contacts of the bodies, with laws by material, walls and, after a restart, histories, ledger and the load of the
    /// box.
    pub contacts: ContactForce,
    /// Gravity that acts on all bodies; zero for none.
    pub gravity: Gravity,
    /// Components of the motion of bodies that neither contacts nor gravity change.
    pub blocked: Blocked,
    /// Integrator of the run: map, damping and time step.
    pub integrator: ExplicitIntegrator,
}

impl Scene {
    /// Checks that the scene can be run on several ranks from `start`.
    pub(crate) fn check(&self, start: &State) -> Result<(), RanksError> {
        start.check(&self.bodies)?;
        if self.bodies.check_spherical().is_err() {
            return Err(RanksError::NotOnRanks { what: "bodies that are no spheres" });
        }
        Ok(())
    }
}
