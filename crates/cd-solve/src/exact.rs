//! Arithmetic that does not round, or hardly: the last resort of solvers, and proofs.
//!
//! - [`wide`]: numbers of 256 bits; [`lemke`]: Lemke's method with them.
//! - [`kernel`]: exact signs of the solutions of homogeneous equations, by the remainders of [`modular`].
//!
//! This folder knows no contacts.

pub(crate) mod kernel;
pub(crate) mod lemke;
pub(crate) mod modular;
pub(crate) mod wide;
