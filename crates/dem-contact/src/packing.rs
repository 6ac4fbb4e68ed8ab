//! Packings of spheres as initial states: random ones, and the pyramid of cannonballs of `[OK18]`.
//!
//! `random` places spheres at random and pushes them apart, clear of the spheres and walls of `surroundings`;
//! `obstacles` keeps small spheres out of large ones at the start. `pyramid` computes the centres of the pyramid.

pub(crate) mod obstacles;
mod pyramid;
mod random;
mod surroundings;

pub use self::pyramid::CannonballPyramid;
pub use self::random::{random_packing, random_packing_among};
pub use self::surroundings::{Sphere, Surroundings};
