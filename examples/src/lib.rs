//! The examples are separate targets. This library turns the programs of the workspace's README and of the [`guide`]
//! into doctests, and holds code that several examples share.
#![doc = include_str!("../../README.md")]

pub mod guide;
mod slice;

pub use slice::Slice;
