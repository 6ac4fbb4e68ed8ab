//! What several benches share; the benches themselves are separate targets.

mod round_trip;

pub use round_trip::round_trip;
