use rrp_parallel::all_parts;

use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::kernel::kick;
use crate::leaves::leaves;

/// Kicks velocities and angular momenta of `state` by its wrenches over the time `h` (s); true if all are finite.
pub(crate) fn kick_in_place(bodies: &Bodies, state: &mut State, h: f64) -> bool {
    let translation = state.wrenches.force.slices().map(|force| (force, state.velocity.slices_mut()));
    let rotation = state.wrenches.torque.slices().map(|torque| (torque, state.angular_momentum.slices_mut()));
    let columns = (bodies.inverse_mass().piece(), translation, rotation);
    all_parts(leaves(bodies.len()), columns, &|_, (mass, translation, rotation)| {
        let moved = translation.is_none_or(|(force, v)| kick::velocities_in_place(h, mass.leaf(), force, v));
        moved & rotation.is_none_or(|(torque, l)| kick::momenta_in_place(h, torque, l))
    })
}
