//! A contact law with another damping, for dynamic relaxation.

use std::sync::Arc;

use crate::law::contact_law::ContactLaw;

/// Normal law for dynamic relaxation of bodies of mass one: the repulsive elastic part of another law, with a damping
/// of its own. Motion that compresses no contact is not damped.
#[derive(Debug)]
pub(super) struct DampedLaw<L> {
    pub(super) law: Arc<L>,
    /// Damping ratio ζ: damping over the critical damping of a contact of two bodies of mass one.
    pub(super) ratio: f64,
}

impl<L: ContactLaw> ContactLaw for DampedLaw<L> {
    #[inline]
    fn energy(&self, overlap: f64, radius: f64) -> f64 {
        self.law.energy(overlap, radius)
    }

    #[inline]
    fn force(&self, overlap: f64, radius: f64) -> f64 {
        self.law.force(overlap, radius).max(0.0)
    }

    #[inline]
    fn stiffness(&self, overlap: f64, radius: f64) -> f64 {
        self.law.stiffness(overlap, radius)
    }

    #[inline]
    fn damping(&self, overlap: f64, radius: f64, _: f64) -> f64 {
        2.0 * self.ratio * (0.5 * self.law.stiffness(overlap, radius)).max(0.0).sqrt()
    }

    fn is_capped(&self) -> bool {
        true
    }
}
