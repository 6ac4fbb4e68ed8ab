#![doc = include_str!("../README.md")]

mod exact_sum;
mod join;
mod loops;
mod parts;
mod pool;
mod split;

pub use exact_sum::{ExactSum, two_sum};
pub use join::{is_in_pool, join};
pub use loops::{all_parts, fold_parts, for_each_item, for_each_item_with, for_each_part, in_pool, sum_parts};
pub use parts::{BLOCK, Part, Parts};
pub use pool::Pool;
pub use split::{Extent, PerPart, Split};
