//! The problems, and the matrices with which they are posed.
//!
//! - [`contact_jacobian`]: B, stored as the [`rows`] of its contacts; [`body_blocks`]: masses or inverse masses.
//! - [`delassus`]: B W Bᵀ as an [`operator`], never assembled.
//! - [`lcp`]: the linear complementarity problem and the trait of its solvers; [`row_sizes`]: its residual, each row
//!   divided by a reference value of its own.
//! - [`compatibility`]: the problem of compatible forces, with its contact law in [`power_law`]; [`balance`]: its
//!   residual, each body divided by a reference value of its own.
//!
//! Problems check their input when they are made; solvers rely on it. This folder uses only [`crate::error`],
//! [`crate::report`], [`crate::exact`] and [`crate::leaves`].

pub(crate) mod balance;
pub(crate) mod body_blocks;
pub(crate) mod compatibility;
pub(crate) mod contact_jacobian;
pub(crate) mod delassus;
pub(crate) mod lcp;
pub(crate) mod operator;
pub(crate) mod power_law;
pub(crate) mod row_sizes;
pub(crate) mod rows;
