//! The bodies and their state, and everything that reads or reorders them without forces.
//!
//! [`Bodies`] are the constants (mass, inertia, radius), [`State`] is everything that a step changes, and
//! [`Wrenches`] are the forces and torques that act on it. [`Renumbering`] gives bodies other numbers. Energy and
//! momenta of a state are functions here. This folder knows `column` and `error`, and neither forces nor steps.

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
