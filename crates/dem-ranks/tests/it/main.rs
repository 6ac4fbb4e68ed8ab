//! Runs on several ranks in this process: each has the bits of a run alone.

mod bits;
mod failures;
mod restart;
mod scenes;
mod transports;
