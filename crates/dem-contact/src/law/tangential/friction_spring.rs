//! Coulomb friction with a tangential spring as history, for use with Hooke's law.

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::parameter::{not_negative, positive};
use crate::law::contact::ContactKinematics;
use crate::law::lever_arm::LeverArm;
use crate::law::normal::hooke::Hooke;
use crate::law::tangential::spring_slider::{Give, Pull, Slider, SliderSlope, flattened};
use crate::law::tangential_law::TangentialLaw;
use crate::law::tangential_slope::TangentialJacobian;

/// Tangential spring with Coulomb's limit: `F_t = −(k_t s + γ_t m_eff v_t)`, at most `μ |F_n|`, with the stretch s, the
/// slip velocity `v_t` and the reduced mass `m_eff`.
///
/// The stretch s grows with the slip. After each step it is projected onto the tangent plane. The projection shortens
/// the spring by the square of the angle by which the normal turns in a step, an error of first order;
/// [`CoRotating`](crate::law::CoRotating) turns the spring instead, with an error of second order. While the contact
/// slides, s changes until spring and dashpot, at the rate ds/dt, carry the limit: a slider in series with both. No
/// path gains energy. In LAMMPS' `gran/hooke/history` the dashpot of a sliding contact has the rate of the slip, and
/// the spring is stretched against a fast slip; see [`as_in_lammps`](Self::as_in_lammps).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct FrictionSpring {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::positive"))]
    stiffness: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    gamma: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    friction: f64,
    lever: LeverArm,
}

impl FrictionSpring {
    /// Makes the spring with the stiffness `k_t` (N/m), the damping `γ_t` (1/s) and the friction coefficient μ.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless all numbers are finite, the stiffness is positive and the other two are
    /// not negative.
    pub fn new(stiffness: f64, gamma: f64, friction: f64) -> Result<Self, DemError> {
        Ok(Self {
            stiffness: positive("the tangential stiffness", stiffness)?,
            gamma: not_negative("the tangential damping coefficient", gamma)?,
            friction: not_negative("the friction coefficient", friction)?,
            lever: LeverArm::ContactPoint,
        })
    }

    /// Makes the spring for a normal law with stiffness `k_n` and damping `γ_n`: `k_t = 2/7 k_n` and `γ_t = γ_n/2`.
    ///
    /// With this stiffness the tangential motion of two equal spheres takes as long as the normal motion. A normal law
    /// that is undamped or damped by restitution has `γ_n = 0`: add damping by [`with_damping`](Self::with_damping).
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless the friction coefficient μ is finite and not negative.
    pub fn matching_hooke(normal: &Hooke, friction: f64) -> Result<Self, DemError> {
        Self::new(2.0 / 7.0 * normal.stiffness, 0.5 * normal.damping.rate, friction)
    }

    /// Returns this spring with the damping `γ_t` in 1/s.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `gamma` is finite and not negative.
    pub fn with_damping(self, gamma: f64) -> Result<Self, DemError> {
        Ok(Self { gamma: not_negative("the tangential damping coefficient", gamma)?, ..self })
    }

    /// Returns the law exactly as LAMMPS' `gran/hooke/history` has it: the force acts at the radius; slip and lever
    /// arms are those at the end of the step; at the start of a run, until time has passed, a sliding contact has no
    /// friction; and fast slip stores energy in the spring that the motion has not lost.
    ///
    /// Without this call, the force acts at the contact point, and slip and lever arms are those in the middle of the
    /// step.
    #[must_use]
    pub fn as_in_lammps(self) -> Self {
        Self { lever: LeverArm::Radius, ..self }
    }

    #[inline(always)]
    fn slider(&self, contact: &ContactKinematics) -> Slider {
        let limit = self.friction * contact.normal_force.abs();
        let damping = self.gamma * contact.mass;
        Slider {
            stiffness: self.stiffness,
            damping,
            limit,
            give: give(self.lever, contact.elapsed).of(self.stiffness, damping),
        }
    }
}

/// Returns the rule by which the spring of a sliding contact relaxes, for this lever arm and step length (s).
#[inline(always)]
pub(super) fn give(lever: LeverArm, elapsed: f64) -> Give {
    match lever {
        LeverArm::Radius => Give::AsInLammps,
        LeverArm::ContactPoint => Give::Step(elapsed),
    }
}

/// Returns the stretch (m) of the spring at the end of a step, before Coulomb's limit is applied.
#[inline(always)]
fn stretched(spring: DVec3, contact: &ContactKinematics) -> DVec3 {
    flattened(spring + contact.velocity * contact.elapsed, contact.normal)
}

/// Returns the [`Slider`] (spring, dashpot and friction limit) of a contact. With [`LeverArm::Radius`] the limit of a
/// sliding contact is zero while no time has passed and its spring has no stretch, as in LAMMPS.
#[inline(always)]
pub(super) fn begun(slider: Slider, lever: LeverArm, spring: DVec3, contact: &ContactKinematics) -> Slider {
    if lever != LeverArm::Radius || contact.elapsed > 0.0 {
        return slider;
    }
    let unloaded = spring.length_squared() <= 0.0;
    let slides = contact.velocity.length_squared() * slider.damping * slider.damping > slider.limit * slider.limit;
    Slider { limit: if unloaded & slides { 0.0 } else { slider.limit }, ..slider }
}

impl TangentialLaw for FrictionSpring {
    type History = DVec3;

    #[inline(always)]
    fn force(&self, contact: &ContactKinematics, history: &mut DVec3) -> DVec3 {
        let spring = stretched(*history, contact);
        let slider = begun(self.slider(contact), self.lever, spring, contact);
        let Pull { force, spring } = slider.pull(spring, contact.velocity);
        *history = spring;
        force
    }

    fn slope(&self, contact: &ContactKinematics, history: &DVec3) -> TangentialJacobian {
        let spring = stretched(*history, contact);
        let SliderSlope { by_velocity, by_limit, .. } =
            self.slider(contact).slope(spring, contact.velocity, contact.elapsed);
        let by_normal_force = by_limit * (self.friction * contact.normal_force.signum());
        TangentialJacobian { by_velocity, by_normal_force, by_overlap: DVec3::ZERO }
    }

    #[inline(always)]
    fn spring_stiffness(&self, _: &DVec3) -> f64 {
        self.stiffness
    }

    #[inline(always)]
    fn stored_energy(&self, _: &ContactKinematics, history: &DVec3) -> f64 {
        0.5 * self.stiffness * history.length_squared()
    }

    fn lever(&self) -> LeverArm {
        self.lever
    }

    fn is_active(&self) -> bool {
        self.friction > 0.0
    }
}
