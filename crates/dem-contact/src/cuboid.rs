//! Cuboids that spheres touch: their shape, and the penalty force of contacts.
//!
//! `shape` finds the nearest point of a cuboid, `contact` the contact with a sphere. `force` turns contacts into a
//! force field by a normal law of `law`; `contact_dynamics` resolves the same contacts as rigid ones.

pub(crate) mod contact;
pub(crate) mod force;
pub(crate) mod shape;

pub use self::force::CuboidForce;
pub use self::shape::Cuboid;
