//! States compared bit by bit.

use std::ops::Range;

use crate::prelude::*;

/// Every bit of time, positions, attitudes, velocities and angular momenta, body by body.
pub(crate) fn bits(state: &State) -> Vec<u64> {
    let vectors = [state.position(), state.velocity(), state.angular_momentum()];
    let row = |i: usize| {
        let attitude = state.attitude().get(i).to_quaternion().to_array();
        vectors.into_iter().flat_map(move |column| column.get(i).to_array()).chain(attitude)
    };
    (0..state.len()).flat_map(row).chain([state.time()]).map(f64::to_bits).collect()
}

/// The wrenches that a state carries, if it carries any: whether there are torques, and every bit.
pub(crate) fn wrench_bits(state: &State) -> Option<(bool, Vec<u64>)> {
    let wrenches = state.wrenches()?;
    let vectors = wrenches.force.iter().chain(wrenches.torque.iter());
    let bits = vectors.flat_map(|vector| vector.to_array()).map(f64::to_bits).collect();
    Some((!wrenches.torque.is_untouched(), bits))
}

/// The bodies of a range as a state of their own.
pub(crate) fn part(state: &State, range: Range<usize>) -> State {
    let mut part = State::at_rest(range.len());
    for (to, from) in range.enumerate() {
        part.position_mut().set(to, state.position().get(from));
        part.attitude_mut().set(to, state.attitude().get(from));
        part.velocity_mut().set(to, state.velocity().get(from));
        part.angular_momentum_mut().set(to, state.angular_momentum().get(from));
    }
    part.set_time(state.time());
    part
}
