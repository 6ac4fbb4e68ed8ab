//! The operations on each body, vectorised over columns: kick, drift, turn.
//!
//! [`kick`] changes velocities and angular momenta, [`drift`] positions, [`turn`] attitudes. [`lanes`] applies a
//! formula to columns with the widest vector instructions of the machine, named in `instructions`. `turn_lanes` has the
//! formulas for spheres, `rigid` those for bodies of any shape. The folder uses `column` and `body`, but neither forces
//! nor steps.

pub(crate) mod drift;
pub(crate) mod instructions;
pub(crate) mod kick;
pub(crate) mod lanes;
pub(crate) mod rigid;
pub(crate) mod turn;
pub(crate) mod turn_lanes;
