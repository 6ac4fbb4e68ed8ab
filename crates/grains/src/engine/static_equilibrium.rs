//! Static equilibrium as a run of one step.

use dem_contact::error::DemError;
use dem_contact::force::ContactForce;
use dem_contact::law::LawTable;
use dem_contact::statics::{EnergyMinimizer, Equilibrium, gravity_load};
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Gravity, IntegrateError, Potential, State};
use serde::{Deserialize, Serialize};

use super::{Built, Engine, RestoreError};
use crate::build::parts::{ContactParts, NewContacts, Parts};
use crate::error::GrainsError;
use crate::reading::{ContactRow, Energies, Reading};
use crate::scene::integrator::StaticMethod;

/// The engine that searches for static equilibrium, as a run of one step.
struct StaticEquilibriumEngine {
    minimizer: EnergyMinimizer,
    contacts: ContactForce,
    gravity: Gravity,
    equilibrium: Option<Equilibrium>,
}

/// An engine of static equilibrium as checkpoints store it.
#[derive(Serialize, Deserialize)]
struct StoredEquilibrium {
    /// The equilibrium that was found; none before the step.
    equilibrium: Option<Equilibrium>,
    walls: Vec<Wall>,
}

/// Builds the engine of a scene. A restored engine has the stored `equilibrium`.
///
/// # Errors
/// For an invalid scene; the error names the key.
pub(super) fn build(
    method: &StaticMethod,
    Parts { contacts, gravity, .. }: Parts,
    laws: LawTable,
    equilibrium: Option<Equilibrium>,
) -> Result<Built, GrainsError> {
    let minimizer = EnergyMinimizer::new(method.tolerance.unwrap_or(1e-12), method.max_steps.unwrap_or(1_000_000));
    let minimizer = minimizer.map_err(GrainsError::refused_number("integrator.static"))?;
    let NewContacts { contacts, lost_histories } = contacts.with_laws(laws)?;
    let gravity = Gravity { acceleration: gravity };
    Ok(Built {
        engine: Box::new(StaticEquilibriumEngine { minimizer, contacts, gravity, equilibrium }),
        lost_histories,
    })
}

///
/// # Errors
/// [`RestoreError`].
pub(super) fn restore(
    method: &StaticMethod,
    parts: Parts,
    laws: LawTable,
    bytes: &[u8],
) -> Result<Box<dyn Engine>, RestoreError> {
    let StoredEquilibrium { equilibrium, walls } = postcard::from_bytes(bytes)?;
    let contacts = ContactParts { walls, ..parts.contacts };
    Ok(build(method, Parts { contacts, ..parts }, laws, equilibrium)?.engine)
}

impl Engine for StaticEquilibriumEngine {
    fn step(&mut self, bodies: &Bodies, state: &mut State) -> Result<usize, IntegrateError> {
        let load = gravity_load(bodies, self.gravity.acceleration);
        let found = self.minimizer.minimize(bodies, &self.contacts, &load, state);
        let found = found.map_err(|error| IntegrateError::Method(error.into()))?;
        let iterations = found.steps + found.iterations;
        self.equilibrium = Some(found);
        Ok(iterations)
    }

    fn read(&self, bodies: &Bodies, state: &State) -> Result<Reading, DemError> {
        let energies = Energies {
            elastic: self.contacts.elastic_energy(bodies, state)?,
            external: self.gravity.energy(bodies, state),
            ..Energies::default()
        };
        let contacts = match &self.equilibrium {
            Some(found) => found.contacts.clone(),
            None => self.contacts.contacts(bodies, state)?,
        };
        let mut forces = vec![DVec3::ZERO; self.contacts.walls().len()];
        for contact in &contacts {
            if let Some(wall) = contact.b.wall() {
                forces[wall] += contact.normal_force * contact.normal;
            }
        }
        let rows = contacts.iter().map(ContactRow::from).collect();
        Ok(Reading::new(bodies, state, energies, rows, forces))
    }

    fn store(&self) -> Result<Vec<u8>, postcard::Error> {
        let walls = self.contacts.walls().to_vec();
        postcard::to_stdvec(&StoredEquilibrium { equilibrium: self.equilibrium.clone(), walls })
    }
}
