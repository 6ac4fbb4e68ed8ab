//! Planks: boxes that spheres touch, and the penalty force of that contact.

mod contact;
mod force;
mod shape;

pub(crate) use contact::meet;
pub use force::PlankForce;
pub use shape::Plank;
