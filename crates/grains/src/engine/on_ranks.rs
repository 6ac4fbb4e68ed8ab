//! The part of an explicit engine on one of several ranks.

use std::any::Any;

use dem_contact::force::BoxDrive;
use dem_contact::neighbor::Domain;
use dem_contact::wall::{Servo, Wall};
use dem_ranks::{Balance, RankRun, Ranks, RanksError, TileOwners, WholeForces};
use rrp_geom::glam::DVec3;
use rrp_integrate::field::Blocked;
use rrp_integrate::{Bodies, Both, Gravity, State};
use serde::{Deserialize, Serialize};

use super::Engine;
use super::explicit::{ExplicitEngine, StoredExplicit};
use super::explicit_integrator::explicit_integrator;
use super::surroundings::Surroundings;
use crate::build::checks::blocked;
use crate::build::drives::servos;
use crate::error::{GrainsError, OnRanksError};
use crate::laws::laws;
use crate::scene::Scene;

pub(crate) type Transport = Box<dyn Ranks + Send>;

/// The whole run that rank 0 sends to all ranks, so that each takes its share.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Whole {
    /// TOML text of the scene of the present stage.
    pub(crate) scene: String,
    /// Time step of the present stage in s.
    pub(crate) dt: f64,
    pub(crate) bodies: Bodies,
    pub(crate) state: State,
    /// The engine, encoded as in a checkpoint.
    pub(crate) engine: Vec<u8>,
    /// Number of the group of each body; empty if no group is driven.
    pub(crate) groups: Vec<u32>,
    /// The numbers of fixed bodies that spin, with their angular velocities in rad/s.
    pub(crate) spins: Vec<(usize, DVec3)>,
}

/// All bodies and contacts, gathered from the ranks after some steps.
pub(crate) struct Gathered {
    pub(crate) state: State,
    pub(crate) engine: Box<dyn Engine>,
    /// Balance of the ranks' work since the last gather.
    pub(crate) balance: Balance,
}

/// One rank's part of a run. All ranks must make the same calls.
pub(crate) trait Share: Send {
    /// Takes a step of the bodies that this rank owns.
    ///
    /// # Errors
    /// Errors of steps and transports.
    fn step(&mut self) -> Result<(), RanksError>;

    /// Lets the servos of the walls with these numbers set the motions of these walls in the next step. Returns the
    /// walls.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    fn steer(&mut self, walls: &[usize]) -> Result<Vec<Wall>, RanksError>;

    /// Sets how the box deforms in the next step. Returns the box.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    fn steer_box(&mut self, drive: &mut BoxDrive) -> Result<Domain, RanksError>;

    /// Sets the velocities (m/s) of fixed bodies for the next step. `velocity` computes them from the number of a
    /// body's group and the body's centre (m); it returns none for groups that are not driven.
    fn drive(&mut self, velocity: &dyn Fn(u32, DVec3) -> Option<DVec3>);

    /// Gathers all bodies and contacts on rank 0; returns none on the other ranks.
    ///
    /// # Errors
    /// As [`step`](Self::step), and errors of an invalid engine.
    fn gather(&mut self) -> Result<Option<Gathered>, GrainsError>;

    /// Returns the simulated time in s that this rank has reached.
    fn time(&self) -> f64;

    fn ranks(&mut self) -> &mut dyn Ranks;

    fn leave(self: Box<Self>) -> Transport;
}

/// Builds the share of this rank in `whole`; `owners` assigns tiles to ranks.
///
/// # Errors
/// Errors of an invalid scene, and of ranks.
pub(crate) fn share(
    ranks: Transport,
    whole: Whole,
    owners: Box<dyn TileOwners>,
) -> Result<Box<dyn Share>, GrainsError> {
    let scene = Scene::parse(&whole.scene)?;
    let Whole { dt, bodies, state, engine, groups, spins, .. } = whole;
    let rank = ranks.rank();
    let stored = postcard::from_bytes(&engine).map_err(|_| OnRanksError::Order { rank })?;
    let StoredExplicit { contacts, bonds, ties, bridges, walls, work_of_damping } = stored;
    let contacts = contacts.restore(laws(scene.contact_model()?)?);
    let mut contacts = contacts.map_err(|_| OnRanksError::Order { rank })?;
    contacts.spin_fixed(spins);
    let surroundings = Surroundings { bonds, ties, bridges, walls, ..only_on_each_body(&scene) };
    let mut gravity = surroundings.gravity;
    let mut blocked = surroundings.blocked;
    let mut whole = None;
    if surroundings.act_whole() {
        // Surroundings that are evaluated whole add gravity and zero the `blocked` components themselves, in the order
        // of a run on one rank, so that sums are bitwise equal.
        (gravity, blocked) = (Gravity { acceleration: DVec3::ZERO }, Blocked::default());
        whole = Some(Box::new(surroundings) as Box<dyn WholeForces>);
    }
    let integrator = explicit_integrator(&scene, dt, work_of_damping)?;
    let all = dem_ranks::Scene { bodies, contacts, gravity, blocked, integrator };
    let run = RankRun::with_whole_forces(ranks, all, &state, owners, whole).map_err(OnRanksError::from)?;
    let servos = servos(&scene, dt)?;
    Ok(Box::new(ExplicitShare { run, scene, dt, servos, groups }))
}

struct ExplicitShare {
    run: RankRun<Transport>,
    scene: Scene,
    dt: f64,
    servos: Vec<(usize, Servo)>,
    /// Number of the group of each body of the whole run; empty if no group is driven.
    groups: Vec<u32>,
}

/// Makes the forces on each body alone: gravity, with the blocked components of forces.
fn only_on_each_body(scene: &Scene) -> Surroundings {
    let gravity = Gravity { acceleration: DVec3::from_array(scene.gravity) };
    let blocked = blocked(scene);
    Surroundings { gravity, bonds: None, ties: None, bridges: None, walls: Vec::new(), blocked }
}

impl ExplicitShare {
    /// Returns the forces that each rank evaluates with all bodies, if the scene has such forces.
    fn whole_surroundings(&mut self) -> Option<&mut Surroundings> {
        let whole: &mut dyn Any = self.run.whole_forces()?;
        whole.downcast_mut()
    }
}

impl Share for ExplicitShare {
    fn step(&mut self) -> Result<(), RanksError> {
        self.run.step()
    }

    fn steer(&mut self, walls: &[usize]) -> Result<Vec<Wall>, RanksError> {
        let there: Vec<_> = self.servos.iter().filter(|(wall, _)| walls.contains(wall)).cloned().collect();
        let steered = self.run.steer(&there)?;
        if let Some(bridges) = self.whole_surroundings().and_then(|whole| whole.bridges.as_mut()) {
            there.iter().zip(&steered).for_each(|((wall, _), steered)| bridges.follow(*wall, steered));
        }
        Ok(steered)
    }

    fn steer_box(&mut self, drive: &mut BoxDrive) -> Result<Domain, RanksError> {
        self.run.steer_box(drive)
    }

    fn drive(&mut self, velocity: &dyn Fn(u32, DVec3) -> Option<DVec3>) {
        let groups = &self.groups;
        self.run.drive_fixed(|body, place| velocity(*groups.get(body)?, place));
    }

    fn gather(&mut self) -> Result<Option<Gathered>, GrainsError> {
        self.run.settle().map_err(OnRanksError::from)?;
        let state = self.run.gather().map_err(OnRanksError::from)?;
        let contacts = self.run.gather_contacts().map_err(OnRanksError::from)?;
        let damped = self.run.gather_work_of_damping().map_err(OnRanksError::from)?;
        let balance = self.run.gather_balance().map_err(OnRanksError::from)?;
        let (Some(state), Some(contacts), Some(damped), Some(balance)) = (state, contacts, damped, balance) else {
            return Ok(None);
        };
        let surroundings = self.whole_surroundings().cloned();
        let surroundings = surroundings.unwrap_or_else(|| only_on_each_body(&self.scene));
        let map = explicit_integrator(&self.scene, self.dt, damped)?;
        let engine = Box::new(ExplicitEngine { map, field: Both(contacts, surroundings) });
        Ok(Some(Gathered { state, engine, balance }))
    }

    fn time(&self) -> f64 {
        self.run.time()
    }

    fn ranks(&mut self) -> &mut dyn Ranks {
        self.run.ranks()
    }

    fn leave(self: Box<Self>) -> Transport {
        self.run.into_ranks()
    }
}
