//! Solvers against exact values, one another and enumeration.

mod algebra;
mod bad_input;
mod beam;
mod compliant_step;
mod conformance;
mod degenerate;
mod determinism;
mod enumeration;
mod feasible;
mod linear;

mod pyramid;
mod stalls;
mod support;
mod units;
