//! Coulomb friction with a tangential spring as history, for use with Hertz' law.

use rrp_geom::glam::DVec3;

use crate::contact_history;
use crate::error::DemError;
use crate::error::parameter::{not_negative, positive};
use crate::law::contact::ContactKinematics;
use crate::law::lever_arm::LeverArm;
use crate::law::normal::damping::Damping;
use crate::law::normal::hertz::Hertz;
use crate::law::tangential::friction_spring::{begun, give};
use crate::law::tangential::spring_slider::{Pull, Slider, SliderSlope, flattened};
use crate::law::tangential_law::TangentialLaw;
use crate::law::tangential_slope::TangentialJacobian;

/// Tangential spring whose stiffness grows with the contact radius a = √(R δ): `F_t = −(k_t a s + c v_t)`, at most
/// `μ |F_n|`, with the stretch s and the slip velocity `v_t`.
///
/// With `k_t = 8 G*` (G*: reduced shear modulus) this is Mindlin's law without partial slip. The damping is
/// `c = γ_t m_eff a`, as in LAMMPS' `gran/hertz/history`, or `2 √(5/6) ζ √(m_eff k_t a)` by restitution.
///
/// While the radius grows, the force stays and the stretch decreases, because new parts of the contact carry no load
/// yet. While the radius decreases, the stretch stays and the force decreases. Both changes lose energy, which the
/// ledger counts as dissipated; no path gains energy. Under a normal load that oscillates, a sheared contact creeps a
/// little in each cycle; a [`MindlinDeresiewicz`](crate::law::MindlinDeresiewicz) contact comes to rest.
///
/// In LAMMPS' `gran/hertz/history` the stretch stays while the radius grows: a cycle of shearing, pressing, shearing
/// back and lifting gains energy; see [`as_in_lammps`](Self::as_in_lammps).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct MindlinSpring {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::positive"))]
    modulus: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    gamma: f64,
    /// Factor `2 √(5/6) ζ √k_t` of the tangential damping, with the damping ratio ζ that follows from the restitution.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    ratio: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    friction: f64,
    lever: LeverArm,
}

/// History of a contact with a [`MindlinSpring`]: the stretch of its spring, and the contact radius at the last step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MindlinHistory {
    /// Stretch of the tangential spring in m, world frame.
    pub spring: DVec3,
    /// Radius a of the contact in m at the end of the last step; zero for a new contact.
    pub contact_radius: f64,
}

/// Tangential spring at the start of a step, converted to the contact radius at the end of the step.
#[derive(Debug, Clone, Copy)]
struct Committed {
    spring: DVec3,
    /// Fraction of the slip of the step by which the spring stretches: below 1 while the contact radius grows.
    share: f64,
}

impl MindlinHistory {
    /// Converts the tangential spring to the contact radius `now` (m). If the radius has grown, the stretch decreases
    /// so that the force stays, and the slip of the step counts at the mean radius, with an error of third order. If
    /// the radius has decreased, the stretch stays.
    #[inline(always)]
    fn at(&self, now: f64) -> Committed {
        let before = self.contact_radius;
        let ratio = if before > 0.0 && before < now { before / now } else { 1.0 };
        Committed { spring: self.spring * ratio, share: 0.5 * (1.0 + ratio) }
    }
}

impl Committed {
    #[inline(always)]
    fn stretched(&self, contact: &ContactKinematics) -> DVec3 {
        flattened(self.spring + contact.velocity * (contact.elapsed * self.share), contact.normal)
    }
}

contact_history!(MindlinHistory { spring: DVec3, contact_radius: f64 });

impl MindlinSpring {
    /// Makes the spring with tangential modulus `k_t` (Pa), damping `γ_t` (1/(m s)) and friction coefficient μ.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless all numbers are finite, the modulus is positive and the other two are not
    /// negative.
    pub fn new(modulus: f64, gamma: f64, friction: f64) -> Result<Self, DemError> {
        Ok(Self {
            modulus: positive("the tangential modulus", modulus)?,
            gamma: not_negative("the tangential damping coefficient", gamma)?,
            ratio: 0.0,
            friction: not_negative("the friction coefficient", friction)?,
            lever: LeverArm::ContactPoint,
        })
    }

    /// Makes the spring for a normal law with the modulus `k_n` and the growing damping `γ_n`: `k_t = 2/7 k_n` and
    /// `γ_t = γ_n/2`.
    ///
    /// The damping `γ_n` is that of [`Hertz::with_growing_damping`]. If the normal law has no such damping, add damping
    /// by [`with_damping`](Self::with_damping) or [`damped`](Self::damped).
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless the friction coefficient μ is finite and not negative.
    pub fn matching_hertz(normal: &Hertz, friction: f64) -> Result<Self, DemError> {
        Self::new(2.0 / 7.0 * normal.modulus, 0.5 * normal.gamma, friction)
    }

    /// Returns this spring with the damping `γ_t` in 1/(m s).
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `gamma` is finite and not negative.
    pub fn with_damping(self, gamma: f64) -> Result<Self, DemError> {
        Ok(Self { gamma: not_negative("the tangential damping coefficient", gamma)?, ..self })
    }

    /// Returns this spring with damping by the restitution that `damping` states, in addition to the damping `γ_t`.
    #[must_use]
    pub fn damped(self, damping: Damping) -> Self {
        Self { ratio: damping.of_slip(self.modulus), ..self }
    }

    /// Returns the law exactly as LAMMPS' `gran/hertz/history` has it: the stretch stays while the radius grows, which
    /// gains energy. For other differences see
    /// [`FrictionSpring::as_in_lammps`](crate::law::FrictionSpring::as_in_lammps).
    #[must_use]
    pub fn as_in_lammps(self) -> Self {
        Self { lever: LeverArm::Radius, ..self }
    }

    #[inline(always)]
    fn slider(&self, contact: &ContactKinematics, committed: &Committed) -> Slider {
        let contact_radius = (contact.radius * contact.overlap).sqrt();
        // Only damping by restitution needs the square root.
        let by_restitution = if self.ratio > 0.0 { self.ratio * (contact.mass * contact_radius).sqrt() } else { 0.0 };
        let stiffness = self.modulus * contact_radius;
        let damping = self.gamma * contact.mass * contact_radius + by_restitution;
        let limit = self.friction * contact.normal_force.abs();
        let give = give(self.lever, contact.elapsed * committed.share);
        Slider { stiffness, damping, limit, give: give.of(stiffness, damping) }
    }

    #[inline(always)]
    fn committed(&self, history: &MindlinHistory, contact_radius: f64) -> Committed {
        match self.lever {
            LeverArm::ContactPoint => history.at(contact_radius),
            LeverArm::Radius => Committed { spring: history.spring, share: 1.0 },
        }
    }
}

impl TangentialLaw for MindlinSpring {
    type History = MindlinHistory;

    #[inline(always)]
    fn force(&self, contact: &ContactKinematics, history: &mut MindlinHistory) -> DVec3 {
        let contact_radius = (contact.radius * contact.overlap).sqrt();
        let committed = self.committed(history, contact_radius);
        let spring = committed.stretched(contact);
        let slider = begun(self.slider(contact, &committed), self.lever, spring, contact);
        let Pull { force, spring } = slider.pull(spring, contact.velocity);
        *history = MindlinHistory { spring, contact_radius };
        force
    }

    fn slope(&self, contact: &ContactKinematics, history: &MindlinHistory) -> TangentialJacobian {
        let contact_radius = (contact.radius * contact.overlap).sqrt();
        let committed = self.committed(history, contact_radius);
        let spring = committed.stretched(contact);
        let slider = self.slider(contact, &committed);
        let SliderSlope { by_velocity, by_limit: direction, slides } =
            slider.slope(spring, contact.velocity, contact.elapsed * committed.share);
        let by_normal_force = direction * (self.friction * contact.normal_force.signum());
        // The stiffness grows with the square root of the overlap, the damping by restitution with its fourth root.
        let by_restitution = self.ratio * (contact.mass * (contact.radius * contact.overlap).sqrt()).sqrt();
        let growth =
            [0.5 * slider.stiffness, 0.5 * slider.damping - 0.25 * by_restitution].map(|by| by / contact.overlap);
        // While the radius grows, the force of the committed spring stays, and half of the slip counts at the new
        // radius.
        let keeps_force = self.lever == LeverArm::ContactPoint
            && history.contact_radius > 0.0
            && history.contact_radius < contact_radius;
        let half_slip = flattened(contact.velocity * (0.5 * contact.elapsed), contact.normal);
        let grown = if keeps_force { half_slip } else { spring };
        let change = grown * -growth[0] - contact.velocity * growth[1];
        let force = spring * -slider.stiffness - contact.velocity * slider.damping;
        let by_overlap = if slides {
            (change - direction * change.dot(direction)) * (slider.limit / force.length())
        } else {
            change
        };
        TangentialJacobian { by_velocity, by_normal_force, by_overlap }
    }

    #[inline(always)]
    fn spring_stiffness(&self, history: &MindlinHistory) -> f64 {
        self.modulus * history.contact_radius
    }

    #[inline(always)]
    fn stored_energy(&self, contact: &ContactKinematics, history: &MindlinHistory) -> f64 {
        let contact_radius = (contact.radius * contact.overlap).sqrt();
        0.5 * self.modulus * contact_radius * self.committed(history, contact_radius).spring.length_squared()
    }

    fn lever(&self) -> LeverArm {
        self.lever
    }

    fn is_active(&self) -> bool {
        self.friction > 0.0
    }
}
