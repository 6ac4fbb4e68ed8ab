//! Motion of bodies as bytes of a message.

use rrp_geom::Attitude;
use rrp_geom::glam::{DQuat, DVec3};
use rrp_integrate::State;

/// Outcome of an exchange of motion: all ranks take the step, or some refuse it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    All,
    SomeRefused,
}

/// Count of real numbers per body in a message: centre, velocity and angular momentum; an attitude adds four.
const NUMBERS: usize = 9;
const NUMBERS_WITH_ATTITUDE: usize = NUMBERS + 4;

fn size_of_body(state: &State) -> usize {
    size_of::<f64>() * if state.has_attitudes() { NUMBERS_WITH_ATTITUDE } else { NUMBERS }
}

/// Encodes centres, velocities, angular momenta and attitudes of these bodies as bytes of a message.
pub(crate) fn packed(bodies: &[u32], state: &State) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(bodies.len() * size_of_body(state));
    for &body in bodies {
        let body = body as usize;
        for column in [state.position(), state.velocity(), state.angular_momentum()] {
            column.get(body).to_array().iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        }
        if state.has_attitudes() {
            let quaternion = state.attitude().get(body).to_quaternion().to_array();
            quaternion.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        }
    }
    bytes
}

/// Decodes centres, velocities, angular momenta and attitudes of these bodies from a message into the state. A message
/// of another length is a refusal, and changes nothing.
pub(crate) fn unpack(bodies: &[u32], bytes: &[u8], state: &mut State) -> Presence {
    if bytes.len() != bodies.len() * size_of_body(state) {
        return Presence::SomeRefused;
    }
    for (&body, bytes) in bodies.iter().zip(bytes.chunks_exact(size_of_body(state))) {
        let body = body as usize;
        let numbers = bytes.as_chunks::<8>().0;
        let number = |k: usize| f64::from_le_bytes(numbers[k]);
        let vector = |first: usize| DVec3::new(number(first), number(first + 1), number(first + 2));
        state.position_mut().set(body, vector(0));
        state.velocity_mut().set(body, vector(3));
        state.angular_momentum_mut().set(body, vector(6));
        if numbers.len() == NUMBERS_WITH_ATTITUDE {
            let quaternion = DQuat::from_xyzw(number(9), number(10), number(11), number(12));
            state.attitude_mut().set(body, Attitude::from_quaternion_unchecked(quaternion));
        }
    }
    Presence::All
}
