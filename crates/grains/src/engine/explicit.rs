//! Explicit maps.

use dem_contact::bond::{Bonds, ElasticWall, Ties};
use dem_contact::error::DemError;
use dem_contact::force::{ContactForce, Ledger};
use dem_contact::law::LawTable;
use rrp_integrate::Both;
use rrp_integrate::{Bodies, Explicit, Gravity, IntegrateError, Integrator, Map, Potential, State};

use super::surroundings::Surroundings;
use super::{Engine, Normal, Tangent, WithLaws};
use crate::build::parts::{Parts, contacts};
use crate::reading::{ContactRow, Energies};
use crate::scene::{Method, Scene};
use crate::{GrainsError, Reading};

/// An explicit map with contacts and all else that acts.
struct Stepped<L, T: Tangent> {
    map: Explicit,
    field: Both<ContactForce<L, T>, Surroundings>,
}

/// What a restart needs.
type Stored<L, T> = (ContactForce<L, T>, Option<Bonds>, Option<Ties>, Vec<ElasticWall>);

fn map(scene: &Scene, dt: f64) -> Result<Explicit, GrainsError> {
    let map = match scene.integrator {
        Method::Rodrigues23 => Map::Rodrigues23,
        Method::Rodrigues25 => Map::Rodrigues25,
        _ => Map::Verlet,
    };
    Explicit::new(map, dt).map_err(|error| GrainsError::refused("time.dt")(error.into()))
}

/// Makes the engine of a scene.
pub(super) struct Build<'a> {
    pub(super) scene: &'a Scene,
    pub(super) parts: Parts,
    pub(super) dt: f64,
}

impl WithLaws for Build<'_> {
    type Output = Result<Box<dyn Engine>, GrainsError>;

    fn with<L: Normal, T: Tangent>(self, laws: LawTable<L, T>) -> Self::Output {
        let Parts { list, walls, elastic, gravity, bonds, ties, materials } = self.parts;
        let list = match &ties {
            Some(ties) => list.without_pairs(ties.pairs().iter().copied()),
            None => list,
        };
        let made = contacts(list, laws, materials)?;
        let contacts = made.with_walls(walls).map_err(GrainsError::refused("walls"))?.with_ledger();
        let surroundings = Surroundings { gravity: Gravity { acceleration: gravity }, bonds, ties, walls: elastic };
        Ok(Box::new(Stepped { map: map(self.scene, self.dt)?, field: Both(contacts, surroundings) }))
    }
}

/// Makes the engine of a scene from what it had stored.
pub(super) struct Restore<'a> {
    pub(super) scene: &'a Scene,
    pub(super) dt: f64,
    pub(super) bytes: &'a [u8],
}

impl WithLaws for Restore<'_> {
    type Output = Result<Box<dyn Engine>, GrainsError>;

    fn with<L: Normal, T: Tangent>(self, _: LawTable<L, T>) -> Self::Output {
        let (contacts, bonds, ties, walls): Stored<L, T> = postcard::from_bytes(self.bytes).map_err(|error| {
            GrainsError::UnusableCheckpoint { path: std::path::PathBuf::new(), problem: error.to_string() }
        })?;
        let acceleration = rrp_geom::glam::DVec3::from_array(self.scene.gravity);
        let surroundings = Surroundings { gravity: Gravity { acceleration }, bonds, ties, walls };
        Ok(Box::new(Stepped { map: map(self.scene, self.dt)?, field: Both(contacts, surroundings) }))
    }
}

impl<L: Normal, T: Tangent> Engine for Stepped<L, T> {
    fn step(&mut self, bodies: &Bodies, state: &mut State) -> Result<usize, IntegrateError> {
        self.map.step(bodies, &mut self.field, state).map(|report| report.iterations)
    }

    fn read(&self, bodies: &Bodies, state: &State) -> Result<Reading, DemError> {
        let Both(contacts, rest) = &self.field;
        let ledger = Ledger::read(contacts, rest, bodies, state)?;
        let of_walls = rest.walls.iter().map(|wall| wall.energy(bodies, state)).sum::<f64>();
        let of_ties = rest.ties.as_ref().map_or(0.0, |ties| ties.energy(bodies, state));
        let energies = Energies {
            elastic: ledger.elastic + ledger.tangential + of_walls + of_ties,
            external: ledger.external,
            bonds: rest.bonds.as_ref().map_or(0.0, |bonds| bonds.energies(bodies, state).total()),
            released: rest.bonds.as_ref().map_or(0.0, Bonds::released),
            dissipated: Some(ledger.dissipated),
            wall_work: Some(ledger.wall_work),
        };
        let rows = contacts.contacts(bodies, state)?.iter().map(ContactRow::from).collect();
        let forces = contacts.wall_loads().iter().map(|load| load.force);
        let forces = forces.chain(rest.walls.iter().map(dem_contact::bond::ElasticWall::force)).collect();
        Ok(Reading::new(bodies, state, energies, rows, forces))
    }

    fn store(&self) -> Result<Vec<u8>, postcard::Error> {
        let Both(contacts, rest) = &self.field;
        postcard::to_stdvec(&(contacts, &rest.bonds, &rest.ties, &rest.walls))
    }

    fn bonds(&self) -> Option<&Bonds> {
        self.field.1.bonds.as_ref()
    }
}
