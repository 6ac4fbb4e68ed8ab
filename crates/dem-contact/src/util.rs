//! Helpers without physics: loops with vector instructions, and checks of lengths and of numbers that are read back.

pub(crate) mod length;
pub(crate) mod numbers;
#[cfg(feature = "serde")]
pub(crate) mod serde_checked;
#[cfg(feature = "serde")]
pub(crate) mod serde_limit;
pub(crate) mod vectorized;
