//! A run on several ranks: each takes the same steps with the bodies that it owns.

mod gather;
mod new_list;

use dem_contact::law::{ContactLaw, TangentialLaw};
use rrp_integrate::step::evaluate_wrenches;
use rrp_integrate::{Bodies, Both, Gravity, IntegrateError, Integrator as _, State};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::contacts::{RankContacts, StepError};
use crate::error::RanksError;
use crate::failure::Failure;
use crate::ghosts::Presence;
use crate::owners::TileOwners;
use crate::scene::Scene;
use crate::share::{Cut, Share, own_state};
use crate::transport::Ranks;

/// The number of a body among all, and its centre in m.
type NumberedCentre = (u32, [f64; 3]);

/// The part of a run that one rank has.
///
/// All ranks make it from the same scene and state, and make the same calls in the same order. Between lists a rank has
/// its own bodies and ghosts only, besides the constants of all bodies. When a list is made, each rank has the centres
/// of all bodies for a moment, and cuts all space into tiles.
pub struct RankRun<L, T: TangentialLaw, R> {
    scene: Scene<L, T>,
    owners: Box<dyn TileOwners>,
    /// By number in the subdomain, own bodies first: the number among all bodies.
    numbers: Vec<u32>,
    bodies: Bodies,
    state: State,
    field: Both<Gravity, RankContacts<L, T, R>>,
    steps: u64,
    lists: u64,
}

impl<L: ContactLaw + Clone, T: TangentialLaw + Clone, R: Ranks> RankRun<L, T, R>
where
    T::History: Serialize + DeserializeOwned,
{
    /// A run of `scene` from `start`, the state of all bodies.
    ///
    /// # Errors
    /// [`RanksError::NotOnRanks`], those of the bodies, the state, the contacts and the transport, and of a first
    /// evaluation of forces if `start` has none.
    pub fn new(
        mut ranks: R,
        mut scene: Scene<L, T>,
        start: &State,
        owners: Box<dyn TileOwners>,
    ) -> Result<Self, RanksError> {
        scene.check(start)?;
        let centres = scene.contacts.list().accepted_centres().unwrap_or_else(|| start.position().clone());
        let cut = Cut::new(ranks.size(), &mut scene, &centres, &*owners)?;
        let subdomain = cut.subdomain(&mut ranks, 0)?;
        let state = own_state(&subdomain, start)?;
        let histories = scene.contacts.all_histories();
        let share = Share::new(&mut ranks, &scene, &cut, subdomain, histories)?;
        let bodies = share.own_bodies(&scene)?;
        let Share { contacts, bodies: all, ghosts, numbers, .. } = share;
        let field = Both(scene.gravity, RankContacts::new(ranks, contacts, all, ghosts));
        let mut run = Self { scene, owners, numbers, bodies, state, field, steps: 0, lists: 1 };
        run.evaluate_first()?;
        Ok(run)
    }

    /// Number of own bodies.
    #[must_use]
    pub fn own_bodies(&self) -> usize {
        self.bodies.len()
    }

    /// Number of bodies of other ranks that this one reads.
    #[must_use]
    pub fn ghosts(&self) -> usize {
        self.numbers.len() - self.bodies.len()
    }

    /// Steps that were taken.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// How often a list was made.
    #[must_use]
    pub fn lists(&self) -> u64 {
        self.lists
    }

    /// The numbers among all bodies of those that this rank owns now.
    #[must_use]
    pub fn own_numbers(&self) -> &[u32] {
        &self.numbers[..self.bodies.len()]
    }

    /// Takes so many steps.
    ///
    /// # Errors
    /// [`RanksError::StepFailed`], the same on all ranks, or [`RanksError::Transport`]. The run cannot go on then: drop
    /// it, so that ranks that wait for it end too.
    pub fn take_steps(&mut self, steps: u64) -> Result<(), RanksError> {
        (0..steps).try_for_each(|_| self.step())?;
        // A rank may have failed at the end of the last step.
        match self.field.1.stand_by(false)? {
            Presence::All => Ok(()),
            Presence::SomeRefused => self.come_together(None).map(drop),
        }
    }

    /// Takes one step. Where the list turns out not to hold, all ranks make a new one for the centres that the step led
    /// to, and take the step again from where it began.
    fn step(&mut self) -> Result<(), RanksError> {
        loop {
            match self.scene.integrator.step(&self.bodies, &mut self.field, &mut self.state).map_err(StepError::from) {
                Ok(_) => break self.steps += 1,
                Err(StepError::ListDue) => self.make_list()?,
                Err(StepError::Transport(error)) => return Err(error.into()),
                Err(StepError::Failed(error)) => return Err(self.fail(error)),
            }
        }
        Ok(())
    }

    /// Evaluates the forces at a state that came without. A step would do that too, but if the list does not hold at
    /// its end, the forces at its start are needed once more.
    fn evaluate_first(&mut self) -> Result<(), RanksError> {
        while self.state.wrenches().is_none() {
            match evaluate_wrenches(&self.bodies, &mut self.field, &mut self.state).map_err(StepError::from) {
                Ok(()) => {}
                // The list was made for other centres, or another rank has failed, of which `make_list` tells.
                Err(StepError::ListDue) => self.make_list()?,
                Err(StepError::Transport(error)) => return Err(error.into()),
                Err(StepError::Failed(error)) => return Err(self.fail(error)),
            }
        }
        Ok(())
    }

    /// Tells all ranks that this one has failed. The others learn of it in their next exchange of ghosts.
    fn fail(&mut self, error: IntegrateError) -> RanksError {
        let failure = Failure::of_step(self.steps, error, &self.numbers);
        let told = self.field.1.stand_by(true).map_err(RanksError::from);
        let agreed = told.and_then(|_| self.come_together(Some(failure.clone())));
        agreed.err().unwrap_or_else(|| failure.for_all(self.field.1.ranks.rank()))
    }
}

impl<L: ContactLaw, T: TangentialLaw, R: Ranks> std::fmt::Debug for RankRun<L, T, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("RankRun");
        shown.field("rank", &self.field.1.ranks.rank()).field("own_bodies", &self.bodies.len());
        shown.field("steps", &self.steps).field("lists", &self.lists).finish_non_exhaustive()
    }
}
