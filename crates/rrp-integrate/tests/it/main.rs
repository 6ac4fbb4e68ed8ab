//! Integration tests of the maps: reference numbers, invariants, and bad input.

mod methods;
mod prelude;
mod problems;
mod reference;

mod bad_input;
mod damping;
mod determinism;
mod edge_cases;
mod identities;
mod lean;
mod memory;
mod pendulum;
mod renumbering;
mod runs;
mod schemes;
#[cfg(feature = "serde")]
mod serde;
mod structure;
mod tops;
