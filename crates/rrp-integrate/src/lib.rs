#![doc = include_str!("../README.md")]

pub mod body;
pub mod column;
mod error;
pub mod field;
mod kernel;
mod leaves;
pub mod step;

pub use body::{Bodies, Body, Renumbering, State, Wrenches, angular_momentum, kinetic_energy, linear_momentum};
pub use column::{ScalarColumn, VectorColumn};
pub use error::{FieldError, IntegrateError};
pub use field::{Both, ForceField, Gravity, NoForce, PivotedWeight, Potential};
pub use kernel::instructions::Instructions;
pub use kernel::turn::Turn;
pub use step::{Explicit, Integrator, Map, Scheme, StepReport, run};
