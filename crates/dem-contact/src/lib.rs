#![doc = include_str!("../README.md")]

pub mod bond;
pub mod bridge;
pub mod contact_dynamics;
pub mod cuboid;
pub mod error;
pub mod force;
pub mod implicit;
pub mod io;
pub mod law;
pub mod measure;
pub mod neighbor;
pub mod packing;
pub mod source;
pub mod statics;
mod stiffness;
mod util;
pub mod wall;
