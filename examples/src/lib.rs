//! The examples are separate targets. This library exists so that the program of the workspace's README is a doctest,
//! and those of the [`guide`] are. What examples have in common is here too.
#![doc = include_str!("../../README.md")]

pub mod guide;
mod slice;

pub use slice::Slice;
