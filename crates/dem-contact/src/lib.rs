#![doc = include_str!("../README.md")]

mod advice;
mod bond;
mod both;
mod cells;
mod contact;
mod contact_force;
mod domain;
mod energy_guard;
mod error;
mod evaluation;
mod kernel;
mod lammps;
mod law;
mod ledger;
mod neighbor;
mod pair_memory;
mod par;
mod readings;
#[cfg(feature = "serde")]
mod restart;
mod search;
#[cfg(feature = "serde")]
mod stored;
mod vtk;
mod wall;
mod wall_contacts;

pub use advice::{STEPS_PER_CONTACT, contact_time};
pub use bond::{
    Bond, BondEnergies, BondLaw, BondLedger, BondLoad, Bonds, ElasticWall, Rupture, ShearForm, Strength, WallImpulse,
    bonded_pairs,
};
pub use both::Both;
pub use contact::{Contact, Slip};
pub use contact_force::ContactForce;
pub use domain::{Boundary, Domain};
pub use energy_guard::EnergyGuard;
pub use error::DemError;
pub use lammps::LammpsData;
pub use law::{ContactLaw, CoulombViscous, Damping, Frictionless, Hertz, Hooke, TangentialLaw, Viscous};
pub use ledger::Ledger;
pub use neighbor::NeighborList;
pub use vtk::{PvdSeries, VtpFrame};
pub use wall::{Wall, WallLoad};
