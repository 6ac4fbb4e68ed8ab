//! Solvers against exact values, one another and enumeration.

mod bad_input;
mod beam;
mod compliant_step;
mod conformance;
mod degenerate;
mod determinism;
mod enumeration;
mod linear;

mod pyramid;
mod stalls;
mod support;
mod units;
