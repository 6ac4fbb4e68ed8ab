//! Helpers without physics: loops with vector instructions, and checks of numbers that are read back.

pub(crate) mod numbers;
#[cfg(feature = "serde")]
pub(crate) mod serde_checked;
pub(crate) mod vectorized;
