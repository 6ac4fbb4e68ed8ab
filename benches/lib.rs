//! What several benches share; the benches themselves are separate targets.

mod hand_over;
mod independent_gain;
mod round_trip;

pub use hand_over::hand_over;
pub use independent_gain::independent_gain;
pub use round_trip::round_trip;
