//! Planks: boxes that spheres touch, and the penalty force of that contact.

pub(crate) mod contact;
pub(crate) mod force;
pub(crate) mod shape;

pub use self::force::CuboidForce;
pub use self::shape::Cuboid;
