//! Liquid bridges: grains carry liquid, and what two of them share pulls them together.
//!
//! `capillary` has force, energy and rupture of one bridge; `wet_wall` a wall that bridges reach; `link` says between
//! whom a bridge is. `bridges` is the force field of all bridges, `exchange` how liquid goes to bridges and back,
//! `readings` what there is, `renumber` follows other numbers of bodies.
//!
//! Bridges begin where bodies touch, so their list need not reach further than a contact.

pub(crate) mod bridges;
mod capillary;
mod exchange;
mod link;
mod readings;
mod renumber;
#[cfg(feature = "serde")]
mod restart;
mod wet_wall;

pub use self::bridges::Bridges;
pub use self::capillary::Capillary;
pub use self::exchange::Moisture;
pub use self::link::Bridge;
pub use self::wet_wall::WetWall;
