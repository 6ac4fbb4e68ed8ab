//! The examples are separate targets. This library exists so that the program of the workspace's README is a doctest.
#![doc = include_str!("../README.md")]
