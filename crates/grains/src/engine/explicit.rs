//! Explicit integrators.

use dem_contact::bond::{Bonds, ElasticWall, Ties};
use dem_contact::bridge::Bridges;
use dem_contact::error::DemError;
use dem_contact::force::{BoxDrive, ContactForce, Ledger, NewBodies, StoredContacts};
use dem_contact::neighbor::Domain;
use dem_contact::wall::{Servo, Wall};
use rrp_geom::glam::DVec3;
use rrp_integrate::step::{ExplicitIntegrator, evaluate_wrenches};
use rrp_integrate::{Bodies, Both, Gravity, IntegrateError, Integrator as _, Potential as _, Renumbering, State};
use serde::{Deserialize, Serialize};

use super::explicit_integrator::explicit_integrator;
use super::surroundings::Surroundings;
use super::{Built, ComingBodies, Engine, LeavingBodies, RestoreError};
use crate::build::checks::blocked;
use crate::build::parts::{Handover, NewContacts, Parts};
use crate::error::GrainsError;
use crate::laws::laws;
use crate::reading::{ContactRow, Energies, Liquid, Reading};
use crate::scene::Scene;

/// The engine of explicit steps: an explicit map with all forces.
pub(super) struct ExplicitEngine {
    pub(super) map: ExplicitIntegrator,
    pub(super) field: Both<ContactForce, Surroundings>,
}

/// An explicit engine as checkpoints store it, and as ranks share it out.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredExplicit {
    pub(super) contacts: StoredContacts,
    pub(super) bonds: Option<Bonds>,
    pub(super) ties: Option<Ties>,
    pub(super) bridges: Option<Bridges>,
    /// Elastic walls of the scene.
    pub(super) walls: Vec<ElasticWall>,
    /// Energy in J that global damping has taken so far.
    pub(super) work_of_damping: f64,
}

///
/// # Errors
/// For an invalid scene; the error names the key.
pub(super) fn build(scene: &Scene, parts: Parts, dt: f64) -> Result<Built, GrainsError> {
    let Parts { mut contacts, elastic_walls, gravity, bonds, ties, bridges } = parts;
    if let Some(ties) = &ties {
        contacts.list = contacts.list.without_pairs(ties.pairs().iter().copied());
    }
    let NewContacts { contacts, lost_histories } = contacts.with_laws(laws(scene.contact_model()?)?)?;
    let contacts = contacts.with_ledger();
    let gravity = Gravity { acceleration: gravity };
    let surroundings = Surroundings { gravity, bonds, ties, bridges, walls: elastic_walls, blocked: blocked(scene) };
    let map = explicit_integrator(scene, dt, 0.0)?;
    Ok(Built { engine: Box::new(ExplicitEngine { map, field: Both(contacts, surroundings) }), lost_histories })
}

///
/// # Errors
/// [`RestoreError`].
pub(super) fn restore(scene: &Scene, dt: f64, bytes: &[u8]) -> Result<Box<dyn Engine>, RestoreError> {
    let StoredExplicit { contacts, bonds, ties, bridges, walls, work_of_damping } = postcard::from_bytes(bytes)?;
    let contacts = contacts.restore(laws(scene.contact_model()?)?)?;
    let gravity = Gravity { acceleration: DVec3::from_array(scene.gravity) };
    let surroundings = Surroundings { gravity, bonds, ties, bridges, walls, blocked: blocked(scene) };
    let map = explicit_integrator(scene, dt, work_of_damping)?;
    Ok(Box::new(ExplicitEngine { map, field: Both(contacts, surroundings) }))
}

impl Engine for ExplicitEngine {
    fn step(&mut self, bodies: &Bodies, state: &mut State) -> Result<usize, IntegrateError> {
        self.map.step(bodies, &mut self.field, state).map(|report| report.iterations)
    }

    fn evaluate(&mut self, bodies: &Bodies, state: &mut State) -> Result<(), IntegrateError> {
        evaluate_wrenches(bodies, &mut self.field, state)
    }

    fn read(&self, bodies: &Bodies, state: &State) -> Result<Reading, DemError> {
        let Both(contacts, surroundings) = &self.field;
        let ledger = Ledger::read(contacts, surroundings, bodies, state)?;
        let is_recorded = contacts.has_ledger();
        let energies = Energies {
            elastic: ledger.elastic + ledger.tangential,
            external: ledger.external,
            dissipated: is_recorded.then_some(ledger.dissipated),
            gained: is_recorded.then_some(ledger.gained),
            wall_work: is_recorded.then_some(ledger.wall_work + surroundings.wall_work_of_bridges()),
            box_work: ledger.box_work,
            damped: self.map.work_of_damping(),
            ..Energies::default()
        };
        let energies = surroundings.added_to(energies, bodies, state);
        let rows = contacts.contacts(bodies, state)?.iter().map(ContactRow::from).collect();
        let of_bridges = |wall: usize| {
            let bridges = surroundings.bridges.as_ref();
            bridges.map_or(DVec3::ZERO, |bridges| bridges.wall_load(wall, bodies, state).force)
        };
        let forces = contacts.wall_loads().iter().enumerate().map(|(wall, load)| load.force + of_bridges(wall));
        let forces = forces.chain(surroundings.walls.iter().map(ElasticWall::force)).collect();
        let reading = Reading::new(bodies, state, energies, rows, forces).with_torques(contacts.wall_loads());
        let broken_bonds = surroundings.bonds.as_ref().map_or(0, |bonds| bonds.ruptures().len());
        let box_stress = contacts.is_watching_box().then(|| contacts.box_stress());
        let liquid = surroundings.bridges.as_ref().map(|bridges| Liquid::of(bridges.moisture()));
        Ok(Reading { box_stress, broken_bonds, liquid, ..reading })
    }

    fn energies_of(&self, leaving: &LeavingBodies<'_>, bodies: &Bodies, state: &State) -> Result<Energies, DemError> {
        let Both(contacts, surroundings) = &self.field;
        let stored = contacts.stored_energy(bodies, state, &|body| leaving.leaves[body])?;
        Ok(Energies {
            elastic: stored.elastic + stored.tangential + surroundings.energy_of_walls(&leaving.bodies, &leaving.state),
            external: surroundings.energy(&leaving.bodies, &leaving.state),
            // Bodies with bonds or ties never leave, so that energies of bonds and ties do not change.
            capillary: surroundings
                .bridges
                .as_ref()
                .map_or(0.0, |bridges| bridges.energy_of(bodies, state, &|body| leaving.leaves[body])),
            dissipated: contacts.has_ledger().then_some(-stored.in_recorded_work),
            ..Energies::default()
        })
    }

    fn store(&self) -> Result<Vec<u8>, postcard::Error> {
        let Both(contacts, surroundings) = &self.field;
        let Surroundings { bonds, ties, bridges, walls, .. } = surroundings.clone();
        let work_of_damping = self.map.work_of_damping();
        let contacts = contacts.stored();
        postcard::to_stdvec(&StoredExplicit { contacts, bonds, ties, bridges, walls, work_of_damping })
    }

    fn hand_over(&self) -> Handover {
        let Both(contacts, surroundings) = &self.field;
        let Surroundings { bonds, ties, bridges, .. } = surroundings;
        Handover {
            histories: Some(contacts.all_histories()),
            bonds: bonds.clone(),
            ties: ties.clone(),
            moisture: bridges.as_ref().map(|bridges| bridges.moisture().clone()),
            felt: contacts.felt_walls().clone(),
            ..Handover::default()
        }
    }

    fn renumber(&mut self, numbering: &Renumbering, coming: ComingBodies<'_>) -> Result<(), DemError> {
        let ComingBodies { bodies, materials, groups, liquid } = coming;
        let Both(contacts, surroundings) = &mut self.field;
        // Fields that may refuse come first, so that an error leaves nothing half-changed.
        surroundings.bonds.as_mut().map_or(Ok(()), |bonds| bonds.renumber(numbering))?;
        surroundings.ties.as_mut().map_or(Ok(()), |ties| ties.renumber(numbering))?;
        if let Some(bridges) = &mut surroundings.bridges {
            bridges.renumber(numbering, bodies, liquid)?;
        }
        contacts.renumber_with(numbering, NewBodies { materials, groups })
    }

    fn steer(&mut self, wall: usize, servo: &Servo, time: f64, dt: f64) -> Result<Option<Wall>, DemError> {
        let Both(contacts, surroundings) = &mut self.field;
        contacts.steer(wall, servo, time, dt)?;
        let steered = contacts.walls().get(wall).cloned();
        if let (Some(bridges), Some(steered)) = (&mut surroundings.bridges, &steered) {
            bridges.follow(wall, steered);
        }
        Ok(steered)
    }

    fn steer_box(&mut self, drive: &mut BoxDrive, time: f64, knows_stress: bool) -> Result<Option<Domain>, DemError> {
        let contacts = &mut self.field.0;
        contacts.steer_box(drive, time, knows_stress)?;
        Ok(Some(*contacts.list().domain()))
    }

    fn spin_fixed(&mut self, spins: Vec<(usize, DVec3)>) {
        self.field.0.spin_fixed(spins);
    }

    fn bears(&self, servos: &[(usize, Servo)], drive: Option<&BoxDrive>, time: f64, share: f64) -> bool {
        let contacts = &self.field.0;
        let walls = contacts.walls();
        let loads = contacts.wall_loads();
        let mut met = servos.iter().map(|(wall, servo)| servo.is_met(&walls[*wall], &loads[*wall], time, share));
        met.all(|is_met| is_met) && drive.is_none_or(|drive| drive.is_met(contacts.box_stress(), time, share))
    }

    fn box_stress(&self) -> Option<DVec3> {
        Some(self.field.0.box_stress())
    }

    fn close_ledger(&mut self) {
        self.field.0.close_ledger();
    }

    fn needs_attitudes(&self) -> bool {
        self.field.1.bonds.is_some()
    }

    fn bonds(&self) -> Option<&Bonds> {
        self.field.1.bonds.as_ref()
    }
}
