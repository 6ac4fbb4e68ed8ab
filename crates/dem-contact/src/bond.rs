//! Bonds: elastic binder between pairs of bodies, after `[BG21] section 4`, and ties, after `[DK21] section 3.3`.
//!
//! `law` and `parallel_law` have the stiffness of one bond, `elastic_force` and `parallel_force` its force, `bonds` the
//! force field of all bonds, `reference` the state in which bonds store no energy. `breakage` has the strength of a
//! bond, `energies`, `readings` and `ledger` the stored and released energies. `elastic_wall` is the wall of `[BG21]
//! (56)`. `packing` finds the pairs to bond, `bond_set` (in `bonds`) appends bonds that are made later, `fragments` finds the bodies
//! that intact bonds join, `renumber` follows a renumbering of bodies. `ties` are contacts that also pull; only they
//! need a neighbour list.

mod body_pose;
pub(crate) mod bonds;
mod breakage;
mod elastic_force;
mod elastic_wall;
pub(crate) mod energies;
mod force;
mod fragments;
mod incidence;
pub(crate) mod law;
mod ledger;
mod packing;
mod parallel_force;
mod parallel_law;
mod readings;
mod renumber;
pub(crate) mod ties;

pub use self::bonds::Bonds;
pub use self::breakage::{Rupture, Strength};
pub use self::elastic_wall::{ElasticWall, WallImpulse};
pub use self::energies::{BondEnergies, BondLoad};
pub use self::law::{AnyBondLaw, Bond, BondLaw, ShearForm};
pub use self::ledger::BondLedger;
pub use self::packing::{bonded_pairs, bonded_pairs_in};
pub use self::parallel_law::{Glue, ParallelBondLaw, StressLimits};
pub use self::ties::Ties;
