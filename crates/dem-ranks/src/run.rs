//! A run on several ranks: each rank takes the same steps with its own bodies.

pub(crate) mod balance;
mod damping;
mod gather;
mod new_list;
mod steer;

use rrp_geom::glam::DVec3;
use rrp_integrate::field::Blocked;
use rrp_integrate::step::evaluate_wrenches;
use rrp_integrate::{Bodies, Both, Gravity, Integrator as _, State, VectorColumn};
use rrp_parallel::ExactSum;

use crate::contacts::{RankContacts, StepError};
use crate::error::RanksError;
use crate::failure::{Failure, Moment};
use crate::motion::Presence;
use crate::owners::TileOwners;
use crate::run::balance::{WorkTally, pairs_if_uneven};
use crate::scene::Scene;
use crate::share::{Cut, Share, own_state};
use crate::transport::Ranks;
use crate::whole_forces::{OnAllBodies, WholeForces};

type NumberedCentre = (u32, [f64; 3]);

/// Data of all bodies for a new neighbour list, gathered from all ranks.
pub(crate) struct Census {
    /// Centre in m of each body of the run, by body number.
    pub(crate) centres: VectorColumn,
    /// Number of pairs of each body of the run in the previous neighbour list.
    pub(crate) pairs: Vec<u32>,
    /// Work of each rank in a step: the number of its own bodies plus the number of their listed pairs.
    pub(crate) work: Vec<u64>,
}

/// The part of a run on several ranks that one rank does.
///
/// All ranks make their parts from the same scene and state, and make the same calls in the same order. In a step a
/// rank has only its own bodies and ghosts, besides the constants of all bodies. For a new neighbour list, each rank
/// briefly has the centres of all bodies, and divides space into tiles, boxes owned by ranks.
pub struct RankRun<R> {
    scene: Scene,
    owners: Box<dyn TileOwners>,
    /// Number among all bodies of each body of this rank: own bodies first, then ghosts.
    numbers: Vec<u32>,
    bodies: Bodies,
    state: State,
    field: Both<Gravity, Both<RankContacts<R>, Blocked>>,
    steps: u64,
    lists: u64,
    /// Work of all ranks, summed over steps since the last gather on rank 0.
    tally: WorkTally,
    /// Number of steps whose work is in `tally`.
    counted: u64,
    /// Energy in J that damping has dissipated from own bodies in each step since the last gather on rank 0, as terms
    /// of an exact sum.
    losses: Vec<Vec<f64>>,
    /// Energy in J that damping had dissipated from all bodies at the last gather; on rank 0 only.
    damped: f64,
    /// Failure of the last step on this rank, kept until the other ranks know it.
    failure: Option<Failure>,
}

impl<R: Ranks> RankRun<R> {
    /// Makes a run of `scene` from `start`, the state of all bodies.
    ///
    /// # Errors
    /// [`RanksError::NotOnRanks`], errors of the bodies, the state, the contacts and the transport, and of a first
    /// evaluation of forces if `start` has none.
    pub fn new(ranks: R, scene: Scene, start: &State, owners: Box<dyn TileOwners>) -> Result<Self, RanksError> {
        Self::with_whole_forces(ranks, scene, start, owners, None)
    }

    /// Makes a run as [`new`](Self::new) does, with further forces, which each rank evaluates with all bodies after
    /// contacts. All ranks must pass the same forces.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_whole_forces(
        mut ranks: R,
        mut scene: Scene,
        start: &State,
        owners: Box<dyn TileOwners>,
        whole: Option<Box<dyn WholeForces>>,
    ) -> Result<Self, RanksError> {
        scene.check(start)?;
        let list = scene.contacts.list();
        let listed = list.accepted_centres();
        let domain = list.first_domain().map_or_else(|| list.domain().at(start.time()), |domain| Ok(*domain))?;
        // The list is missing after an insertion or removal of bodies, for example.
        let needs_list = listed.is_none() && start.wrenches().is_some();
        let centres = listed.unwrap_or_else(|| start.position().clone());
        let when = Moment { steps: 0, time: start.time() };
        let mut cut = Cut::new(ranks.size(), &mut scene, &centres, domain, &[], &*owners)?;
        let mut subdomain = cut.subdomain(&mut ranks, when)?;
        if let Some(pairs) = pairs_if_uneven(&mut ranks, &subdomain, scene.bodies.len())? {
            cut = Cut::new(ranks.size(), &mut scene, &centres, domain, &pairs, &*owners)?;
            subdomain = cut.subdomain(&mut ranks, when)?;
        }
        let state = own_state(&subdomain, start)?;
        let known = (scene.contacts.all_histories(), scene.contacts.take_work_record());
        let share = Share::new(&mut ranks, &scene, &cut, subdomain, known)?;
        let bodies = share.own_bodies(&scene)?;
        let Share { contacts, bodies: all, ghosts, numbers, .. } = share;
        let field = Both(scene.gravity, Both(RankContacts::new(ranks, contacts, all, ghosts), scene.blocked));
        let damped = scene.integrator.work_of_damping();
        let mut run = Self {
            scene,
            owners,
            numbers,
            bodies,
            state,
            field,
            steps: 0,
            lists: 1,
            tally: WorkTally::default(),
            counted: 0,
            losses: Vec::new(),
            damped,
            failure: None,
        };
        run.field.1.0.needs_list = needs_list;
        run.field.1.0.whole = whole.map(|forces| OnAllBodies::new(forces, &run.scene.bodies, start.has_attitudes()));
        run.follow_owners(&cut);
        run.evaluate_first()?;
        Ok(run)
    }

    /// Number of bodies that this rank owns.
    #[must_use]
    pub fn own_bodies(&self) -> usize {
        self.bodies.len()
    }

    /// Number of ghosts of this rank: bodies of other ranks that this rank reads.
    #[must_use]
    pub fn ghosts(&self) -> usize {
        self.numbers.len() - self.bodies.len()
    }

    /// Number of steps that this run has taken.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Number of neighbour lists that this run has made.
    #[must_use]
    pub fn lists(&self) -> u64 {
        self.lists
    }

    /// Returns the numbers, among all bodies, of the bodies that this rank owns now.
    #[must_use]
    pub fn own_numbers(&self) -> &[u32] {
        &self.numbers[..self.bodies.len()]
    }

    /// Time in s that the run has reached.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.state.time()
    }

    /// Returns the forces that each rank evaluates with all bodies; changes must be the same on all ranks.
    pub fn whole_forces(&mut self) -> Option<&mut dyn WholeForces> {
        self.field.1.0.whole.as_mut().map(|whole| &mut *whole.forces)
    }

    /// Sets the velocities (m/s) of fixed bodies, by their numbers among all bodies and their centres (m), as
    /// [`State::drive_fixed`] does. All ranks must call this method.
    pub fn drive_fixed(&mut self, velocity: impl Fn(usize, DVec3) -> Option<DVec3>) {
        let Self { state, bodies, numbers, .. } = self;
        state.drive_fixed(bodies, |body, centre| velocity(numbers[body] as usize, centre));
    }

    /// Returns the transport between ranks, for calls between steps. All ranks must make the same calls.
    pub fn ranks(&mut self) -> &mut R {
        &mut self.field.1.0.ranks
    }

    /// Ends the run and returns the transport between ranks.
    #[must_use]
    pub fn into_ranks(self) -> R {
        self.field.1.0.ranks
    }

    /// Takes `steps` steps, then waits for all ranks as [`settle`](Self::settle) does.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn take_steps(&mut self, steps: u64) -> Result<(), RanksError> {
        (0..steps).try_for_each(|_| self.step())?;
        self.settle()
    }

    /// Takes one step. If a rank fails too late for the others to see it, all ranks return the error from their next
    /// call.
    ///
    /// If the neighbour list is outdated at the end of the step, all ranks make a new list for the centres there, and
    /// repeat the step.
    ///
    /// # Errors
    /// [`RanksError::StepFailed`] and [`RanksError::ListNeverHolds`], the same on all ranks, or
    /// [`RanksError::Transport`]. The run cannot continue: drop it, so that waiting ranks end too.
    pub fn step(&mut self) -> Result<(), RanksError> {
        self.tell_failure()?;
        let mut is_list_new = false;
        loop {
            self.field.1.0.others_go_on = false;
            match self.scene.integrator.step(&self.bodies, &mut self.field, &mut self.state).map_err(StepError::from) {
                Ok(_) => {
                    self.losses.extend(self.scene.integrator.last_loss().map(ExactSum::parts));
                    break self.steps += 1;
                }
                Err(error) => self.follow(error, &mut is_list_new)?,
            }
            if self.failure.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Waits until all ranks have ended the same step; returns the error of all ranks if any rank has failed.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn settle(&mut self) -> Result<(), RanksError> {
        self.tell_failure()?;
        match self.field.1.0.stand_by(false)? {
            Presence::All => Ok(()),
            Presence::SomeRefused => self.come_together(None).map(drop),
        }
    }

    /// Evaluates the forces at the start if the state has none. A step would evaluate them too, but they are needed
    /// again if the neighbour list is outdated at its end.
    fn evaluate_first(&mut self) -> Result<(), RanksError> {
        let mut is_list_new = false;
        while self.state.wrenches().is_none() && self.failure.is_none() {
            let evaluated = evaluate_wrenches(&self.bodies, &mut self.field, &mut self.state);
            evaluated.map_err(StepError::from).or_else(|error| self.follow(error, &mut is_list_new))?;
        }
        Ok(())
    }

    /// Handles an interrupted step: makes a new neighbour list, or ends all ranks with one error. `is_list_new` says
    /// whether the list was made for this step.
    fn follow(&mut self, error: StepError, is_list_new: &mut bool) -> Result<(), RanksError> {
        match error {
            StepError::ListDue => {
                let census = self.come_together(None)?;
                if std::mem::replace(is_list_new, true) {
                    return Err(RanksError::ListNeverHolds);
                }
                self.make_list(&census)
            }
            StepError::Transport(error) => Err(error.into()),
            StepError::Failed(error) => self.fail(Failure::of_step(self.moment(), error, &self.numbers, &self.state)),
            StepError::WholeForcesFailed(error) => self.fail(Failure::of_whole_forces(self.moment(), error)),
        }
    }

    /// Keeps a failure of this rank until the other ranks know it.
    fn fail(&mut self, failure: Failure) -> Result<(), RanksError> {
        self.failure = Some(failure);
        // Ranks that have ended the same step learn of the failure in their next exchange of ghosts.
        if self.field.1.0.others_go_on { Ok(()) } else { self.tell_failure() }
    }

    /// Sets the new owners of bodies in the forces evaluated with all bodies.
    pub(crate) fn follow_owners(&mut self, cut: &Cut) {
        let Self { numbers, bodies, field, .. } = self;
        let RankContacts { ranks, whole, .. } = &mut field.1.0;
        if let Some(whole) = whole {
            whole.follow_owners(&numbers[..bodies.len()], ranks.size(), |body| cut.owner(body));
        }
    }

    fn moment(&self) -> Moment {
        Moment { steps: self.steps, time: self.state.time() }
    }

    /// If the last step has failed on this rank, tells all ranks and returns the common error.
    fn tell_failure(&mut self) -> Result<(), RanksError> {
        let Some(failure) = self.failure.take() else { return Ok(()) };
        let told = self.field.1.0.stand_by(true).map_err(RanksError::from);
        let agreed = told.and_then(|_| self.come_together(Some(failure.clone())));
        Err(agreed.err().unwrap_or_else(|| failure.for_all(self.field.1.0.ranks.rank())))
    }
}

impl<R: Ranks> std::fmt::Debug for RankRun<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("RankRun");
        shown.field("rank", &self.field.1.0.ranks.rank()).field("own_bodies", &self.bodies.len());
        shown.field("steps", &self.steps).field("lists", &self.lists).finish_non_exhaustive()
    }
}
