//! Forces that each rank evaluates with all bodies.
//!
//! Examples are bonds, whose bodies may be far apart, and liquid, which has its own history. Each rank reads all bodies
//! in each step, evaluates all of these forces, and keeps the forces on its own bodies.

use std::any::Any;

use rrp_integrate::{Bodies, FieldError, ForceField, State, Wrenches};
use thiserror::Error;

use crate::error::TransportError;
use crate::motion::{Presence, packed, unpack};
use crate::transport::{Message, Ranks, others};

/// Forces that each rank evaluates with all bodies of a run. Callers recover their concrete type by [`Any`].
pub trait WholeForces: ForceField + Any + Send {}

impl<F: ForceField + Any + Send> WholeForces for F {}

/// Error of forces evaluated with all bodies, which numbers bodies among all bodies.
#[derive(Debug, Error)]
#[error(transparent)]
pub(crate) struct WholeForcesError(pub(crate) FieldError);

/// Forces evaluated with all bodies, and these bodies.
pub(crate) struct OnAllBodies {
    pub(crate) forces: Box<dyn WholeForces>,
    bodies: Bodies,
    state: State,
    wrenches: Wrenches,
    /// Number among all bodies of each body that this rank owns, in this rank's order.
    own: Vec<u32>,
    /// Numbers of the bodies that each rank owns, ascending, by rank.
    of_ranks: Vec<Vec<u32>>,
}

impl OnAllBodies {
    /// Makes the buffers for evaluating `forces` with all `bodies` of the run.
    pub(crate) fn new(forces: Box<dyn WholeForces>, bodies: &Bodies, has_attitudes: bool) -> Self {
        let state = State::at_rest(bodies.len());
        let state = if has_attitudes { state } else { state.without_attitudes() };
        let wrenches = Wrenches::zeros(bodies.len());
        Self { forces, bodies: bodies.clone(), state, wrenches, own: Vec::new(), of_ranks: Vec::new() }
    }

    /// Sets the owners of bodies: this rank owns the bodies numbered `own`, and `owner` returns the rank of each body.
    pub(crate) fn follow_owners(&mut self, own: &[u32], ranks: usize, owner: impl Fn(u32) -> usize) {
        self.own = own.to_vec();
        self.of_ranks = vec![Vec::new(); ranks];
        (0..self.bodies.len() as u32).for_each(|body| self.of_ranks[owner(body)].push(body));
    }

    /// Copies own bodies from the state `own`, and receives all other bodies from their owners. Returns whether an
    /// owner refused to take the step.
    pub(crate) fn read<R: Ranks>(&mut self, ranks: &mut R, own: &State) -> Result<Presence, TransportError> {
        let state = &mut self.state;
        state.set_time(own.time());
        for (local, &number) in self.own.iter().enumerate() {
            let number = number as usize;
            state.position_mut().set(number, own.position().get(local));
            state.velocity_mut().set(number, own.velocity().get(local));
            state.angular_momentum_mut().set(number, own.angular_momentum().get(local));
            if own.has_attitudes() {
                state.attitude_mut().set(number, own.attitude().get(local));
            }
        }
        let bytes = packed(&self.of_ranks[ranks.rank()], state);
        let mut presence = Presence::All;
        for Message { rank, bytes } in exchange(ranks, bytes)? {
            let bodies = &self.of_ranks[rank];
            if unpack(bodies, &bytes, state) == Presence::SomeRefused {
                presence = Presence::SomeRefused;
            }
        }
        Ok(presence)
    }

    /// Takes part in the exchange of all bodies without sending any, by which this rank refuses to take the step.
    pub(crate) fn refuse<R: Ranks>(&self, ranks: &mut R) -> Result<(), TransportError> {
        // A rank without bodies refuses by a message that is too long.
        exchange(ranks, vec![0]).map(drop)
    }

    /// Adds the forces on own bodies to the contact forces in `out`, for each body in the order of a run on one rank.
    pub(crate) fn add_to(&mut self, elapsed: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        let Self { forces, bodies, state, wrenches, own, .. } = self;
        wrenches.clear();
        for (from, to) in [(&out.force, &mut wrenches.force), (&out.torque, &mut wrenches.torque)] {
            if !from.is_untouched() {
                own.iter().enumerate().for_each(|(local, &number)| to.set(number as usize, from.get(local)));
            }
        }
        let evaluated = forces.accumulate(bodies, state, elapsed, wrenches);
        evaluated.map_err(WholeForcesError)?;
        for (from, to) in [(&wrenches.force, &mut out.force), (&wrenches.torque, &mut out.torque)] {
            if !from.is_untouched() {
                own.iter().enumerate().for_each(|(local, &number)| to.set(local, from.get(number as usize)));
            }
        }
        Ok(())
    }
}

fn exchange<R: Ranks>(ranks: &mut R, bytes: Vec<u8>) -> Result<Vec<Message>, TransportError> {
    let others: Vec<usize> = others(ranks.rank(), ranks.size()).collect();
    let outgoing = others.iter().map(|&rank| Message { rank, bytes: bytes.clone() }).collect();
    ranks.exchange(outgoing, &others)
}
