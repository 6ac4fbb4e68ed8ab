//! Errors of transports and of runs on several ranks.

use dem_contact::error::{ContactError, DemError};
use rrp_integrate::{IntegrateError, State};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The reason why ranks cannot reach each other.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TransportError {
    /// A rank ended, by an error or a panic, while others wait for it.
    #[error("rank {rank} has ended: see its own message")]
    RankEnded {
        /// The rank.
        rank: usize,
    },
    /// The system has given no thread to a rank.
    #[error("{size} ranks want a thread each, and only {rank} of them could be started: take fewer ranks; {problem}")]
    NoThread {
        /// The first rank without a thread, which is also the number of ranks that have one.
        rank: usize,
        /// Number of ranks.
        size: usize,
        /// The system's error.
        problem: String,
    },
    /// A rank does not exist.
    #[error("there are {size} ranks, none has the number {rank}")]
    NoSuchRank {
        /// The rank that was named.
        rank: usize,
        /// Number of ranks.
        size: usize,
    },
    /// A message cannot be read: it is of another version, or of another call.
    #[error("the message of rank {rank} cannot be read: all ranks must run the same program and make the same calls")]
    Unreadable {
        /// The sender.
        rank: usize,
    },
}

/// A body whose step failed because it was behind a wall or went through one: the wall, and the place of the body.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BehindWall {
    /// The number of the wall.
    pub wall: usize,
    /// The centre of the body in m before the step, world frame.
    pub centre: [f64; 3],
    /// Displacement of the body in the step, in radii, if its centre went through the wall within the step.
    pub way: Option<f64>,
}

impl BehindWall {
    /// Returns the wall and the place of the body in `state`, the state before the step; `None` for other errors.
    #[must_use]
    pub fn of(error: &ContactError, state: &State) -> Option<Self> {
        let (body, wall, way) = match *error {
            ContactError::BehindWall { body, wall, .. } => (body, wall, None),
            ContactError::CrossedWall { body, wall, way, radius } => (body, wall, Some(way / radius)),
            _ => return None,
        };
        (body < state.len()).then(|| Self { wall, centre: state.position().get(body).to_array(), way })
    }
}

/// The reason why a run on several ranks does not begin or does not go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RanksError {
    /// The transport failed.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// Bodies, walls or contacts were refused: on all ranks alike, unless their owners differ between ranks.
    #[error(transparent)]
    Contacts(#[from] DemError),
    /// Bodies or a state were refused: on all ranks alike, unless their owners differ between ranks.
    #[error(transparent)]
    State(#[from] IntegrateError),
    /// A step failed on a rank. All ranks have this error, with the same message.
    #[error("{message}")]
    StepFailed {
        /// The rank on which the step failed.
        rank: usize,
        /// Steps that all ranks had taken before.
        steps: u64,
        /// The time in s at which the step began.
        time: f64,
        /// The message of a run on one rank, with numbers among all bodies.
        message: String,
        /// The bodies that the message names.
        bodies: Vec<usize>,
        /// The wall and the place, if a body was behind a wall. It is boxed, so that errors stay small.
        behind_wall: Option<Box<BehindWall>>,
    },
    /// A new list does not hold for the centres that it was made for.
    #[error("a new list does not hold for the centres that it was made for: make `skin` larger")]
    ListNeverHolds,
    /// A part of the scene is not supported on several ranks.
    #[error("{what} cannot be on several ranks yet: run it on one")]
    NotOnRanks {
        /// The part of the scene that is refused.
        what: &'static str,
    },
    /// The owners of tiles do not fit to tiles and ranks.
    #[error("tile {tile} of {tiles} got the owner {owner:?}, but there are {ranks} ranks")]
    InvalidOwner {
        /// The tile.
        tile: usize,
        /// Number of tiles.
        tiles: usize,
        /// Owner that the tile was given, if any.
        owner: Option<usize>,
        /// Number of ranks.
        ranks: usize,
    },
}
