//! Bonds: elastic binder between pairs of bodies, after `[BG21] section 4`, and ties, after `[DK21] section 3.3`.
//!
//! `law` has the stiffness of one bond, `force` evaluates it, `bonds` is the force field of all bonds; `breakage` says
//! when a bond breaks, `energies` and `ledger` what is stored and released. `elastic_wall` is the wall of
//! `[BG21] (56)`. `packing` finds the pairs to bond, `renumber`
//! follows bodies that get other numbers. `ties` are contacts that also pull.
//!
//! Bonds and the wall need no list; ties find their pairs by a neighbour list.

mod body_pose;
pub(crate) mod bonds;
mod breakage;
mod elastic_wall;
pub(crate) mod energies;
mod force;
mod incidence;
pub(crate) mod law;
mod ledger;
mod packing;
mod renumber;
#[cfg(feature = "serde")]
mod restart;
pub(crate) mod ties;

pub use self::bonds::Bonds;
pub use self::breakage::{Rupture, Strength};
pub use self::elastic_wall::{ElasticWall, WallImpulse};
pub use self::energies::{BondEnergies, BondLoad};
pub use self::law::{Bond, BondLaw, ShearForm};
pub use self::ledger::BondLedger;
pub use self::packing::bonded_pairs;
pub use self::ties::Ties;
