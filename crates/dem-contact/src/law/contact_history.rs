//! The history of a contact: what a tangential law keeps from step to step, such as a spring.

use std::fmt::Debug;

use rrp_geom::glam::{DMat3, DVec3};

/// The history of one contact, seen from one of its two bodies: from the body with the lower id, or from the body at a
/// wall.
///
/// Ids never change, so a history is never turned around, not even where bodies are renumbered.
pub trait ContactHistory: Copy + Default + Send + Sync + Debug {
    /// The same history seen from the other body: vectors change sign; angles about the normal and energies do not.
    ///
    /// Turning it around twice must give the same bits.
    #[must_use]
    fn reversed(self) -> Self;

    /// The same history after the contact has turned: vectors turn; angles about the normal and energies do not.
    #[must_use]
    fn turned(self, rotation: &DMat3) -> Self;

    /// The history of a new contact that splits off this one, where a wall [parts](crate::wall::Saddle). Springs are
    /// kept; sums since the contact began start at zero.
    #[must_use]
    fn begun(self) -> Self {
        self
    }
}

/// No history.
impl ContactHistory for () {
    fn reversed(self) -> Self {}

    fn turned(self, _: &DMat3) -> Self {}
}

/// A slip, or the stretch of a spring.
impl ContactHistory for DVec3 {
    fn reversed(self) -> Self {
        -self
    }

    #[inline(always)]
    fn turned(self, rotation: &DMat3) -> Self {
        *rotation * self
    }
}
