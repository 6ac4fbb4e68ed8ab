//! Packings of spheres to start from: random ones, and the pyramid of cannonballs of `[OK18]`.
//!
//! `random` places spheres anywhere and pushes them apart by a neighbour list, clear of the spheres and walls of
//! `surroundings`; `obstacles` keeps small ones out of large ones at the start. `pyramid` computes its places.

pub(crate) mod obstacles;
mod pyramid;
mod random;
mod surroundings;

pub use self::pyramid::CannonballPyramid;
pub use self::random::{random_packing, random_packing_among};
pub use self::surroundings::{Sphere, Surroundings};
