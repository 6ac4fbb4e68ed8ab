//! Runs on several ranks in this process: each has the bits of a run alone.

#![allow(clippy::print_stdout, reason = "a measurement shows its figures")]

mod bits;
mod cost;
mod deforming;
mod failures;
mod restart;
mod scenes;
mod transports;
