//! What the command and the library promise.

mod checkpoints;
mod examples;
mod killed;
mod malformed;
mod support;
