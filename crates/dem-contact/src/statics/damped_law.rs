//! A contact law with a damping of its own.

use crate::ContactLaw;

/// Damping over that which would be critical for a contact of two bodies of mass one.
///
/// More is not stable at the steps of relaxation, whose velocities are those of half a step before.
const RATIO: f64 = 0.1;

/// The elastic part of a law, damped for bodies of mass one: what moves without contacts being compressed is not braked.
#[derive(Debug)]
pub(crate) struct DampedLaw<'a, L>(pub(crate) &'a L);

impl<L: ContactLaw> ContactLaw for DampedLaw<'_, L> {
    #[inline]
    fn energy(&self, overlap: f64, radius: f64) -> f64 {
        self.0.energy(overlap, radius)
    }

    #[inline]
    fn force(&self, overlap: f64, radius: f64) -> f64 {
        self.0.force(overlap, radius)
    }

    #[inline]
    fn stiffness(&self, overlap: f64, radius: f64) -> f64 {
        self.0.stiffness(overlap, radius)
    }

    #[inline]
    fn damping(&self, overlap: f64, radius: f64, _: f64) -> f64 {
        2.0 * RATIO * (0.5 * self.0.stiffness(overlap, radius)).max(0.0).sqrt()
    }

    fn is_capped(&self) -> bool {
        true
    }
}
