//! Bonds: elastic binder between pairs of bodies, and the wall that goes with it, after `[BG21]` section 4.

mod action;
mod bonds;
mod elastic_wall;
mod energies;
mod incidence;
mod law;
mod ledger;
mod load;
mod packing;
mod pose;
#[cfg(feature = "serde")]
mod restart;
mod rupture;
mod shear_form;
mod strength;

pub use bonds::Bonds;
pub use elastic_wall::{ElasticWall, WallImpulse};
pub use energies::BondEnergies;
pub use law::{Bond, BondLaw};
pub use ledger::BondLedger;
pub use load::BondLoad;
pub use packing::bonded_pairs;
pub use rupture::Rupture;
pub use shear_form::ShearForm;
pub use strength::Strength;
