//! What the command and the library promise.

#![allow(clippy::print_stdout, reason = "figures are shown with --nocapture")]

mod checkpoints;
mod examples;
mod killed;
mod ledgers;
mod limits;
mod malformed;
mod materials;
mod meshes;
mod places;
mod rolling;
mod support;
