//! Solvers of the linear complementarity problem, `[OK18]` section 8.
//!
//! - [`pgs`]: projected Gauss-Seidel, in a given [`sweep_order`].
//! - [`apgd`]: accelerated projected gradient descent, with [`momentum`], [`step_rule`], the vector loops of
//!   [`gradient_step`], and the [`units`] in which it computes.
//! - [`pivoting`]: extended precision for small problems on which iterations stall. Only pivoting proves that a problem
//!   has no solution; [`farkas`] detects when such a proof is worth trying.
//!
//! This folder uses [`crate::problem`].

pub mod apgd;
pub(crate) mod farkas;
pub(crate) mod gradient_step;
pub(crate) mod momentum;
pub mod pgs;
pub mod pivoting;
pub(crate) mod step_rule;
pub(crate) mod sweep_order;
pub(crate) mod units;
