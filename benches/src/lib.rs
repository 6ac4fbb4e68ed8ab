//! Functions that several benches share; the benches themselves are separate targets.

mod arguments;
mod cone_apgd;
mod independent_gain;
mod median;
mod process;

pub use arguments::{flag, value};
pub use cone_apgd::{ConeApgdReport, cone_apgd};
pub use independent_gain::independent_gain;
pub use median::median;
pub use process::{memory, pool, running_time};
