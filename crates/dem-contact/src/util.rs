//! Helpers without physics: exact reservation of memory, and checks of numbers that are read back.

pub(crate) mod reserve;
#[cfg(feature = "serde")]
pub(crate) mod serde_checked;
