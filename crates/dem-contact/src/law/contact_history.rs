//! What contacts remember, seen from either body.

use std::fmt::Debug;

use rrp_geom::glam::{DMat3, DVec3};

/// What a contact remembers from step to step, as it is seen from one of its bodies.
pub trait ContactHistory: Copy + Default + Send + Sync + Debug {
    /// The same seen from the other body: vectors the other way round, angles about the normal and energies as they are.
    ///
    /// Without rounding: turned around twice, it is what it was to the last bit.
    #[must_use]
    fn reversed(self) -> Self;

    /// The same after the contact has turned: vectors turned, angles about the normal and energies as they are.
    #[must_use]
    fn turned(self, rotation: &DMat3) -> Self;

    /// What a contact remembers that begins as a part of this one, where a wall [parts](crate::wall::surface::Saddle): its springs, but not what
    /// has been summed since it began.
    #[must_use]
    fn begun(self) -> Self {
        self
    }
}

/// Nothing.
impl ContactHistory for () {
    fn reversed(self) -> Self {}

    fn turned(self, _: &DMat3) -> Self {}
}

/// A slip, or the spring that it stretched.
impl ContactHistory for DVec3 {
    fn reversed(self) -> Self {
        -self
    }

    #[inline(always)]
    fn turned(self, rotation: &DMat3) -> Self {
        *rotation * self
    }
}
