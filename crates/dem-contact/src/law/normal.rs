//! TODO

pub(crate) mod damping;
pub(crate) mod hertz;
pub(crate) mod hooke;
