//! Static equilibrium as a run of one step.

use dem_contact::error::DemError;
use dem_contact::force::ContactForce;
use dem_contact::law::{Frictionless, LawTable};
use dem_contact::statics::{EnergyMinimizer, Equilibrium, weight};
use dem_contact::wall::Wall;
use rrp_integrate::{Bodies, Gravity, IntegrateError, Potential, State};

use super::{Engine, Normal, Tangent, WithLaws};
use crate::build::parts::{Parts, contacts};
use crate::reading::{ContactRow, Energies};
use crate::scene::StaticMethod;
use crate::{GrainsError, Reading, build};

/// The search for static equilibrium.
struct Settled<L> {
    minimizer: EnergyMinimizer,
    contacts: ContactForce<L, Frictionless>,
    gravity: Gravity,
    found: Option<Equilibrium>,
}

/// Makes the engine of a scene, from what it had stored if there is something.
pub(super) struct Build<'a> {
    pub(super) method: &'a StaticMethod,
    pub(super) parts: Parts,
    pub(super) stored: Option<&'a [u8]>,
}

impl WithLaws for Build<'_> {
    type Output = Result<Box<dyn Engine>, GrainsError>;

    fn with<L: Normal, T: Tangent>(self, laws: LawTable<L, T>) -> Self::Output {
        let Parts { list, walls, gravity, materials, .. } = self.parts;
        let tolerance = self.method.tolerance.unwrap_or(1e-12);
        build::positive("integrator.static.tolerance", tolerance)?;
        let minimizer = EnergyMinimizer::new(tolerance, self.method.max_steps.unwrap_or(1_000_000));
        let minimizer = minimizer.map_err(GrainsError::refused("integrator.static.tolerance"))?;
        let stored = self.stored.map(postcard::from_bytes::<(Option<Equilibrium>, Vec<Wall>)>).transpose();
        let stored = stored.map_err(|error| GrainsError::UnusableCheckpoint {
            path: std::path::PathBuf::new(),
            problem: error.to_string(),
        })?;
        let (found, walls) = stored.unwrap_or((None, walls));
        // Tangential forces have no part in what is sought.
        let laws = LawTable::new(laws.materials(), |a, b| Ok((laws.between(a, b).0, Frictionless)));
        let made = contacts(list, laws.map_err(GrainsError::refused("contact"))?, materials)?;
        let contacts = made.with_walls(walls).map_err(GrainsError::refused("walls"))?;
        Ok(Box::new(Settled { minimizer, contacts, gravity: Gravity { acceleration: gravity }, found }))
    }
}

impl<L: Normal> Engine for Settled<L> {
    fn step(&mut self, bodies: &Bodies, state: &mut State) -> Result<usize, IntegrateError> {
        let load = weight(bodies, self.gravity.acceleration);
        let found = self.minimizer.minimize(bodies, &self.contacts, &load, state);
        let found = found.map_err(|error| IntegrateError::Method(error.into()))?;
        let iterations = found.steps + found.iterations;
        self.found = Some(found);
        Ok(iterations)
    }

    fn read(&self, bodies: &Bodies, state: &State) -> Result<Reading, DemError> {
        let energies = Energies {
            elastic: self.contacts.elastic_energy(bodies, state)?,
            external: self.gravity.energy(bodies, state),
            ..Energies::default()
        };
        let contacts = match &self.found {
            Some(found) => found.contacts.clone(),
            None => self.contacts.contacts(bodies, state)?,
        };
        let mut forces = vec![rrp_geom::glam::DVec3::ZERO; self.contacts.walls().len()];
        for contact in contacts.iter().filter(|contact| contact.with_wall) {
            forces[contact.b] += contact.normal_force * contact.normal;
        }
        let rows = contacts.iter().map(ContactRow::from).collect();
        Ok(Reading::new(bodies, state, energies, rows, forces))
    }

    fn store(&self) -> Result<Vec<u8>, postcard::Error> {
        postcard::to_stdvec(&(&self.found, self.contacts.walls()))
    }
}
