//! Errors of runs on several ranks.

use dem_ranks::{RanksError, TransportError};
use thiserror::Error;

/// Why several ranks cannot go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OnRanksError {
    /// A step failed on one of them. All say the same.
    #[error("step {step} at the time {time}: {message}{ids}")]
    Step {
        /// The step, counted from one.
        step: u64,
        /// Time in s.
        time: f64,
        /// What the integrator of a run alone would say.
        message: String,
        /// Who the bodies in it are, in words; empty where their ids are their numbers.
        ids: String,
    },
    /// They do not reach each other, or do not agree.
    #[error(transparent)]
    Ranks(#[from] RanksError),
    /// An order that is of another version of the program.
    #[error("rank {rank} cannot read an order: all ranks must run the same program")]
    Order {
        /// The rank.
        rank: usize,
    },
    /// A command that is for one process.
    #[error("several processes `run`, `resume` and `check`; for the rest use `grains`, without `--ranks` and MPI")]
    Command,
    /// Several processes of a program for one.
    #[error(
        "there are {processes} processes, and each would run the whole scene: start `grains-mpi` with MPI, or `grains` alone, \
         with `--ranks {processes}`"
    )]
    Processes {
        /// How many a launcher of MPI has started.
        processes: usize,
    },
}

impl OnRanksError {
    /// Whether only another rank can tell what happened.
    pub(crate) fn is_of_another_rank(&self) -> bool {
        matches!(self, Self::Ranks(RanksError::Transport(TransportError::RankEnded { .. })))
    }

    /// Whether this rank alone may know of it.
    pub(crate) fn is_own(&self) -> bool {
        matches!(self, Self::Order { .. } | Self::Ranks(RanksError::Transport(_)))
    }
}
