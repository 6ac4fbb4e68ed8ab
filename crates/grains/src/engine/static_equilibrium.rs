//! Static equilibrium as a run of one step.

use dem_contact::error::DemError;
use dem_contact::force::ContactForce;
use dem_contact::law::LawTable;
use dem_contact::statics::{EnergyMinimizer, Equilibrium, gravity_load};
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Gravity, IntegrateError, Potential, State};

use super::Engine;
use crate::build::parts::{ContactParts, Parts};
use crate::error::GrainsError;
use crate::laws::WithLaws;
use crate::laws::normal::Normal;
use crate::laws::tangential::Tangential;
use crate::reading::{ContactRow, Energies, Reading};
use crate::scene::integrator::StaticMethod;
use crate::value::positive;

/// The search for static equilibrium.
struct StaticEquilibriumEngine<L, T: Tangential> {
    minimizer: EnergyMinimizer,
    contacts: ContactForce<L, T>,
    gravity: Gravity,
    equilibrium: Option<Equilibrium>,
}

/// Builds the engine of a scene.
pub(super) struct Build<'a> {
    pub(super) method: &'a StaticMethod,
    pub(super) parts: Parts,
    /// The equilibrium that was found before the state was stored.
    pub(super) equilibrium: Option<Equilibrium>,
}

impl<'a> Build<'a> {
    /// The same from what an engine had stored.
    pub(super) fn stored(method: &'a StaticMethod, parts: Parts, bytes: &[u8]) -> Result<Self, postcard::Error> {
        let (equilibrium, walls): (Option<Equilibrium>, Vec<Wall>) = postcard::from_bytes(bytes)?;
        let contacts = ContactParts { walls, ..parts.contacts };
        Ok(Self { method, parts: Parts { contacts, ..parts }, equilibrium })
    }
}

impl WithLaws for Build<'_> {
    type Output = Result<Box<dyn Engine>, GrainsError>;

    fn with<L: Normal, T: Tangential>(self, laws: LawTable<L, T>) -> Self::Output {
        let tolerance = positive("integrator.static.tolerance", self.method.tolerance.unwrap_or(1e-12))?;
        let minimizer = EnergyMinimizer::new(tolerance, self.method.max_steps.unwrap_or(1_000_000));
        let minimizer = minimizer.map_err(GrainsError::refused("integrator.static.tolerance"))?;
        let Parts { contacts, gravity, .. } = self.parts;
        let contacts = contacts.with_laws(laws)?;
        let (gravity, equilibrium) = (Gravity { acceleration: gravity }, self.equilibrium);
        Ok(Box::new(StaticEquilibriumEngine { minimizer, contacts, gravity, equilibrium }))
    }
}

impl<L: Normal, T: Tangential> Engine for StaticEquilibriumEngine<L, T> {
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
        postcard::to_stdvec(&(&self.equilibrium, self.contacts.walls()))
    }
}
