//! Errors of runs on several ranks.

use dem_ranks::{RanksError, TransportError};
use thiserror::Error;

/// Reason why a run on several ranks cannot go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OnRanksError {
    /// A step failed on one of the ranks. All ranks report the same error.
    #[error("step {step} at the time {time}: {message}{details}")]
    Step {
        /// Number of the failed step, counted from one.
        step: u64,
        /// Simulated time of the failed step in s.
        time: f64,
        /// Message of the integrator, as in a run on one rank.
        message: String,
        /// Ids or names of the bodies in the integrator's error, and of the wall that a body is behind, in words; may
        /// be empty.
        details: String,
    },
    /// The ranks do not reach each other, or make different calls.
    #[error(transparent)]
    Ranks(#[from] RanksError),
    /// The threads of the ranks could not be started.
    #[error("threads could not be started: {problem}; use smaller numbers than `--ranks {ranks} --threads {threads}`")]
    NoThreads {
        /// Number of ranks to be started.
        ranks: u16,
        /// Number of threads of each rank.
        threads: u16,
        /// Message of the operating system or of the thread pool.
        problem: String,
    },
    /// A rank cannot decode an order of rank 0, because rank 0 runs another version of the program.
    #[error("rank {rank} cannot read an order: all ranks must run the same program")]
    Order {
        /// Number of the rank that cannot decode the order.
        rank: usize,
    },
    /// Several processes were started for a command of a single process.
    #[error(
        "`grains-mpi` has only `run`, `resume` and `check`, without `--ranks`; for others use `grains` without MPI"
    )]
    Command,
    /// An MPI launcher has started several processes of a program that runs on a single process.
    #[error(
        "there are {processes} processes, and each would run the whole scene: start `grains-mpi` with MPI, or `grains` \
         alone, with `--ranks {processes}`; if they are runs of their own, unset PMI_SIZE and OMPI_COMM_WORLD_SIZE"
    )]
    Processes {
        /// Number of ranks that an MPI launcher has started.
        processes: usize,
    },
}

impl OnRanksError {
    /// Returns whether the error says only that another rank has ended, whose own error has the cause.
    pub(crate) fn is_of_another_rank(&self) -> bool {
        matches!(self, Self::Ranks(RanksError::Transport(TransportError::RankEnded { .. })))
    }

    /// Returns whether all ranks have this error, so that only rank 0 reports it.
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
