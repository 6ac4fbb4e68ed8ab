//! Computation of figures, and their results.
//!
//! `jobs` computes figures in parallel, the longest first; `board` shows their progress, and `forecast` estimates the
//! remaining time. Each figure gives an `outcome`, with the texts of its files in `finished`; `output` writes them and
//! a `record` with the `versions` of code and compiler. `cache` keeps results, so that they are not computed again.
mod board;
mod cache;
mod finished;
pub(crate) mod forecast;
mod jobs;
#[cfg(test)]
pub(crate) mod made_up;
mod outcome;
pub(crate) mod output;
mod record;
mod versions;

pub(crate) use board::Board;
pub(crate) use cache::Cache;
pub(crate) use finished::{Finished, Picture, Scenery};
pub(crate) use forecast::Forecast;
pub(crate) use jobs::{End, Event, Job, run_all, status_line};
pub(crate) use outcome::{Counts, Outcome, Tally};
pub(crate) use record::claim_records;
pub(crate) use versions::Versions;
