//! The forces of one touching contact: the one place where laws are called.

use rrp_geom::glam::DVec3;

use crate::{ContactLaw, Slip, TangentialLaw};

/// The state of one contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touch {
    /// Unit normal from a to b.
    pub(crate) normal: DVec3,
    pub(crate) overlap: f64,
    /// Reduced radius and mass.
    pub(crate) radius: f64,
    pub(crate) mass: f64,
    /// Velocity of b relative to a at the contact point.
    pub(crate) velocity: DVec3,
    pub(crate) elapsed: f64,
}

/// Forces on b.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Push {
    pub(crate) elastic: f64,
    pub(crate) normal: f64,
    pub(crate) tangential: DVec3,
}

impl Push {
    /// The force on b along `normal` and across it.
    #[inline(always)]
    pub(crate) fn total(&self, normal: DVec3) -> DVec3 {
        normal * self.normal + self.tangential
    }

    /// The part of [`total`](Self::total) that is not elastic.
    #[inline(always)]
    pub(crate) fn dissipative(&self, normal: DVec3) -> DVec3 {
        normal * (self.normal - self.elastic) + self.tangential
    }
}

/// Normal force with damping, and tangential force.
#[inline(always)]
pub(crate) fn push<L: ContactLaw, T: TangentialLaw>(
    law: &L,
    tangential: &T,
    capped: bool,
    touch: &Touch,
    memory: &mut T::Memory,
) -> Push {
    let &Touch { normal, overlap, radius, mass, velocity, elapsed } = touch;
    let rate = velocity.dot(normal);
    let elastic = law.force(overlap, radius);
    let damped = elastic - law.damping(overlap, radius, mass) * rate;
    let normal_force = damped.max(if capped { 0.0 } else { f64::NEG_INFINITY });
    let slip = Slip { velocity: velocity - normal * rate, normal, normal_force, overlap, radius, mass, elapsed };
    Push { elastic, normal: normal_force, tangential: tangential.force(&slip, memory) }
}

/// The arms l from both centres to the contact point of two bodies.
#[inline(always)]
pub(crate) fn arm(radius: f64, overlap: f64) -> f64 {
    radius - 0.5 * overlap
}
