//! Semismooth Newton's method on the energy of elastic contacts: compatible forces and compliant steps.
//!
//! - [`penalty`]: the energy, its gradient and its values along a line; [`line_search`] finds the minimum on a line.
//! - [`semismooth`]: Newton's method; [`proximal`]: its fallback after a stall; [`by_body`]: iterations until light
//!   bodies are balanced too.
//! - [`system`]: the linear system of a step and the trait of its solvers: conjugate gradients in [`sweep`], sparse
//!   factors of the [`assembled_hessian`] in [`cholesky_steps`].
//! - [`compatible_forces`]: the solver of compatibility problems, in the units of [`scaling`];
//!   [`extended_precision`]: its fallback in 256 bits; [`compliant_step`]: velocities and forces from one minimisation.
//!
//! This folder uses [`crate::problem`], [`crate::exact`] and the sparse factors of [`crate::linear`].

pub(crate) mod assembled_hessian;
pub(crate) mod by_body;
pub(crate) mod cholesky_steps;
pub(crate) mod compatible_forces;
pub(crate) mod compliant_step;
#[cfg(test)]
pub(crate) mod dense_hessian;
pub(crate) mod extended_precision;
pub(crate) mod line_search;
pub(crate) mod penalty;
pub(crate) mod proximal;
pub(crate) mod scaling;
pub(crate) mod semismooth;
pub(crate) mod sweep;
pub(crate) mod system;
