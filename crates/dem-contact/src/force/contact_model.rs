//! The forces of one touching contact, from its state and its laws.
//!
//! Implicit steps and cuboids evaluate single contacts with these functions; the contact loop evaluates many contacts
//! at a time. Conventions of sign and frame are in [`law::contact`](crate::law::contact).

use rrp_geom::glam::DVec3;

use crate::law::contact::ContactKinematics;
use crate::law::contact_law::ContactLaw;
use crate::law::pair_law::LawTraits;
use crate::wall::surface::Saddle;

/// State of one contact of bodies a and b (or body and wall) as contact laws read it. Laws with a history see a contact
/// from one [`side`] only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactState {
    pub(crate) normal: DVec3,
    pub(crate) overlap: f64,
    pub(crate) radius: f64,
    pub(crate) mass: f64,
    /// Velocity of body b relative to body a at the contact point, in m/s, world frame: see [`relative_velocity`].
    pub(crate) velocity: DVec3,
    /// Spin of body b relative to body a in rad/s; only laws that resist rolling read it.
    pub(crate) spin: DVec3,
    /// Sum of the spins of bodies a and b in rad/s; only laws with a history read it.
    pub(crate) turning: DVec3,
    pub(crate) elapsed: f64,
    /// Fraction of the elastic force of a wall contact that is not counted at a nearer contact of the body, see
    /// [`ContactKinematics::share`]; one between bodies.
    pub(crate) share: f64,
}

/// Returns the velocity of body b relative to body a at the contact point in m/s: `v_b − v_a − (l_a Ω_a + l_b Ω_b) ×
/// n`, [DK21] (22).
///
/// `centres` is `v_b − v_a`, `rolling` is `l_a Ω_a + l_b Ω_b`. At a wall `centres` is the velocity of the wall's
/// material at the contact point minus that of the body, and `rolling` has only the term of the body.
#[inline(always)]
pub(crate) fn relative_velocity(centres: DVec3, rolling: DVec3, normal: DVec3) -> DVec3 {
    centres - rolling.cross(normal)
}

/// Forces in N of a contact on its body b; `elastic` and `normal` are components along the normal from a to b.
/// `elastic` and the elastic part of `normal` are those of the whole contact; damping, tangential force and the torque
/// `couple` are multiplied by the [share](ContactState::share) of the contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactForces {
    pub(super) elastic: f64,
    pub(crate) normal: f64,
    pub(super) tangential: DVec3,
    /// Torque in N m on body b by which the contact resists rolling and twisting, in addition to the torque of the
    /// tangential force about the centre; body a has the opposite torque.
    pub(super) couple: DVec3,
}

impl ContactForces {
    #[inline(always)]
    pub(super) fn total(&self, normal: DVec3) -> DVec3 {
        normal * self.normal + self.tangential
    }

    #[inline(always)]
    pub(crate) fn dissipative(&self, normal: DVec3) -> DVec3 {
        normal * (self.normal - self.elastic) + self.tangential
    }
}

/// Part of a wall contact beyond a [`Saddle`] of the surface; the part up to the saddle is counted at a nearer contact
/// of the body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SaddleShare {
    /// Fraction of the contact's elastic force that the body's nearer contact does not count: 1 if the sphere does not
    /// reach the saddle.
    pub(crate) share: f64,
    /// Force (N) on the wall, along the normal at the saddle, to be added to the elastic force of the contact: it
    /// subtracts the part that both contacts have in common.
    pub(super) correction: DVec3,
}

/// Returns the part of a wall contact that lies beyond its saddle, for this overlap (m) and body radius (m); the whole
/// contact without a saddle, or if the sphere does not reach the saddle.
#[inline]
pub(crate) fn saddle_share(law: &dyn ContactLaw, saddle: Option<&Saddle>, overlap: f64, radius: f64) -> SaddleShare {
    let Some((saddle, at_saddle)) = saddle.and_then(|saddle| Some((saddle, saddle.overlap(radius)?))) else {
        return SaddleShare { share: 1.0, correction: DVec3::ZERO };
    };
    let elastic = law.force(overlap, radius);
    let common = law.force(at_saddle, radius);
    // A user's own law may be attractive.
    let share = if elastic > 0.0 { (1.0 - common / elastic).clamp(0.0, 1.0) } else { 0.0 };
    SaddleShare { share, correction: saddle.normal * common }
}

/// Computes normal force with damping, tangential force, and torque against rolling and twisting of a contact, and
/// updates its history. The contact loop computes the same forces for many contacts at once.
#[inline]
pub(crate) fn contact_forces(traits: &LawTraits, state: &ContactState, history: &mut [f64]) -> ContactForces {
    let (kinematics, elastic) = contact_kinematics(traits, state);
    let [force, couple] = traits.tangential.force_and_couple(&kinematics, state.spin, history);
    let share = state.share;
    let normal = kinematics.normal_force;
    if share < 1.0 {
        let normal = elastic + share * (normal - elastic);
        return ContactForces { elastic, normal, tangential: share * force, couple: share * couple };
    }
    ContactForces { elastic, normal, tangential: force, couple }
}

#[inline]
pub(crate) fn contact_kinematics(traits: &LawTraits, state: &ContactState) -> (ContactKinematics, f64) {
    let &ContactState { normal, overlap, radius, mass, velocity, turning, elapsed, share, .. } = state;
    let rate = velocity.dot(normal);
    let elastic = traits.normal.force(overlap, radius);
    let damped = elastic - traits.normal.damping(overlap, radius, mass) * rate;
    let normal_force = damped.max(if traits.is_capped { 0.0 } else { f64::NEG_INFINITY });
    let velocity = velocity - normal * rate;
    let turning = 0.5 * turning.dot(normal);
    (ContactKinematics { velocity, normal, normal_force, overlap, radius, mass, turning, elapsed, share }, elastic)
}

/// Returns the elastic energy in J of a contact, minus the energy up to its [`Saddle`], which a nearer contact has too.
pub(super) fn elastic_energy(law: &dyn ContactLaw, saddle: Option<&Saddle>, overlap: f64, radius: f64) -> f64 {
    let at_saddle = saddle.and_then(|saddle| saddle.overlap(radius));
    law.energy(overlap, radius) - at_saddle.map_or(0.0, |at_saddle| law.energy(at_saddle, radius))
}
