//! Friction with memory, beside Hooke's law.

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::parameter::{not_negative, positive};
use crate::law::contact::ContactKinematics;
use crate::law::contact_law::TangentialLaw;
use crate::law::tangential::lever_arm::LeverArm;
use crate::law::tangential::slope::TangentialJacobian;
use crate::law::tangential::spring_slider::{Slider, flattened};

/// A tangential spring with Coulomb's limit: `F_t = −(k_t s + γ_t m_eff v_t)`, cut off at `μ |F_n|`, as LAMMPS'
/// `gran/hooke/history` has it.
///
/// The spring s grows with the slip and lies in the tangent plane: what a step lets stick out of it is dropped. While the
/// contact slides, s is cut back to what carries the limit.
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
    /// The law with the stiffness `k_t` (N/m), `γ_t` (1/s) and the friction coefficient μ.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless all are finite, the stiffness positive and the others not negative.
    pub fn new(stiffness: f64, gamma: f64, friction: f64) -> Result<Self, DemError> {
        Ok(Self {
            stiffness: positive("the tangential stiffness", stiffness)?,
            gamma: not_negative("the tangential damping coefficient", gamma)?,
            friction: not_negative("the friction coefficient", friction)?,
            lever: LeverArm::ContactPoint,
        })
    }

    /// The law that is usual beside a normal law with `k_n` (N/m) and `γ_n` (1/s): `k_t = 2/7 k_n`, with which the tangential
    /// motion of two equal spheres takes as long as the normal one, and `γ_t = γ_n/2`.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn beside(stiffness: f64, gamma: f64, friction: f64) -> Result<Self, DemError> {
        Self::new(2.0 / 7.0 * stiffness, 0.5 * gamma, friction)
    }

    /// The law to the last digit as LAMMPS' `gran/hooke/history` has it: the force acts at the radius, and a contact that
    /// a run begins with has no friction until time has passed, should it slide.
    #[must_use]
    pub fn as_in_lammps(self) -> Self {
        Self { lever: LeverArm::Radius, ..self }
    }

    #[inline(always)]
    fn slider(&self, slip: &ContactKinematics) -> Slider {
        let limit = self.friction * slip.normal_force.abs();
        let damping = self.gamma * slip.mass;
        let lag = slip.mass * (self.gamma / self.stiffness);
        Slider { stiffness: self.stiffness, damping, limit, lag, lead: lag }
    }
}

/// The spring after a step, before it may slide.
#[inline(always)]
pub(crate) fn stretched(spring: DVec3, slip: &ContactKinematics) -> DVec3 {
    flattened(spring + slip.velocity * slip.elapsed, slip.normal)
}

/// What [`LeverArm::Radius`] stands for besides: no force from a spring of no length that slides.
#[inline(always)]
pub(crate) fn begun(slider: Slider, lever: LeverArm, spring: DVec3, slip: &ContactKinematics) -> Slider {
    // Once time has passed, what slides has stretched its spring.
    if lever != LeverArm::Radius || slip.elapsed > 0.0 {
        return slider;
    }
    let unloaded = spring.length_squared() <= 0.0;
    let slides = slip.velocity.length_squared() * slider.damping * slider.damping > slider.limit * slider.limit;
    Slider { limit: if unloaded & slides { 0.0 } else { slider.limit }, ..slider }
}

impl TangentialLaw for FrictionSpring {
    type History = DVec3;

    #[inline(always)]
    fn force(&self, slip: &ContactKinematics, memory: &mut DVec3) -> DVec3 {
        let spring = stretched(*memory, slip);
        let slider = begun(self.slider(slip), self.lever, spring, slip);
        let (force, spring) = slider.pull(spring, slip.velocity);
        *memory = spring;
        force
    }

    fn slope(&self, slip: &ContactKinematics, memory: &DVec3) -> TangentialJacobian {
        let spring = stretched(*memory, slip);
        let (by_velocity, direction, _) = self.slider(slip).slope(spring, slip.velocity, slip.elapsed);
        let by_normal_force = direction * (self.friction * slip.normal_force.signum());
        TangentialJacobian { by_velocity, by_normal_force, by_overlap: DVec3::ZERO }
    }

    #[inline(always)]
    fn stored_energy(&self, _: &ContactKinematics, memory: &DVec3) -> f64 {
        0.5 * self.stiffness * memory.length_squared()
    }

    fn lever(&self) -> LeverArm {
        self.lever
    }

    fn is_active(&self) -> bool {
        self.friction > 0.0
    }
}
