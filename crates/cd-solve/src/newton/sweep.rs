//! Conjugate gradients on the Hessian of a step, with symmetric Gauss-Seidel sweeps over bodies (SSOR) as
//! preconditioner.
//!
//! - [`ssor_cg`]: the iteration; [`ssor`]: the split Hessian and its sweeps.
//! - [`level_order`]: the order of bodies by distance from the fixed ones, cut into subdomains of two colours.
//! - [`subdomain`]: the part of the Hessian that one thread sweeps: [`couplings`] with other bodies in the precision of
//!   a [`coefficient`], built from the contacts in the order of a [`contact_layout`].
//!
//! Subdomains of one colour are swept in parallel. Their number depends only on the number of bodies, so bits do not
//! depend on the number of threads. This folder uses [`crate::newton::system`] and [`crate::problem`].

pub(crate) mod coefficient;
pub(crate) mod contact_layout;
pub(crate) mod couplings;
pub(crate) mod level_order;
pub(crate) mod ssor;
pub(crate) mod ssor_cg;
pub(crate) mod subdomain;
