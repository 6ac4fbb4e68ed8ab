#![doc = include_str!("../README.md")]

#[cfg(feature = "approx")]
mod approx;
mod attitude;
mod error;
mod rodrigues;

pub use attitude::Attitude;
pub use error::GeomError;
pub use glam;
pub use rodrigues::RodriguesVector;
