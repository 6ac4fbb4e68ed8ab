//! Errors of transports and of runs on several ranks.

use dem_contact::error::{ContactError, DemError};
use rrp_integrate::{IntegrateError, State};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Reason why ranks cannot reach each other.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TransportError {
    /// A rank has ended, by an error or a panic, while other ranks wait for it.
    #[error("rank {rank} has ended: see its own message")]
    RankEnded {
        /// Number of the rank that ended while others wait for it.
        rank: usize,
    },
    /// The operating system has given no thread to a rank.
    #[error("{size} ranks want a thread each, and only {rank} of them could be started: take fewer ranks; {problem}")]
    NoThread {
        /// Number of the first rank without a thread, which is also the number of ranks that have a thread.
        rank: usize,
        /// Number of ranks that were to get a thread each.
        size: usize,
        /// Error message of the operating system, which refused a thread.
        problem: String,
    },
    /// A message was to be sent to, or received from, a rank that does not exist.
    #[error("there are {size} ranks, none has the number {rank}")]
    NoSuchRank {
        /// Rank number in the call; no rank has this number.
        rank: usize,
        /// Number of ranks of the transport.
        size: usize,
    },
    /// Unreadable message: its sender runs another version of the program, or has made another call.
    #[error("the message of rank {rank} cannot be read: all ranks must run the same program and make the same calls")]
    Unreadable {
        /// Number of the rank that sent the unreadable message.
        rank: usize,
    },
}

/// Wall and centre of a body whose step failed because the body was behind the wall or went through it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BehindWall {
    /// Number of the wall that the body was behind or went through.
    pub wall: usize,
    /// Centre of the body before the step in m, world frame.
    pub centre: [f64; 3],
    /// Displacement of the body in the step, over its radius; only if the centre went through the wall within the step.
    pub way: Option<f64>,
}

impl BehindWall {
    /// Returns the wall and the body's centre if `error` says that a body was behind a wall or went through it. `state`
    /// is the state before the step.
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

/// Reason why a run on several ranks does not begin or does not go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RanksError {
    /// Error of the transport between ranks.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// Error of bodies, walls or contacts. All ranks return it, unless they assign bodies to different owners.
    #[error(transparent)]
    Contacts(#[from] DemError),
    /// Error of bodies or of a state. All ranks return it, unless they assign bodies to different owners.
    #[error(transparent)]
    State(#[from] IntegrateError),
    /// A step failed on a rank. All ranks have this error, with the same message.
    #[error("{message}")]
    StepFailed {
        /// Number of the rank on which the step failed.
        rank: usize,
        /// Number of steps that all ranks had taken before the failed one.
        steps: u64,
        /// Time in s at which the failed step began.
        time: f64,
        /// Error message of the same run on one rank, which names bodies by their numbers among all bodies.
        message: String,
        /// Numbers, among all bodies, of the bodies that the error message names.
        bodies: Vec<usize>,
        /// Wall and centre of the body, if the step failed because a body was behind a wall; boxed to keep errors
        /// small.
        behind_wall: Option<Box<BehindWall>>,
    },
    /// A new neighbour list does not hold for the centres that it was made for.
    #[error("a new list does not hold for the centres that it was made for: make `skin` larger")]
    ListNeverHolds,
    /// The scene has a part that is not supported on several ranks.
    #[error("{what} cannot be on several ranks yet: run it on one")]
    NotOnRanks {
        /// Name of the part of the scene that is refused.
        what: &'static str,
    },
    /// The rule that assigns tiles (boxes of space) to ranks gave a tile no rank, or a rank that does not exist.
    #[error("tile {tile} of {tiles} got the owner {owner:?}, but there are {ranks} ranks")]
    InvalidOwner {
        /// Number of the tile, a box of space, that got no valid rank.
        tile: usize,
        /// Number of tiles into which all bodies are divided.
        tiles: usize,
        /// Rank that the tile got as its owner; `None` if the rule returned too few ranks.
        owner: Option<usize>,
        /// Number of ranks of the run.
        ranks: usize,
    },
}
