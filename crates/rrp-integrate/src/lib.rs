#![doc = include_str!("../README.md")]

mod bodies;
mod body_frame;
mod column;
mod drift;
mod error;
mod evaluation;
mod explicit;
mod field;
mod force;
mod implicit;
mod integrator;
mod invariants;
mod kick;
mod lanes;
mod par;
mod rigid;
mod state;
mod turn;
mod turn_lanes;

pub use bodies::{Bodies, Body};
pub use body_frame::BodyFrame;
pub use column::{AttitudeColumn, VectorColumn};
pub use error::{FieldError, IntegrateError};
pub use explicit::{Explicit, Map};
pub use field::{Free, Gravity, PivotedWeight, Sum};
pub use force::{ForceField, Potential, Wrenches};
pub use implicit::Implicit;
pub use integrator::{Integrator, Scheme, StepReport, run};
pub use invariants::{KineticEnergy, angular_momentum, kinetic_energy, linear_momentum, spin_momentum};
pub use state::State;
pub use turn::Turn;
