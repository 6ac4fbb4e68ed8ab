//! What several benches share; the benches themselves are separate targets.

mod independent_gain;
mod round_trip;

pub use independent_gain::independent_gain;
pub use round_trip::round_trip;
