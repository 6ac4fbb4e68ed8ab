//! Contact dynamics: rigid bodies at large steps.

mod compatible_law;
mod contact_dynamics;
mod finder;
mod outcome;
mod problem;
mod rigid_contact;
mod solvers;
mod step;

pub use compatible_law::CompatibleLaw;
pub use contact_dynamics::ContactDynamics;
pub use outcome::DynamicsReport;
pub use rigid_contact::RigidContact;
