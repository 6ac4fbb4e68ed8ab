//! Quantities of all bodies, one column for each component: the storage that the vectorised kernels read.
//!
//! [`VectorColumn`] and [`AttitudeColumn`] hold quantities that change. [`LoadColumn`] holds sums of forces or torques,
//! and takes no memory before the first addition. [`ScalarColumn`] and [`MomentColumn`] hold constants, stored once if
//! all bodies share them. The folder uses `leaves` and `error`.

pub(crate) mod attitude;
pub(crate) mod load;
pub(crate) mod moment;
pub(crate) mod scalar;
pub(crate) mod vector;

pub use attitude::AttitudeColumn;
pub use load::LoadColumn;
pub use moment::MomentColumn;
pub use scalar::ScalarColumn;
pub use vector::VectorColumn;
