//! Conjugate gradients on the Hessian of a step, preconditioned by symmetric Gauss-Seidel sweeps over the bodies
//! (SSOR).
//!
//! - [`ssor_cg`]: the iteration; [`ssor`]: the split Hessian and its sweeps.
//! - [`level_order`]: the order of the bodies, by their distance from the fixed ones, cut into subdomains of two
//!   colours.
//! - [`subdomain`]: the part of the Hessian that is swept by one thread: [`couplings`] with other bodies in the
//!   precision of a [`coefficient`], built from the contacts in the order of a [`contact_layout`].
//!
//! Subdomains of one colour are swept in parallel. Their number depends on the number of bodies only, so that results
//! have the same bits for any number of threads. This folder uses [`crate::newton::system`] and [`crate::problem`].

pub(crate) mod coefficient;
pub(crate) mod contact_layout;
pub(crate) mod couplings;
pub(crate) mod level_order;
pub(crate) mod ssor;
pub(crate) mod ssor_cg;
pub(crate) mod subdomain;
