//! Errors of runs on several ranks.

use dem_ranks::{RanksError, TransportError};
use thiserror::Error;

/// Why several ranks cannot go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OnRanksError {
    /// A step failed on one of the ranks. All ranks report the same error.
    #[error("step {step} at the time {time}: {message}{details}")]
    Step {
        /// The step, counted from one.
        step: u64,
        /// Time in s.
        time: f64,
        /// Message of the integrator, as in a run on one rank.
        message: String,
        /// Names of the bodies of the error, and of the wall that one of them is behind, in words; may be empty.
        details: String,
    },
    /// The ranks do not reach each other, or do not agree.
    #[error(transparent)]
    Ranks(#[from] RanksError),
    /// Threads of ranks could not be started.
    #[error(
        "threads could not be started, write smaller numbers than `--ranks {ranks} --threads {threads}`: {problem}"
    )]
    NoThreads {
        /// Number of ranks.
        ranks: u16,
        /// Threads of each.
        threads: u16,
        /// The system's error.
        problem: String,
    },
    /// An order that is of another version of the program.
    #[error("rank {rank} cannot read an order: all ranks must run the same program")]
    Order {
        /// The rank.
        rank: usize,
    },
    /// A command that is for one process.
    #[error(
        "several processes do `run`, `resume` and `check`, without `--ranks`: for the rest use `grains`, without MPI"
    )]
    Command,
    /// Several processes of a program for one.
    #[error(
        "there are {processes} processes, and each would run the whole scene: start `grains-mpi` with MPI, or `grains` \
         alone, with `--ranks {processes}`; if they are runs of their own, unset PMI_SIZE and OMPI_COMM_WORLD_SIZE"
    )]
    Processes {
        /// Number of ranks that a launcher of MPI has started.
        processes: usize,
    },
}

impl OnRanksError {
    /// Whether only another rank can tell what happened.
    pub(crate) fn is_of_another_rank(&self) -> bool {
        matches!(self, Self::Ranks(RanksError::Transport(TransportError::RankEnded { .. })))
    }

    /// Whether all ranks have this error, so that rank 0 reports it.
    pub(crate) fn is_of_all(&self) -> bool {
        let of_ranks = |error: &RanksError| {
            use RanksError::{InvalidOwner, ListNeverHolds, NotOnRanks, StepFailed};
            matches!(error, StepFailed { .. } | ListNeverHolds | NotOnRanks { .. } | InvalidOwner { .. })
        };
        match self {
            Self::Ranks(error) => of_ranks(error),
            other => !matches!(other, Self::Order { .. }),
        }
    }
}
