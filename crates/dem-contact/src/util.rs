//! Helpers without physics: exact sums, sorting, loops with vector instructions, and checks of numbers that are read back.

pub(crate) mod exact_sum;
#[cfg(feature = "serde")]
pub(crate) mod serde_checked;
pub(crate) mod sort_by_key;
pub(crate) mod vectorized;
