//! How a body moves, packed in the order of the list.

/// Velocity and reciprocal mass, spin and the number of the body as a number; one cache line, which is read for each contact.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(64))]
pub(crate) struct Moving {
    pub(crate) velocity: [f64; 4],
    pub(crate) spin: [f64; 4],
}
