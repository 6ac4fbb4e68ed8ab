//! Bonds: elastic binder between pairs of bodies, and the wall that goes with it, after `[BG21]` section 4.

pub(crate) mod body_pose;
pub(crate) mod bonds;
pub(crate) mod breakage;
pub(crate) mod elastic_wall;
pub(crate) mod energies;
pub(crate) mod force;
pub(crate) mod incidence;
pub(crate) mod law;
pub(crate) mod ledger;
pub(crate) mod packing;
#[cfg(feature = "serde")]
pub(crate) mod restart;
pub(crate) mod ties;

pub use self::bonds::Bonds;
pub use self::breakage::{Rupture, Strength};
pub use self::elastic_wall::{ElasticWall, WallImpulse};
pub use self::energies::{BondEnergies, BondLoad};
pub use self::law::{Bond, BondLaw, ShearForm};
pub use self::ledger::BondLedger;
pub use self::packing::bonded_pairs;
pub use self::ties::Ties;
