//! Helpers without physics: exact sums, loops with vector instructions, and checks of numbers that are read back.

pub(crate) mod exact_sum;
#[cfg(feature = "serde")]
pub(crate) mod serde_checked;
pub(crate) mod vectorized;
