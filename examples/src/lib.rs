//! Doctests of the programs in the workspace's README and in the [`guide`], and code that several examples share.
#![doc = include_str!("../../README.md")]

pub mod guide;
mod slice;

pub use slice::Slice;
