//! The forces of one touching contact.

use rrp_geom::glam::DVec3;

use crate::law::contact::ContactKinematics;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::wall::surface::Saddle;

/// The state of one contact of a and b, as laws are to see it: those with memory see a contact from one [`side`] only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactState {
    /// Unit normal from a to b.
    pub(crate) normal: DVec3,
    pub(crate) overlap: f64,
    /// Reduced radius and mass.
    pub(crate) radius: f64,
    pub(crate) mass: f64,
    /// Velocity of b relative to a at the contact point.
    pub(crate) velocity: DVec3,
    /// Spin of b relative to a; read only by laws that resist rolling.
    pub(crate) spin: DVec3,
    /// Sum of both spins; read only by laws that remember.
    pub(crate) turning: DVec3,
    pub(crate) elapsed: f64,
    /// Of the contact, see [`ContactKinematics::share`].
    pub(crate) share: f64,
}

/// Which side laws see a contact of two bodies from: that of the body with the smaller number.
#[inline(always)]
pub(crate) fn side(a: u32, b: u32) -> f64 {
    if a < b { 1.0 } else { -1.0 }
}

/// Forces on b. The elastic force is whole, in `normal` too; damping, friction and couple are the share of the contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactForces {
    pub(crate) elastic: f64,
    pub(crate) normal: f64,
    pub(crate) tangential: DVec3,
    /// Torque on b besides that of the tangential force.
    pub(crate) couple: DVec3,
}

impl ContactForces {
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

/// The share of a contact that is its own, and what has to be added to its elastic force on b, a wall: what another contact has
/// too, which has a normal of its own.
#[inline]
pub(crate) fn own<L: ContactLaw>(law: &L, saddle: Option<&Saddle>, overlap: f64, radius: f64) -> (f64, DVec3) {
    let Some((saddle, there)) = saddle.and_then(|saddle| Some((saddle, saddle.overlap(radius)?))) else {
        return (1.0, DVec3::ZERO);
    };
    let (elastic, shared) = (law.force(overlap, radius), law.force(there, radius));
    // A law of a user's own may attract.
    let share = if elastic > 0.0 { (1.0 - shared / elastic).clamp(0.0, 1.0) } else { 0.0 };
    (share, saddle.normal * shared)
}

/// Normal force with damping, and tangential force. `touching::evaluate` does the same for many contacts, in stages.
#[inline(always)]
pub(crate) fn push<L: ContactLaw, T: TangentialLaw>(
    law: &L,
    tangential: &T,
    capped: bool,
    touch: &ContactState,
    memory: &mut T::History,
) -> ContactForces {
    let (slip, elastic) = slip(law, capped, touch);
    let force = tangential.force(&slip, memory);
    let couple = if tangential.resists_rolling() { tangential.couple(&slip, touch.spin, memory) } else { DVec3::ZERO };
    let share = touch.share;
    if share < 1.0 {
        let normal = elastic + share * (slip.normal_force - elastic);
        return ContactForces { elastic, normal, tangential: share * force, couple: share * couple };
    }
    ContactForces { elastic, normal: slip.normal_force, tangential: force, couple }
}

/// What a tangential law sees, and the elastic part of the normal force.
#[inline(always)]
pub(crate) fn slip<L: ContactLaw>(law: &L, capped: bool, touch: &ContactState) -> (ContactKinematics, f64) {
    let &ContactState { normal, overlap, radius, mass, velocity, turning, elapsed, share, .. } = touch;
    let rate = velocity.dot(normal);
    let elastic = law.force(overlap, radius);
    let damped = elastic - law.damping(overlap, radius, mass) * rate;
    let normal_force = damped.max(if capped { 0.0 } else { f64::NEG_INFINITY });
    let velocity = velocity - normal * rate;
    let turning = 0.5 * turning.dot(normal);
    (ContactKinematics { velocity, normal, normal_force, overlap, radius, mass, turning, elapsed, share }, elastic)
}

/// The arms l from both centres to the point that tangential forces act at, where bodies touch.
#[inline(always)]
pub(crate) fn arm(radius: f64, overlap: f64) -> f64 {
    radius - 0.5 * overlap
}
