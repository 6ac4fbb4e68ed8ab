#![doc = include_str!("../README.md")]

mod advice;
mod apart;
mod blocks;
mod bond;
mod both;
mod buffers;
mod candidates;
mod carried;
mod cells;
mod close_keys;
mod close_pairs;
mod close_watch;
mod columns;
mod contact;
mod contact_force;
mod contact_numbers;
mod contact_walls;
mod domain;
mod dynamics;
mod energy_guard;
mod error;
mod evaluation;
mod exchange;
mod frame;
mod half_rows;
mod homes;
mod implicit;
mod kernel;
mod lammps;
mod law;
mod laws;
mod ledger;
mod material;
mod mesh;
mod moving;
mod neighbor;
mod pair_laws;
mod pair_memory;
mod par;
mod plank;
mod pool;
mod prefetch;
mod pyramid;
mod random_packing;
mod readings;
mod relay;
#[cfg(feature = "serde")]
mod restart;
mod room;
mod search;
mod sink;
mod size_classes;
mod slots;
mod statics;
#[cfg(feature = "serde")]
mod stored;
mod strip;
mod sums;
mod tie;
mod touching;
mod tray;
mod view;
mod vtk;
mod wall;
mod wall_contacts;
mod wrench_columns;

pub use advice::{STEPS_PER_CONTACT, contact_time};
pub use bond::{
    Bond, BondEnergies, BondLaw, BondLedger, BondLoad, Bonds, ElasticWall, Rupture, ShearForm, Strength, WallImpulse,
    bonded_pairs,
};
pub use both::Both;
pub use contact::{Contact, Slip};
pub use contact_force::ContactForce;
pub use domain::{Boundary, Domain};
pub use dynamics::{CompatibleLaw, ContactDynamics, DynamicsReport, RigidContact};
pub use energy_guard::EnergyGuard;
pub use error::DemError;
pub use implicit::{DiscreteForm, ImplicitDem, ImplicitReport, LinearMethod, NewtonOptions, StepFailure};
pub use lammps::LammpsData;
pub use law::{
    CoRotated, CoRotating, ContactLaw, ContactMemory, CoulombViscous, Damping, FrictionSpring, Frictionless, Hertz,
    Hooke, Lever, Metered, MeteredMemory, MindlinSpring, PartialSlip, PartialSlipMemory, Rolled, Rolling, SpringSlider,
    TangentialLaw, TangentialSlope, Viscous,
};
pub use ledger::Ledger;
pub use material::{Material, Materials};
pub use mesh::TriangleMesh;
pub use neighbor::NeighborList;
pub use pair_laws::PairLaws;
pub use plank::{Plank, PlankForce};
pub use pyramid::CannonballPyramid;
pub use random_packing::random_packing;
pub use statics::{EnergyMinimizer, Equilibrium, weight};
pub use tie::Ties;
pub use vtk::{PvdSeries, VtpFrame, VtpPoints};
pub use wall::{Cylinder, Patch, Pose, Revolution, Saddle, Shape, Sides, Wall, WallLoad, WallMotion, WallShape};
