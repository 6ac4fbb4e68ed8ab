//! Solvers against exact values, one another and enumeration.

mod beam;
mod conformance;
mod degenerate;
mod determinism;
mod enumeration;
mod pyramid;
mod support;
