//! Grains that come in the course of a run: their sizes, and the places where they fit.
//!
//! Grain k of a source draws from a stream of random numbers of its own (`stream`), first its size (`sizes`), then
//! places in a [`Region`], which may be `faces` of a mesh. `insertion` places the grain without overlap with others,
//! including those `placed` just before. Gates count and remove grains that pass them (`gate`).

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
