//! The scene from which a run on several ranks is made.

use dem_contact::force::ContactForce;
use rrp_integrate::field::Blocked;
use rrp_integrate::step::ExplicitIntegrator;
use rrp_integrate::{Bodies, Gravity, State};

use crate::error::RanksError;

/// All bodies and the forces on them. Each rank has the whole scene: constants of bodies, laws, walls.
#[derive(Debug, Clone)]
pub struct Scene {
    /// All bodies: spheres.
    pub bodies: Bodies,
    /// Contacts of the bodies, with laws by material, walls and, after a restart, histories, ledger and the load of the
    /// box.
    pub contacts: ContactForce,
    /// The weight of the bodies; zero if they have none.
    pub gravity: Gravity,
    /// Components of motion that neither contacts nor gravity change.
    pub blocked: Blocked,
    /// The map, damped or not, and its time step.
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
