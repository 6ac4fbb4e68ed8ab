//! Solvers against exact values, one another and enumeration.

mod bad_input;
mod beam;
mod conformance;
mod degenerate;
mod determinism;
mod enumeration;
mod linear;
mod one_step;
mod pyramid;
mod support;
