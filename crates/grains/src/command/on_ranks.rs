//! A run on several ranks of this process.

use std::num::NonZeroUsize;

use dem_ranks::{Balance, RankLoad, Ranks, Threads, TransportError};

use super::{SUCCESS, on_threads};
use crate::error::{GrainsError, Location, OnRanksError};
use crate::memory;
use crate::ranks::serve;

/// Bytes of memory of the channel from one rank to another, with its first block of messages. Each pair of ranks has
/// two channels.
const OF_TWO_RANKS: u64 = 3000;
/// Bytes of address space for the stack of a thread. With less free space, starting the thread would abort the program.
const OF_STACK: u64 = 2_200_000;

type Work<'a> = &'a (dyn Fn(Box<dyn Ranks + Send>) -> Result<u8, GrainsError> + Sync);

/// Runs `work` on rank 0 of `ranks` ranks in this process, each on this number of threads, while the other ranks serve
/// rank 0. Without a number, all ranks together have one thread per processor.
///
/// # Errors
/// [`GrainsError::TooLarge`] and [`OnRanksError::NoThreads`] for more ranks than the system can start; otherwise the
/// error of rank 0 or of the rank that rank 0 has lost.
pub(super) fn all(
    ranks: u16,
    threads: Option<u16>,
    work: impl Fn(Box<dyn Ranks + Send>) -> Result<u8, GrainsError> + Sync,
) -> Result<u8, GrainsError> {
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let each = threads.unwrap_or_else(|| (processors / usize::from(ranks)).clamp(1, 1024) as u16);
    let at = || Location::of("--ranks");
    let messages = u64::from(ranks).pow(2) * OF_TWO_RANKS;
    memory::require(at(), messages, || format!("messages between {ranks} ranks"))?;
    let stacks = u64::from(ranks) * (1 + u64::from(each)) * OF_STACK;
    memory::require_addresses(at(), stacks, || format!("threads of {ranks} ranks"))?;
    let count = NonZeroUsize::new(ranks.into()).unwrap_or(NonZeroUsize::MIN);
    let no_threads = |problem| OnRanksError::NoThreads { ranks, threads: each, problem };
    let ends = Threads::run(count, |ranks| on_threads(Some(each), || begin(ranks, &work)));
    let ends = ends.map_err(|error| match error {
        TransportError::NoThread { problem, .. } => no_threads(problem),
        error => OnRanksError::Ranks(error.into()),
    })?;
    let mut outcome = Ok(SUCCESS);
    for (rank, end) in ends.into_iter().enumerate() {
        let is_cause =
            matches!(&outcome, Err(GrainsError::OnRanks(error)) if error.is_of_another_rank()) && end.is_err();
        if rank == 0 || is_cause {
            outcome = end;
        }
    }
    match outcome {
        Err(GrainsError::NoThreads { problem }) => Err(no_threads(problem).into()),
        outcome => outcome,
    }
}

fn begin(ranks: Threads, work: Work<'_>) -> Result<u8, GrainsError> {
    match ranks.rank() {
        0 => work(Box::new(ranks)),
        _ => serve(Box::new(ranks)).map(|()| SUCCESS),
    }
}

/// Describes the balance of work: a line for each rank, and the largest work relative to the mean.
pub(super) fn in_words(balance: &Balance) -> String {
    let Balance { loads, tally } = balance;
    let mean = loads.iter().map(|load| load.work).sum::<u64>() as f64 / loads.len().max(1) as f64;
    let line = |(rank, load): (usize, &RankLoad)| {
        let RankLoad { bodies, ghosts, work } = *load;
        let over_mean = if mean > 0.0 { work as f64 / mean } else { 1.0 };
        format!("rank {rank}: {bodies} bodies, {ghosts} ghosts, {over_mean:.2} of the mean work")
    };
    let mut lines: Vec<String> = loads.iter().enumerate().map(line).collect();
    lines.push(format!("balance: the largest work of a rank was {:.2} of the mean, over all steps", tally.imbalance()));
    lines.join("\n")
}
