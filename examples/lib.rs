//! The examples are separate targets. This library exists so that the program of the workspace's README is a doctest, and those
//! of the [`guide`] are.
#![doc = include_str!("../README.md")]

pub mod guide;
