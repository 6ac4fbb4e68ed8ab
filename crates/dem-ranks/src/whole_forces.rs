//! Forces that each rank evaluates with all bodies.
//!
//! Examples are bonds, whose bodies may be far apart, and liquid, which has a history of its own. Each rank evaluates
//! all of these forces: it reads all bodies in each step, and keeps the forces on its own bodies.

use std::any::Any;

use rrp_geom::Attitude;
use rrp_geom::glam::{DQuat, DVec3};
use rrp_integrate::{Bodies, FieldError, ForceField, State, Wrenches};
use thiserror::Error;

use crate::error::TransportError;
use crate::ghosts::Presence;
use crate::transport::{Message, Ranks};

/// Forces that each rank evaluates with all bodies of a run. A caller gets their concrete type back by [`Any`].
pub trait WholeForces: ForceField + Any + Send {}

impl<F: ForceField + Any + Send> WholeForces for F {}

/// Error of forces that are evaluated with all bodies, with numbers among all bodies.
#[derive(Debug, Error)]
#[error(transparent)]
pub(crate) struct WholeForcesError(pub(crate) FieldError);

/// Forces that are evaluated with all bodies, and the bodies that they read.
pub(crate) struct OnAllBodies {
    pub(crate) forces: Box<dyn WholeForces>,
    bodies: Bodies,
    state: State,
    wrenches: Wrenches,
    /// Number among all bodies of each body that this rank owns, in the order in which the rank keeps them.
    own: Vec<u32>,
    /// Numbers of the bodies that each rank owns, ascending, by rank.
    of_ranks: Vec<Vec<u32>>,
}

/// Count of real numbers for one body in a message: centre, velocity and angular momentum; an attitude adds four.
const NUMBERS: usize = 9;
const NUMBERS_WITH_ATTITUDE: usize = NUMBERS + 4;

impl OnAllBodies {
    /// Makes the buffers with which this rank evaluates `forces` on all `bodies` of the run, also those of other ranks.
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
            if bytes.len() == bodies.len() * size_of_body(state) {
                unpack(bodies, &bytes, state);
            } else {
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

/// Sends the same bytes to all other ranks, and returns the message of each of these ranks.
fn exchange<R: Ranks>(ranks: &mut R, bytes: Vec<u8>) -> Result<Vec<Message>, TransportError> {
    let others: Vec<usize> = (0..ranks.size()).filter(|&rank| rank != ranks.rank()).collect();
    let outgoing = others.iter().map(|&rank| Message { rank, bytes: bytes.clone() }).collect();
    ranks.exchange(outgoing, &others)
}

/// Number of bytes for one body in a message; attitudes are sent if the state has any.
fn size_of_body(state: &State) -> usize {
    size_of::<f64>() * if state.has_attitudes() { NUMBERS_WITH_ATTITUDE } else { NUMBERS }
}

/// Encodes centres, velocities, angular momenta and attitudes of these bodies as bytes of a message.
fn packed(bodies: &[u32], state: &State) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(bodies.len() * size_of_body(state));
    for &body in bodies {
        let body = body as usize;
        for column in [state.position(), state.velocity(), state.angular_momentum()] {
            column.get(body).to_array().iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        }
        if state.has_attitudes() {
            let quaternion = state.attitude().get(body).to_quaternion().to_array();
            quaternion.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        }
    }
    bytes
}

/// Decodes centres, velocities, angular momenta and attitudes of these bodies from a message into the state.
fn unpack(bodies: &[u32], bytes: &[u8], state: &mut State) {
    for (&body, bytes) in bodies.iter().zip(bytes.chunks_exact(size_of_body(state))) {
        let body = body as usize;
        let numbers = bytes.as_chunks::<8>().0;
        let number = |k: usize| f64::from_le_bytes(numbers[k]);
        let vector = |first: usize| DVec3::new(number(first), number(first + 1), number(first + 2));
        state.position_mut().set(body, vector(0));
        state.velocity_mut().set(body, vector(3));
        state.angular_momentum_mut().set(body, vector(6));
        if numbers.len() == NUMBERS_WITH_ATTITUDE {
            let quaternion = DQuat::from_xyzw(number(9), number(10), number(11), number(12));
            state.attitude_mut().set(body, Attitude::from_quaternion_unchecked(quaternion));
        }
    }
}
