//! Helpers without physics: sorting, loops with vector instructions, and checks of numbers that are read back.

#[cfg(feature = "serde")]
pub(crate) mod serde_checked;
pub(crate) mod sort_by_key;
pub(crate) mod vectorized;
