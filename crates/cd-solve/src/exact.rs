//! Arithmetic with little or no rounding, for problems that solvers in `f64` cannot solve, and for proofs.
//!
//! - [`wide`]: numbers of 256 bits; [`lemke`]: Lemke's method with such numbers.
//! - [`kernel`]: exact signs of solutions of homogeneous equations, by the residues of [`modular`].

pub(crate) mod kernel;
pub(crate) mod lemke;
pub(crate) mod modular;
pub(crate) mod wide;
