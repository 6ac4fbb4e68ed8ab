//! What every solver must pass, and the problems it is tested with.

mod assembly;
mod pyramid;
mod random;

pub use assembly::Assembly;
pub use pyramid::{Pyramid, Species};
pub use random::Random;
