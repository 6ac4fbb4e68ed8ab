//! Friction with a spring as history, the match of Hertz' law.

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::parameter::{not_negative, positive};
use crate::law::contact::ContactKinematics;
use crate::law::contact_law::TangentialLaw;
use crate::law::normal::damping::Damping;
use crate::law::normal::hertz::Hertz;
use crate::law::tangential::friction_spring::{begun, stretched};
use crate::law::tangential::lever_arm::LeverArm;
use crate::law::tangential::slope::TangentialJacobian;
use crate::law::tangential::spring_slider::{Pull, Slider, SliderSlope};

/// A tangential spring that grows with the radius a = √(R δ) of the contact: `F_t = −(k_t a s + c v_t)`, at most
/// `μ |F_n|`.
///
/// With `k_t = 8 G*` this is Mindlin's law without partial slip. The damping is `c = γ_t m_eff a`, as in LAMMPS'
/// `gran/hertz/history`, or `2 √(5/6) ζ √(m_eff k_t a)` by restitution.
///
/// The law does not conserve energy where the radius changes, like that of LAMMPS. A stretched spring loses energy
/// while the radius shrinks, which the ledger counts as dissipated. It gains energy while the radius grows: shearing,
/// pressing, shearing back and lifting gains some in each cycle, which the ledger shows.
/// [`PartialSlip`](crate::law::PartialSlip) does not gain energy.
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
    /// [`DemError::InvalidParameter`] unless all are finite, the modulus is positive and the others are not negative.
    pub fn new(modulus: f64, gamma: f64, friction: f64) -> Result<Self, DemError> {
        Ok(Self {
            modulus: positive("the tangential modulus", modulus)?,
            gamma: not_negative("the tangential damping coefficient", gamma)?,
            ratio: 0.0,
            friction: not_negative("the friction coefficient", friction)?,
            lever: LeverArm::ContactPoint,
        })
    }

    /// The spring that matches a normal law with the modulus `k_n` and the growing damping `γ_n`: `k_t = 2/7 k_n` and
    /// `γ_t = γ_n/2`.
    ///
    /// The damping `γ_n` is that of [`Hertz::with_growing_damping`]. Where the normal law has none, add damping by
    /// [`with_damping`](Self::with_damping) or [`damped`](Self::damped).
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless the friction coefficient μ is finite and not negative.
    pub fn matching_hertz(normal: &Hertz, friction: f64) -> Result<Self, DemError> {
        Self::new(2.0 / 7.0 * normal.modulus, 0.5 * normal.gamma, friction)
    }

    /// The same spring with the damping `γ_t` in 1/(m s).
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `gamma` is finite and not negative.
    pub fn with_damping(self, gamma: f64) -> Result<Self, DemError> {
        Ok(Self { gamma: not_negative("the tangential damping coefficient", gamma)?, ..self })
    }

    /// The same with the damping that `damping` states by restitution, added to its own.
    #[must_use]
    pub fn damped(self, damping: Damping) -> Self {
        Self { ratio: (10.0_f64 / 3.0).sqrt() * damping.ratio * self.modulus.sqrt(), ..self }
    }

    /// The law exactly as LAMMPS' `gran/hertz/history` has it; see
    /// [`FrictionSpring::as_in_lammps`](crate::law::FrictionSpring::as_in_lammps).
    #[must_use]
    pub fn as_in_lammps(self) -> Self {
        Self { lever: LeverArm::Radius, ..self }
    }

    #[inline(always)]
    fn slider(&self, contact: &ContactKinematics) -> Slider {
        let contact_radius = (contact.radius * contact.overlap).sqrt();
        let lead = contact.mass * (self.gamma / self.modulus);
        // The roots are needed for damping by restitution only.
        let [damping, lag] = if self.ratio > 0.0 {
            [(contact.mass * contact_radius).sqrt(), (contact.mass / contact_radius).sqrt() / self.modulus]
                .map(|root| self.ratio * root)
        } else {
            [0.0; 2]
        };
        Slider {
            stiffness: self.modulus * contact_radius,
            damping: self.gamma * contact.mass * contact_radius + damping,
            limit: self.friction * contact.normal_force.abs(),
            lag: lead + lag,
            lead,
        }
    }
}

impl TangentialLaw for MindlinSpring {
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
        let slider = self.slider(contact);
        let SliderSlope { by_velocity, by_limit: direction, slides } =
            slider.slope(spring, contact.velocity, contact.elapsed);
        let by_normal_force = direction * (self.friction * contact.normal_force.signum());
        // The stiffness grows with the square root of the overlap, the damping by restitution with its fourth root.
        let by_restitution = self.ratio * (contact.mass * (contact.radius * contact.overlap).sqrt()).sqrt();
        let growth =
            [0.5 * slider.stiffness, 0.5 * slider.damping - 0.25 * by_restitution].map(|by| by / contact.overlap);
        let change = spring * -growth[0] - contact.velocity * growth[1];
        let force = spring * -slider.stiffness - contact.velocity * slider.damping;
        let by_overlap = if slides {
            // Only its direction changes.
            (change - direction * change.dot(direction)) * (slider.limit / force.length())
        } else {
            change
        };
        TangentialJacobian { by_velocity, by_normal_force, by_overlap }
    }

    #[inline(always)]
    fn stored_energy(&self, contact: &ContactKinematics, history: &DVec3) -> f64 {
        0.5 * self.modulus * (contact.radius * contact.overlap).sqrt() * history.length_squared()
    }

    fn lever(&self) -> LeverArm {
        self.lever
    }

    fn is_active(&self) -> bool {
        self.friction > 0.0
    }
}
