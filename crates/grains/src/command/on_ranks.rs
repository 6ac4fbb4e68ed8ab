//! A run on several ranks of this process.

use std::num::NonZeroUsize;

use dem_ranks::{Ranks, Threads};

use super::{SUCCESS, on_threads};
use crate::error::{GrainsError, OnRanksError};
use crate::ranks::serve;

/// What rank 0 does.
type Work<'a> = &'a (dyn Fn(Box<dyn Ranks + Send>) -> Result<u8, GrainsError> + Sync);

/// Does `work` on rank 0 of `count`, which the others serve, each on so many threads. If they are not given, all ranks
/// together have one for each processor.
///
/// # Errors
/// The error of rank 0, or of the rank that it has lost.
pub(super) fn all(
    count: u16,
    threads: Option<u16>,
    work: impl Fn(Box<dyn Ranks + Send>) -> Result<u8, GrainsError> + Sync,
) -> Result<u8, GrainsError> {
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let each = threads.unwrap_or_else(|| (processors / usize::from(count)).clamp(1, 1024) as u16);
    let count = NonZeroUsize::new(count.into()).unwrap_or(NonZeroUsize::MIN);
    let ends = Threads::run(count, |ranks| on_threads(Some(each), || begin(ranks, &work)));
    let ends = ends.map_err(|error| OnRanksError::Ranks(error.into()))?;
    let mut outcome = Ok(SUCCESS);
    for (rank, end) in ends.into_iter().enumerate() {
        let is_cause =
            matches!(&outcome, Err(GrainsError::OnRanks(error)) if error.is_of_another_rank()) && end.is_err();
        if rank == 0 || is_cause {
            outcome = end;
        }
    }
    outcome
}

fn begin(ranks: Threads, work: Work<'_>) -> Result<u8, GrainsError> {
    match ranks.rank() {
        0 => work(Box::new(ranks)),
        _ => serve(Box::new(ranks)).map(|()| SUCCESS),
    }
}
