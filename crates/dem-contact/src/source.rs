//! Sources, which insert grains in the course of a run at positions without overlap, and gates, which count grains.
//!
//! Each grain of a source draws its size (`sizes`), then positions in a [`Region`], which may be `faces` of a mesh,
//! from its own stream of random numbers (`stream`). `insertion` places the grain without overlap with other grains,
//! including those just `placed`. A `gate` reports grains that pass it.

mod faces;
mod gate;
mod insertion;
mod placed;
mod region;
mod sizes;
mod stream;

pub use self::faces::{FaceChoice, Facing, MeshFaces};
pub use self::gate::{Gate, GateShape};
pub use self::insertion::{Grain, GrainSource};
pub use self::region::Region;
pub use self::sizes::{Share, SizeLaw, Sizes};
pub use self::stream::GrainStream;
