#![doc = include_str!("../README.md")]

mod build;
mod checkpoint;
mod convert;
mod engine;
mod error;
mod estimate;
mod location;
mod output;
mod reading;
mod run;
mod scene;
mod simulation;
mod source;

pub use checkpoint::Checkpoint;
pub use convert::convert;
pub use error::GrainsError;
pub use estimate::Estimate;
pub use location::Location;
pub use reading::{ContactRow, Energies, Reading};
pub use run::Run;
pub use scene::{
    BodyGroup, BondGroup, Compatibility, ContactModel, DampingLaw, ImplicitForm, ImplicitMethod, Interval, Material,
    Method, NormalLaw, OutputPlan, PairLaw, Place, Radii, Region, Resistance, RigidMethod, RigidSolver, Scene, Shear,
    Side, Sides, StaticMethod, TangentLaw, TieGroup, TimeStep, Timing, Units, WallGroup,
};
pub use simulation::Simulation;
