//! Solvers against exact solutions, each other and enumeration.

mod algebra;
mod bad_input;
mod compliant_step;
mod conformance;
mod degenerate;
mod determinism;
mod enumeration;
#[cfg(feature = "fclib")]
mod fclib;
mod feasible;
mod friction;
mod friction_forces;
mod linear;
mod prelude;
mod pyramid;
mod support;
