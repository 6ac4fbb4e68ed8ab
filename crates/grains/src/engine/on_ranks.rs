//! The part of an explicit engine that one of several ranks has.

use dem_ranks::{EvenRuns, RankRun, Ranks, RanksError};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Both, Gravity, State};
use serde::{Deserialize, Serialize};

use super::Engine;
use super::explicit::{ExplicitEngine, Stored};
use super::explicit_map::{ExplicitMap, explicit};
use super::surroundings::Surroundings;
use crate::build::checks::blocked;
use crate::error::{GrainsError, OnRanksError};
use crate::laws::normal::Normal;
use crate::laws::tangential::Tangential;
use crate::laws::{WithLaws, with_explicit_laws};
use crate::scene::Scene;

/// How ranks talk, of any kind.
pub(crate) type Transport = Box<dyn Ranks + Send>;

/// All that ranks share out among them.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Whole {
    /// The scene of the present stage, as TOML.
    pub(crate) scene: String,
    /// The time step in s.
    pub(crate) dt: f64,
    pub(crate) bodies: Bodies,
    pub(crate) state: State,
    /// The engine as it stores itself.
    pub(crate) engine: Vec<u8>,
}

/// All bodies and contacts as they are after some steps.
pub(crate) struct Gathered {
    pub(crate) state: State,
    pub(crate) engine: Box<dyn Engine>,
}

/// The steps of one rank. All ranks make the same calls.
pub(crate) trait Share: Send {
    /// Takes a step.
    ///
    /// # Errors
    /// Those of steps and transports.
    fn step(&mut self) -> Result<(), RanksError>;

    /// All bodies and contacts on rank 0, where all steps are taken; none on the others.
    ///
    /// # Errors
    /// As [`step`](Self::step), and those of an engine without meaning.
    fn gather(&mut self) -> Result<Option<Gathered>, GrainsError>;

    /// The time in s.
    fn time(&self) -> f64;

    /// The transport, for calls between steps.
    fn ranks(&mut self) -> &mut dyn Ranks;

    /// Ends the steps.
    fn leave(self: Box<Self>) -> Transport;
}

/// The share of this rank in `whole`.
///
/// # Errors
/// Those of a scene without meaning, and of ranks.
pub(crate) fn share(ranks: Transport, whole: Whole) -> Result<Box<dyn Share>, GrainsError> {
    let scene = Scene::parse(&whole.scene)?;
    with_explicit_laws(scene.contact_model()?, Build { scene: &scene, ranks, whole })?
}

struct Build<'a> {
    scene: &'a Scene,
    ranks: Transport,
    whole: Whole,
}

impl WithLaws for Build<'_> {
    type Output = Result<Box<dyn Share>, GrainsError>;

    fn with<L: Normal, T: Tangential>(self, _: dem_contact::law::LawTable<L, T>) -> Self::Output {
        let Whole { dt, bodies, state, engine, .. } = self.whole;
        let rank = self.ranks.rank();
        let (contacts, ..): Stored<L, T> = postcard::from_bytes(&engine).map_err(|_| OnRanksError::Order { rank })?;
        let gravity = Gravity { acceleration: DVec3::from_array(self.scene.gravity) };
        let (blocked, integrator) = (blocked(self.scene), explicit(self.scene, dt)?);
        let scene = dem_ranks::Scene { bodies, contacts, gravity, blocked, integrator };
        let run = RankRun::new(self.ranks, scene, &state, Box::new(EvenRuns)).map_err(OnRanksError::from)?;
        Ok(Box::new(ExplicitShare { run, scene: self.scene.clone(), dt }))
    }
}

struct ExplicitShare<L, T: Tangential> {
    run: RankRun<L, T, Transport>,
    scene: Scene,
    dt: f64,
}

impl<L: Normal, T: Tangential> Share for ExplicitShare<L, T> {
    fn step(&mut self) -> Result<(), RanksError> {
        self.run.step()
    }

    fn gather(&mut self) -> Result<Option<Gathered>, GrainsError> {
        self.run.settle().map_err(OnRanksError::from)?;
        let state = self.run.gather().map_err(OnRanksError::from)?;
        let contacts = self.run.gather_contacts().map_err(OnRanksError::from)?;
        let (Some(state), Some(contacts)) = (state, contacts) else { return Ok(None) };
        let gravity = Gravity { acceleration: DVec3::from_array(self.scene.gravity) };
        let blocked = blocked(&self.scene);
        let surroundings = Surroundings { gravity, bonds: None, ties: None, bridges: None, walls: Vec::new(), blocked };
        let map = ExplicitMap::of(&self.scene, self.dt, 0.0)?;
        Ok(Some(Gathered { state, engine: Box::new(ExplicitEngine { map, field: Both(contacts, surroundings) }) }))
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
