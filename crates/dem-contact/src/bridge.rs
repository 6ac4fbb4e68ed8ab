//! Liquid bridges: liquid shared by two grains, or a grain and a wall, which pulls them together.
//!
//! `capillary` has force, energy and rupture of one bridge; `wet_wall` is a wall that bridges reach; `link` is the pair
//! of bodies, or body and wall, that a bridge joins. `bridges` is the force field of all bridges, `exchange` moves
//! liquid to bridges and back, `readings` reads liquid and energies, `renumber` follows other numbers of bodies.
//!
//! Bridges begin where bodies touch, so the neighbour list of bridges need not reach beyond contact.

pub(crate) mod bridges;
mod capillary;
mod exchange;
mod link;
mod readings;
mod renumber;
mod wet_wall;

pub use self::bridges::Bridges;
pub use self::capillary::Capillary;
pub use self::exchange::Moisture;
pub use self::link::Bridge;
pub use self::wet_wall::WetWall;
