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
    /// Contacts of the bodies, with laws by material, walls and, after a restart, contact histories, the energy ledger
    /// and the load on the periodic box.
    pub contacts: ContactForce,
    /// Gravity that acts on all bodies; zero for none.
    pub gravity: Gravity,
    /// Blocked components of the motion of all bodies, which neither contacts nor gravity change.
    pub blocked: Blocked,
    /// Explicit integrator of the run, with its damping and its time step.
    pub integrator: ExplicitIntegrator,
}

impl Scene {
    /// Checks that the state `start` fits the bodies, and that all bodies are spheres, as several ranks require.
    pub(crate) fn check(&self, start: &State) -> Result<(), RanksError> {
        start.check(&self.bodies)?;
        if self.bodies.check_spherical().is_err() {
            return Err(RanksError::NotOnRanks { what: "bodies that are no spheres" });
        }
        Ok(())
    }
}
