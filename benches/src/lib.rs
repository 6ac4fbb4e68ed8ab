//! What several benches share; the benches themselves are separate targets.

mod arguments;
mod independent_gain;
mod median;
mod process;

pub use arguments::{flag, value};
pub use independent_gain::independent_gain;
pub use median::median;
pub use process::{memory, running_time};
