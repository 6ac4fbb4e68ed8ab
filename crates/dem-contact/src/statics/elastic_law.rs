//! The elastic part of a contact law.

use crate::ContactLaw;

/// A law without its damping.
#[derive(Debug)]
pub(crate) struct ElasticLaw<'a, L>(pub(crate) &'a L);

impl<L: ContactLaw> ContactLaw for ElasticLaw<'_, L> {
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

    fn is_damped(&self) -> bool {
        false
    }
}
