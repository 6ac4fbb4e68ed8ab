//! The contacts of the bodies that one rank owns, as a force field on these bodies.

use dem_contact::error::DemError;
use dem_contact::force::{ContactForce, ListTravel};
use rrp_integrate::{Bodies, FieldError, ForceField, IntegrateError, State, VectorColumn, Wrenches};
use thiserror::Error;

use crate::collective::all_gather;
use crate::error::TransportError;
use crate::ghosts::GhostExchange;
use crate::motion::Presence;
use crate::transport::Ranks;
use crate::whole_forces::{OnAllBodies, WholeForcesError};

/// Error of an evaluation with an outdated neighbour list: all ranks must make a new list and repeat the step.
#[derive(Debug, Error)]
#[error("the neighbour list does not hold any longer")]
pub(crate) struct ListDue;

/// Contacts of own bodies with each other, with ghosts and with walls, and forces evaluated with all bodies.
pub(crate) struct RankContacts<R> {
    pub(crate) ranks: R,
    pub(crate) contacts: ContactForce,
    ghosts: GhostExchange,
    /// Forces, such as bonds, that each rank evaluates with all bodies of the run, added after contact forces.
    pub(crate) whole: Option<OnAllBodies>,
    /// Constants, such as masses and radii, of own bodies, then of ghosts; `state` has their motion.
    bodies: Bodies,
    pub(crate) state: State,
    /// Error of this rank when it read centres into its neighbour list, kept until all ranks know it.
    pub(crate) unread: Option<DemError>,
    /// Whether the next evaluation makes a neighbour list in any case, because the scene has none.
    pub(crate) needs_list: bool,
    /// Whether the other ranks continue after the last evaluation, unaware of the failure of this rank.
    pub(crate) others_go_on: bool,
    /// Upper bound in m on the path of any centre since the last common inspection of displacements.
    since_inspection: f64,
    /// Largest `since_inspection` (m) for which the neighbour list is valid without another inspection.
    spare: f64,
}

/// Infinite displacements, reported by a rank to invalidate all neighbour lists, so that all ranks interrupt their
/// steps together.
const COME_TOGETHER: [f64; 2] = [f64::INFINITY; 2];

impl<R: Ranks> RankContacts<R> {
    /// Makes the contacts of a rank for `bodies`: own bodies first, then the ghosts, which `ghosts` exchanges.
    pub(crate) fn new(ranks: R, contacts: ContactForce, bodies: Bodies, ghosts: GhostExchange) -> Self {
        let state = State::at_rest(bodies.len()).without_attitudes();
        let since_inspection = 0.0;
        let spare = f64::NEG_INFINITY;
        Self {
            ranks,
            contacts,
            ghosts,
            whole: None,
            bodies,
            state,
            unread: None,
            needs_list: false,
            others_go_on: false,
            since_inspection,
            spare,
        }
    }

    /// Replaces contacts, bodies and exchange of ghosts after a new neighbour list.
    pub(crate) fn evaluate_next(&mut self, contacts: ContactForce, bodies: Bodies, ghosts: GhostExchange) {
        self.state = State::at_rest(bodies.len()).without_attitudes();
        (self.since_inspection, self.spare, self.needs_list) = (0.0, f64::NEG_INFINITY, false);
        (self.contacts, self.bodies, self.ghosts) = (contacts, bodies, ghosts);
    }

    /// Returns the centres (m) of this rank's first `own` bodies at the last evaluation.
    pub(crate) fn own_centres(&self, own: usize) -> impl Iterator<Item = [f64; 3]> {
        (0..own).map(|i| self.state.position().get(i).to_array())
    }

    /// Takes part in the next exchange of ghosts and in the vote on the neighbour list without taking a step. Returns
    /// whether some ranks have refused the step: all ranks must then exchange centres or failures.
    pub(crate) fn stand_by(&mut self, has_failed: bool) -> Result<Presence, TransportError> {
        self.ghosts.refuse(&mut self.ranks)?;
        self.whole.as_ref().map_or(Ok(()), |whole| whole.refuse(&mut self.ranks))?;
        self.ranks.begin_max(if has_failed { COME_TOGETHER } else { [0.0; 2] })?;
        let is_finite = self.ranks.end_max()?[0].is_finite();
        Ok(if is_finite { Presence::All } else { Presence::SomeRefused })
    }

    /// Copies own bodies from the state `own`, and receives all other bodies for this rank from their owners. Returns
    /// whether an owner refused to take the step.
    fn read_bodies(&mut self, own: &State) -> Result<Presence, TransportError> {
        let state = &mut self.state;
        state.set_time(own.time());
        copy(own.position(), state.position_mut());
        copy(own.velocity(), state.velocity_mut());
        copy(own.angular_momentum(), state.angular_momentum_mut());
        let of_ghosts = self.ghosts.forward(&mut self.ranks, state)?;
        let of_whole = self.whole.as_mut().map_or(Ok(Presence::All), |whole| whole.read(&mut self.ranks, own))?;
        Ok(if of_ghosts == Presence::All { of_whole } else { of_ghosts })
    }

    /// Returns whether the neighbour list is valid on all ranks, given the largest travel of a centre on any rank. The
    /// conditions are those of `TrackedList::follow` on one rank.
    fn holds(&mut self, ListTravel { displacement, step }: ListTravel) -> Result<bool, TransportError> {
        self.since_inspection += step;
        if displacement <= self.contacts.free_travel() || self.since_inspection <= self.spare {
            return Ok(true);
        }
        (self.since_inspection, self.spare) = (0.0, f64::NEG_INFINITY);
        if !displacement.is_finite() {
            return Ok(false);
        }
        let mut of_ranks = all_gather(&mut self.ranks, self.contacts.displacement_bounds())?;
        let mut all = of_ranks.remove(0);
        of_ranks.into_iter().for_each(|others| all.join(others));
        let spare = self.contacts.spare_travel(&all, displacement);
        self.spare = spare.unwrap_or(f64::NEG_INFINITY);
        Ok(spare.is_some())
    }
}

impl<R: Ranks> ForceField for RankContacts<R> {
    /// Adds contact forces, and forces evaluated with all bodies, to `out` for the bodies `own` of this rank.
    fn accumulate(&mut self, own: &Bodies, state: &State, elapsed: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        state.check_columns(own)?;
        out.check_length(own.len())?;
        self.others_go_on = false;
        let presence = self.read_bodies(state)?;
        let travel = self.contacts.read_centres(&self.bodies, &self.state);
        let [displacement, step] = match &travel {
            Ok(travel) if presence == Presence::All && !self.needs_list => [travel.displacement, travel.step],
            _ => COME_TOGETHER,
        };
        self.unread = travel.err();
        self.ranks.begin_max([displacement, step])?;
        // Forces are evaluated during the reduction of the travel, and discarded if the list is outdated.
        let outcome = if displacement.is_finite() {
            self.contacts.accumulate(&self.bodies, &self.state, elapsed, out)
        } else {
            Ok(())
        };
        let [displacement, step] = self.ranks.end_max()?;
        if !self.holds(ListTravel { displacement, step })? {
            self.contacts.forget_work(elapsed);
            return Err(ListDue.into());
        }
        self.others_go_on = true;
        outcome?;
        self.whole.as_mut().map_or(Ok(()), |whole| whole.add_to(elapsed, out))
    }

    fn commit(&mut self) {
        self.contacts.commit();
        if let Some(whole) = &mut self.whole {
            whole.forces.commit();
        }
    }
}

/// Copies vectors of own bodies to the front of `to`, whose vectors of ghosts follow.
fn copy(from: &VectorColumn, to: &mut VectorColumn) {
    for (from, to) in from.slices().into_iter().zip(to.slices_mut()) {
        to[..from.len()].copy_from_slice(from);
    }
}

pub(crate) enum StepError {
    ListDue,
    Transport(TransportError),
    Failed(IntegrateError),
    /// Failure of the forces evaluated with all bodies; its error numbers bodies among all bodies.
    WholeForcesFailed(IntegrateError),
}

impl From<IntegrateError> for StepError {
    fn from(error: IntegrateError) -> Self {
        let IntegrateError::Field(error) = error else { return Self::Failed(error) };
        if error.is::<ListDue>() {
            return Self::ListDue;
        }
        let error = match error.downcast::<TransportError>() {
            Ok(error) => return Self::Transport(*error),
            Err(other) => other,
        };
        match error.downcast::<WholeForcesError>() {
            Ok(error) => Self::WholeForcesFailed(IntegrateError::Field(error.0)),
            Err(error) => Self::Failed(IntegrateError::Field(error)),
        }
    }
}
