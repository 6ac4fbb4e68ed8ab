//! TODO

pub(crate) mod obstacles;
pub(crate) mod pyramid;
pub(crate) mod random;

pub use self::pyramid::CannonballPyramid;
pub use self::random::random_packing;
