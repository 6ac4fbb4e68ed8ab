//! What contacts remember, seen from either body.

use std::fmt::Debug;

use rrp_geom::glam::DVec3;

/// What a contact remembers from step to step, as it is seen from one of its bodies.
pub trait ContactMemory: Copy + Default + Send + Sync + Debug {
    /// The same seen from the other body: vectors the other way round, angles about the normal and energies as they are.
    ///
    /// Without rounding: turned around twice, it is what it was to the last bit.
    #[must_use]
    fn reversed(self) -> Self;
}

/// Nothing.
impl ContactMemory for () {
    fn reversed(self) -> Self {}
}

/// A slip, or the spring that it stretched.
impl ContactMemory for DVec3 {
    fn reversed(self) -> Self {
        -self
    }
}
