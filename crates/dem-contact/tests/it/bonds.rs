//! Tests of bonds: reference numbers, properties of each law, and misuse.

pub(crate) mod problems;
pub(crate) mod reference;

mod determinism;
mod laws;
mod misuse;
mod oracle;
mod parallel;
mod parallel_motion;
mod rupture;
#[cfg(feature = "serde")]
mod serde;
mod torus;
pub(crate) mod vtk;
