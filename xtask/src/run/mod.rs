//! Runs figures and keeps what they return.
//!
//! `jobs` computes figures side by side, the longest first; `board` shows how far they are, `forecast` says how long
//! they still take. A figure that was tried is an `outcome`, with its files ready in `finished`; `output` writes them
//! and a `record` with the `versions` that made them. `cache` finds results of earlier runs again.
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
