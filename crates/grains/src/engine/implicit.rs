//! Implicit steps.

use dem_contact::error::DemError;
use dem_contact::implicit::{DiscreteForm, ImplicitDem, NewtonOptions, StoredImplicitDem};
use dem_contact::law::LawTable;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Gravity, IntegrateError, Integrator, Potential, State};
use serde::{Deserialize, Serialize};

use super::{Built, Engine, RestoreError};
use crate::build::parts::{Handover, NewContacts, Parts};
use crate::error::GrainsError;
use crate::laws::{keep_history, traits};
use crate::reading::{ContactRow, Energies, Reading, Work};
use crate::scene::Scene;
use crate::scene::integrator::{ImplicitForm, Method};

/// The engine of implicit steps: the integrator, which owns the contacts, and gravity.
struct ImplicitEngine {
    map: ImplicitDem,
    gravity: Gravity,
    /// Whether the scene conserves energy: nothing dissipates and no wall moves.
    conserves: bool,
    /// Dissipation of contacts and work of walls since the start of the run; none if it cannot be recorded.
    work: Option<Work>,
    /// Work of walls in J since the start, to first order in the step, for runs without exact `work`.
    wall_work: f64,
}

/// An implicit engine as checkpoints store it.
#[derive(Serialize, Deserialize)]
struct StoredImplicit {
    map: StoredImplicitDem,
    /// Dissipation of contacts and work of walls since the start of the run; none if this cannot be recorded.
    work: Option<Work>,
    /// Work of walls in J since the start, to the order of a step, for runs whose exact `work` cannot be recorded.
    wall_work: f64,
}

/// Returns zero work for the start of a run, or none if work cannot be recorded: with friction springs it depends on
/// more than one state, in the discrete form `Paper` on more than one velocity.
fn work_at_start(form: DiscreteForm, laws: &LawTable, conserves: bool) -> Option<Work> {
    let recorded = !keep_history(laws) && !matches!(form, DiscreteForm::Paper { .. });
    (conserves || recorded).then(Work::default)
}

/// Returns whether the scene conserves energy: nothing dissipates and no wall moves.
fn conserves(scene: &Scene, laws: &LawTable) -> bool {
    traits(laws).all(|traits| !traits.is_damped && !traits.is_tangential) && !scene.has_moving_walls()
}

///
/// # Errors
/// For an invalid scene; the error names the key.
pub(super) fn build(scene: &Scene, parts: Parts, laws: LawTable, dt: f64) -> Result<Built, GrainsError> {
    let Parts { contacts, gravity, ties, .. } = parts;
    let conserves = conserves(scene, &laws);
    let (form, tolerance) = match &scene.integrator {
        Method::Implicit(method) => {
            let alpha = method.alpha;
            let form = match method.form {
                ImplicitForm::MarsdenWest => DiscreteForm::MarsdenWest { alpha },
                ImplicitForm::Paper => DiscreteForm::Paper { alpha },
            };
            (form, method.tolerance)
        }
        _ => (DiscreteForm::ExactEnergy, None),
    };
    let work = work_at_start(form, &laws, conserves);
    let options = NewtonOptions::default();
    let options = tolerance.map_or(options, |tolerance| options.with_tolerance(tolerance));
    let NewContacts { contacts, lost_histories } = contacts.with_laws(laws)?;
    let map = ImplicitDem::new(contacts, dt).map_err(GrainsError::refused("time.dt"))?;
    let map = map.with_form(form).map_err(GrainsError::refused("integrator.implicit.alpha"))?;
    let map = map.with_options(options).map_err(GrainsError::refused("integrator.implicit.tolerance"))?;
    let map = match ties {
        Some(ties) => map.with_ties(ties),
        None => map,
    };
    let gravity = Gravity { acceleration: gravity };
    let engine = Box::new(ImplicitEngine { map, gravity, conserves, work, wall_work: 0.0 });
    Ok(Built { engine, lost_histories })
}

///
/// # Errors
/// [`RestoreError`].
pub(super) fn restore(scene: &Scene, laws: LawTable, bytes: &[u8]) -> Result<Box<dyn Engine>, RestoreError> {
    let StoredImplicit { map, work, wall_work } = postcard::from_bytes(bytes)?;
    let gravity = Gravity { acceleration: DVec3::from_array(scene.gravity) };
    let conserves = conserves(scene, &laws);
    Ok(Box::new(ImplicitEngine { map: map.restore(laws)?, gravity, conserves, work, wall_work }))
}

impl ImplicitEngine {
    /// Returns the work since the start after the step from state `before` to state `after`. Dissipative forces are
    /// evaluated in the middle of the step at the mean velocities: their work is then exactly the change of kinetic
    /// energy.
    fn work_after(&self, bodies: &Bodies, before: &State, after: &State) -> Result<Work, DemError> {
        let share = self.map.form().alpha();
        let dt = self.map.dt();
        let mut middle = before.clone();
        for i in 0..bodies.len() {
            let [from, to] = [before, after].map(|state| state.position().get(i));
            middle.position_mut().set(i, from + share * (to - from));
            middle.velocity_mut().set(i, (to - from) / dt);
            let momenta = [before, after].map(|state| state.angular_momentum().get(i));
            middle.angular_momentum_mut().set(i, 0.5 * (momenta[0] + momenta[1]));
        }
        let time = before.time() + share * dt;
        middle.set_time(time);
        let contacts = self.map.contacts();
        let power: f64 = contacts.contacts(bodies, &middle)?.iter().map(|contact| contact.dissipated_power).sum();
        let work = self.work.unwrap_or_default();
        let by_walls = work.by_walls - dt * self.power_on_walls(time);
        Ok(Work { dissipated: work.dissipated + dt * power, by_walls, ..work })
    }

    /// Computes the power in W of the contact forces on walls, with the velocities of the walls at `time` (s).
    fn power_on_walls(&self, time: f64) -> f64 {
        let contacts = self.map.contacts();
        let walls = contacts.walls().iter().zip(contacts.wall_loads());
        let powers = walls.map(|(wall, load)| {
            let pose = wall.pose(time);
            load.force.dot(pose.velocity) + load.torque.dot(pose.spin)
        });
        powers.sum()
    }
}

impl Engine for ImplicitEngine {
    fn step(&mut self, bodies: &Bodies, state: &mut State) -> Result<usize, IntegrateError> {
        let before = (!self.conserves && self.work.is_some()).then(|| state.clone());
        let report = self.map.step(bodies, &mut self.gravity, state)?;
        if let Some(before) = before {
            self.work = self.work_after(bodies, &before, state).ok();
        } else if self.work.is_none() {
            self.wall_work -= self.map.dt() * self.power_on_walls(state.time());
        }
        Ok(report.iterations)
    }

    fn read(&self, bodies: &Bodies, state: &State) -> Result<Reading, DemError> {
        let energies = Energies {
            elastic: self.map.elastic_energy(bodies, state)?,
            external: self.gravity.energy(bodies, state),
            ..Energies::default()
        };
        let energies = self.work.map_or(energies, |work| work.added_to(energies));
        let rows = self.map.contacts().contacts(bodies, state)?.iter().map(ContactRow::from).collect();
        let forces = self.map.contacts().wall_loads().iter().map(|load| load.force).collect();
        let loads = self.map.contacts().wall_loads();
        Ok(Reading::new(bodies, state, energies, rows, forces).with_torques(loads))
    }

    fn store(&self) -> Result<Vec<u8>, postcard::Error> {
        postcard::to_stdvec(&StoredImplicit { map: self.map.stored(), work: self.work, wall_work: self.wall_work })
    }

    fn hand_over(&self) -> Handover {
        let histories = Some(self.map.contacts().all_histories());
        Handover { histories, ties: self.map.ties().cloned(), ..Handover::default() }
    }

    fn wall_work(&self) -> f64 {
        self.wall_work
    }
}
