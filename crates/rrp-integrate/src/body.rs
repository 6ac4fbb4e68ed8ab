//! The bodies and their state: constants, motion, energy and momenta.
//!
//! [`Bodies`] holds the constants (mass, inertia, radius), [`State`] all that a step changes, and [`Wrenches`] the
//! forces and torques. [`Renumbering`] reorders, adds and removes bodies. The folder uses `column` and `error`, but
//! neither forces nor steps.

pub(crate) mod bodies;
pub(crate) mod invariants;
pub(crate) mod renumbering;
pub(crate) mod rigid_body;
pub(crate) mod state;
pub(crate) mod wrenches;

pub use bodies::Bodies;
pub use invariants::{KineticEnergy, angular_momentum, kinetic_energy, linear_momentum, spin_momentum};
pub use renumbering::Renumbering;
pub use rigid_body::Body;
pub use state::State;
pub use wrenches::Wrenches;
