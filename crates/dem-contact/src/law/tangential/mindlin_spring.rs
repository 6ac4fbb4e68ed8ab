//! Friction with memory, beside Hertz' law.

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::parameter::{not_negative, positive};
use crate::law::contact::ContactKinematics;
use crate::law::contact_law::TangentialLaw;
use crate::law::normal::damping::Damping;
use crate::law::tangential::friction_spring::{begun, stretched};
use crate::law::tangential::lever_arm::LeverArm;
use crate::law::tangential::slope::TangentialJacobian;
use crate::law::tangential::spring_slider::Slider;

/// A tangential spring that grows with the radius a = √(R δ) of the contact: `F_t = −(k_t a s + c v_t)`, cut off at
/// `μ |F_n|`.
///
/// With `k_t = 8 G*` it is Mindlin's law without partial slip. The damping is `c = γ_t m_eff a`, as LAMMPS'
/// `gran/hertz/history` has it, or `2 √(5/6) ζ √(m_eff k_t a)` by restitution. A spring that is kept while the contact loses
/// radius gives up energy, which counts as lost by friction. Where a sheared contact gains radius, energy comes from nothing, as with
/// LAMMPS' law: shearing, pressing, shearing back and lifting wins some each time, which the ledger counts as won.
/// [`PartialSlip`](crate::law::tangential::partial_slip::PartialSlip) does not do that.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct MindlinSpring {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::positive"))]
    modulus: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    gamma: f64,
    /// `2 √(5/6) ζ √k_t`.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    ratio: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    friction: f64,
    lever: LeverArm,
}

impl MindlinSpring {
    /// The law with `k_t` (Pa), `γ_t` (1/(m s)) and the friction coefficient μ.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless all are finite, the modulus positive and the others not negative.
    pub fn new(modulus: f64, gamma: f64, friction: f64) -> Result<Self, DemError> {
        Ok(Self {
            modulus: positive("the tangential modulus", modulus)?,
            gamma: not_negative("the tangential damping coefficient", gamma)?,
            ratio: 0.0,
            friction: not_negative("the friction coefficient", friction)?,
            lever: LeverArm::ContactPoint,
        })
    }

    /// The law that is usual beside a normal law with the modulus `k_n` (Pa) and `γ_n` (1/(m s)): `k_t = 2/7 k_n` and
    /// `γ_t = γ_n/2`.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn beside(modulus: f64, gamma: f64, friction: f64) -> Result<Self, DemError> {
        Self::new(2.0 / 7.0 * modulus, 0.5 * gamma, friction)
    }

    /// The same with what `damping` says by restitution added to its damping.
    #[must_use]
    pub fn damped(self, damping: Damping) -> Self {
        Self { ratio: (10.0_f64 / 3.0).sqrt() * damping.ratio * self.modulus.sqrt(), ..self }
    }

    /// The law to the last digit as LAMMPS' `gran/hertz/history` has it, see
    /// [`FrictionSpring::as_in_lammps`](crate::law::tangential::friction_spring::FrictionSpring::as_in_lammps).
    #[must_use]
    pub fn as_in_lammps(self) -> Self {
        Self { lever: LeverArm::Radius, ..self }
    }

    #[inline(always)]
    fn slider(&self, slip: &ContactKinematics) -> Slider {
        let contact = (slip.radius * slip.overlap).sqrt();
        let lead = slip.mass * (self.gamma / self.modulus);
        // What only damping by restitution asks for takes roots.
        let [damping, lag] = if self.ratio > 0.0 {
            [(slip.mass * contact).sqrt(), (slip.mass / contact).sqrt() / self.modulus].map(|root| self.ratio * root)
        } else {
            [0.0; 2]
        };
        Slider {
            stiffness: self.modulus * contact,
            damping: self.gamma * slip.mass * contact + damping,
            limit: self.friction * slip.normal_force.abs(),
            lag: lead + lag,
            lead,
        }
    }
}

impl TangentialLaw for MindlinSpring {
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
        let slider = self.slider(slip);
        let (by_velocity, direction, slides) = slider.slope(spring, slip.velocity, slip.elapsed);
        let by_normal_force = direction * (self.friction * slip.normal_force.signum());
        // The stiffness grows with the square root of the overlap, the damping by restitution with its root.
        let by_restitution = self.ratio * (slip.mass * (slip.radius * slip.overlap).sqrt()).sqrt();
        let growth = [0.5 * slider.stiffness, 0.5 * slider.damping - 0.25 * by_restitution].map(|by| by / slip.overlap);
        let change = spring * -growth[0] - slip.velocity * growth[1];
        let force = spring * -slider.stiffness - slip.velocity * slider.damping;
        let by_overlap = if slides {
            // Only its direction changes.
            (change - direction * change.dot(direction)) * (slider.limit / force.length())
        } else {
            change
        };
        TangentialJacobian { by_velocity, by_normal_force, by_overlap }
    }

    #[inline(always)]
    fn stored_energy(&self, slip: &ContactKinematics, memory: &DVec3) -> f64 {
        0.5 * self.modulus * (slip.radius * slip.overlap).sqrt() * memory.length_squared()
    }

    fn lever(&self) -> LeverArm {
        self.lever
    }

    fn is_active(&self) -> bool {
        self.friction > 0.0
    }
}
