//! The operations on each body, vectorised over columns: kick, drift, turn.
//!
//! [`kick`] changes velocities and angular momenta, [`drift`] positions, [`turn`] attitudes. [`lanes`] runs a formula
//! over columns with the widest instructions of the machine, and `instructions` names these. `turn_lanes` has the turns
//! of spheres in that form, `rigid` those of bodies of any shape. Kernels know columns and bodies, and neither forces
//! nor steps.

pub(crate) mod drift;
pub(crate) mod instructions;
pub(crate) mod kick;
pub(crate) mod lanes;
pub(crate) mod rigid;
pub(crate) mod turn;
pub(crate) mod turn_lanes;
