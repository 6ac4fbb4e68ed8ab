//! Walls: surfaces that push bodies, where they are and how they move.

mod cylinder;
mod motion;
mod patch;
mod placed;
mod reached;
mod revolution;
mod saddle;
mod shape;
mod sides;
mod wall_load;
mod wall_motion;
mod wall_shape;
mod whole;

pub use cylinder::Cylinder;
pub use patch::Patch;
pub use revolution::Revolution;
pub use saddle::Saddle;
pub use shape::Shape;
pub use sides::Sides;
pub use wall_load::WallLoad;
pub use wall_motion::{Pose, WallMotion};
pub use wall_shape::WallShape;
pub use whole::Wall;

pub(crate) use patch::{Bend, push_apart, square};
pub(crate) use placed::{Motionless, Placed, finite};
pub(crate) use reached::{End, Reached};
