//! Steps of a simulation on several ranks.

use dem_ranks::{Balance, Ranks, RanksError};

use super::Simulation;
use super::names::names;
use crate::engine::on_ranks::{Gathered, Whole};
use crate::error::{GrainsError, OnRanksError};
use crate::ranks::refusals::refuse;
use crate::ranks::team::Team;
use crate::ranks::{MakeOwners, even_runs};

/// Largest number of steps for which ranks keep recorded work of contacts and damping before they send it to rank 0.
const RECORDED: u64 = 1024;

impl Simulation {
    /// Returns the simulation with its steps on several ranks, of which this is rank 0; the other ranks
    /// [serve](crate::ranks::serve) it. Results are bitwise equal.
    ///
    /// After steps, state and readings of the simulation are those of the last call of [`gather`](Self::gather).
    ///
    /// # Errors
    /// [`GrainsError::Conflict`] with the key of a feature that several ranks do not support.
    pub fn on_ranks(self, ranks: Box<dyn Ranks + Send>) -> Result<Self, GrainsError> {
        self.on_ranks_with_owners(ranks, even_runs)
    }

    /// Returns the simulation on several ranks, as [`on_ranks`](Self::on_ranks) does, with tiles assigned by `owners`.
    /// The other ranks [serve](crate::ranks::serve_with_owners) it with the same `owners`.
    ///
    /// # Errors
    /// As [`on_ranks`](Self::on_ranks).
    pub fn on_ranks_with_owners(
        mut self,
        ranks: Box<dyn Ranks + Send>,
        owners: MakeOwners,
    ) -> Result<Self, GrainsError> {
        refuse(&self.plan)?;
        self.team = Some(Team::new(ranks, owners));
        Ok(self)
    }

    /// Gathers all bodies and contacts on this rank; does nothing in a run on one rank.
    ///
    /// # Errors
    /// Errors of the last step, and of ranks.
    pub fn gather(&mut self) -> Result<(), GrainsError> {
        let Some(team) = &mut self.team else { return Ok(()) };
        match team.gather() {
            Ok(Some(Gathered { state, engine, .. })) => {
                (self.state, self.engine) = (state, engine);
                self.spin_fixed_bodies();
            }
            Ok(None) => {}
            Err(error) => return Err(self.with_names(error)),
        }
        Ok(())
    }

    /// Balance of the ranks' work: their loads at the last gather, and the balance in all steps until then. None
    /// without ranks, and before the first gather after a step.
    #[must_use]
    pub fn balance(&self) -> Option<&Balance> {
        self.team.as_ref().map(Team::balance).filter(|balance| !balance.loads.is_empty())
    }

    /// Gathers all bodies and contacts on this rank before a change, and marks the shares of the ranks as outdated.
    ///
    /// # Errors
    /// As [`gather`](Self::gather).
    pub(super) fn call_together(&mut self) -> Result<(), GrainsError> {
        self.gather()?;
        self.team.iter_mut().for_each(Team::outdate);
        Ok(())
    }

    /// Takes a step on all ranks, after distributing changed bodies.
    pub(super) fn step_on_ranks(&mut self) -> Result<(), GrainsError> {
        let clock = self.progress.clock;
        if self.team.as_ref().is_some_and(|team| !team.is_shared()) {
            let unstorable = |error: postcard::Error| GrainsError::Unstorable { problem: error.to_string() };
            let whole = Whole {
                scene: self.plan.stages[clock.stage].scene.to_toml()?,
                dt: clock.dt,
                bodies: (*self.bodies).clone(),
                state: self.state.clone(),
                engine: self.engine.store().map_err(unstorable)?,
                groups: if self.progress.drivers.is_empty() { Vec::new() } else { self.progress.groups.all().to_vec() },
                spins: self.fixed_spins(),
            };
            let shared = self.team.as_mut().map_or(Ok(()), |team| team.share(whole, clock.step));
            shared.map_err(|error| self.with_names(error))?;
        }
        let Some(team) = &mut self.team else { return Ok(()) };
        let stepped = team.step();
        stepped.map_err(|error| self.with_names(error))?;
        let is_recorded =
            !self.progress.is_ledger_closed || self.plan.stages[clock.stage].scene.global_damping.is_some();
        if is_recorded && (clock.step + 1).is_multiple_of(RECORDED) {
            self.gather()?;
        }
        Ok(())
    }

    /// Converts an error of a step on ranks to that of a run on one rank, with names of bodies and walls.
    pub(super) fn with_names(&self, error: GrainsError) -> GrainsError {
        let first = self.team.as_ref().map_or(0, Team::first);
        match error {
            GrainsError::OnRanks(OnRanksError::Ranks(RanksError::StepFailed {
                steps,
                time,
                message,
                bodies,
                behind_wall,
                ..
            })) => {
                let scene = &self.plan.stages[self.progress.clock.stage].scene;
                let dt = self.progress.clock.dt;
                let ids = self.progress.identities.all();
                let details = names(&bodies, behind_wall.as_deref(), ids, scene, dt);
                OnRanksError::Step { step: first + steps + 1, time, message, details }.into()
            }
            other => other,
        }
    }
}
