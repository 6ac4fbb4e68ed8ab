//! What several benches share; the benches themselves are separate targets.

mod independent_gain;

pub use independent_gain::independent_gain;
