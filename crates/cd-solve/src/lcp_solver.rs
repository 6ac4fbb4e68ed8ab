//! Solvers of the linear complementarity problem, `[OK18]` section 8.
//!
//! - [`pgs`]: projected Gauss-Seidel, in the [`sweep_order`] asked for.
//! - [`apgd`]: accelerated projected gradient descent, with its [`momentum`], [`step_rule`] and the vector loops of a
//!   [`gradient_step`].
//! - [`pivoting`]: a method without rounding for small problems that are too hard for the two; pivoting alone proves
//!   that a problem has no solution. [`farkas`]: the sign of infeasibility by which the two ask for that proof.
//! - [`units`]: the units in which descent works.
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
