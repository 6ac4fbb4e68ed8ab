//! Computation of figures, and their results.
//!
//! `jobs` computes figures in parallel, the longest first; `board` shows their progress, and `forecast` estimates the
//! remaining time. Each figure gives an `outcome`, with the texts of its files in `finished`; `output` writes them and
//! a `record` with the `versions` of code and compiler. `cache` keeps results, so that they are not computed again.
pub(crate) mod board;
pub(crate) mod cache;
pub(crate) mod finished;
pub(crate) mod forecast;
pub(crate) mod jobs;
#[cfg(test)]
pub(crate) mod made_up;
pub(crate) mod outcome;
pub(crate) mod output;
pub(crate) mod record;
pub(crate) mod versions;
