//! Tangential laws without history.

use rrp_geom::glam::{DMat3, DVec3};

use crate::error::DemError;
use crate::error::parameter::not_negative;
use crate::law::contact::ContactKinematics;
use crate::law::lever_arm::LeverArm;
use crate::law::tangential_law::TangentialLaw;
use crate::law::tangential_slope::TangentialJacobian;

/// Tangential law of frictionless contacts: no tangential force, and no resistance to rolling or twisting.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Frictionless;

impl TangentialLaw for Frictionless {
    type History = ();

    #[inline(always)]
    fn force(&self, _: &ContactKinematics, (): &mut ()) -> DVec3 {
        DVec3::ZERO
    }

    fn is_active(&self) -> bool {
        false
    }
}

/// Viscous tangential force without a limit: `F_t = −γ_t m_eff v_t`, `[DK21] (21)`, with the reduced mass `m_eff` and
/// the slip velocity `v_t`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Viscous {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    gamma: f64,
    lever: LeverArm,
}

impl Viscous {
    /// Makes viscous friction with the damping `γ_t` in 1/s.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `gamma` is finite and not negative.
    pub fn new(gamma: f64) -> Result<Self, DemError> {
        Ok(Self { gamma: not_negative("the tangential damping coefficient", gamma)?, lever: LeverArm::ContactPoint })
    }

    /// Returns the law exactly as LAMMPS' `gran/hooke` has it: the force acts at the radius, and slip and lever arms
    /// are those at the end of the step. Explicit steps only.
    #[must_use]
    pub fn as_in_lammps(self) -> Self {
        Self { lever: LeverArm::Radius, ..self }
    }
}

impl TangentialLaw for Viscous {
    type History = ();

    #[inline(always)]
    fn force(&self, contact: &ContactKinematics, (): &mut ()) -> DVec3 {
        contact.velocity * (-self.gamma * contact.mass)
    }

    fn slope(&self, contact: &ContactKinematics, (): &()) -> TangentialJacobian {
        let by_velocity = DMat3::from_diagonal(DVec3::splat(-self.gamma * contact.mass));
        TangentialJacobian { by_velocity, ..TangentialJacobian::default() }
    }

    fn lever(&self) -> LeverArm {
        self.lever
    }

    fn is_active(&self) -> bool {
        self.gamma > 0.0
    }
}

/// Viscous friction with Coulomb's limit: `|F_t| = min(γ_t m_eff |v_t|, μ |F_n|)`, as in LAMMPS' `gran/hooke`, with the
/// reduced mass `m_eff`, the slip velocity `v_t` and the normal force `F_n`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CoulombViscous {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    gamma: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    friction: f64,
    lever: LeverArm,
}

impl CoulombViscous {
    /// Makes viscous friction with the damping `γ_t` in 1/s and the friction coefficient μ of Coulomb's limit.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless both are finite and not negative.
    pub fn new(gamma: f64, friction: f64) -> Result<Self, DemError> {
        let gamma = not_negative("the tangential damping coefficient", gamma)?;
        let friction = not_negative("the friction coefficient", friction)?;
        Ok(Self { gamma, friction, lever: LeverArm::ContactPoint })
    }

    /// Returns the law exactly as LAMMPS' `gran/hooke` has it; see [`Viscous::as_in_lammps`].
    #[must_use]
    pub fn as_in_lammps(self) -> Self {
        Self { lever: LeverArm::Radius, ..self }
    }
}

impl TangentialLaw for CoulombViscous {
    type History = ();

    #[inline(always)]
    fn force(&self, contact: &ContactKinematics, (): &mut ()) -> DVec3 {
        // At rest the limit is far above the viscous coefficient, so the smallest normal number can replace the speed.
        let speed = contact.velocity.length_squared().sqrt().max(f64::MIN_POSITIVE);
        let limit = self.friction * contact.normal_force.abs() / speed;
        contact.velocity * -(self.gamma * contact.mass).min(limit)
    }

    fn slope(&self, contact: &ContactKinematics, (): &()) -> TangentialJacobian {
        let speed = contact.velocity.length();
        let viscous = self.gamma * contact.mass;
        let limit = self.friction * contact.normal_force.abs();
        if viscous * speed <= limit {
            let by_velocity = DMat3::from_diagonal(DVec3::splat(-viscous));
            return TangentialJacobian { by_velocity, ..TangentialJacobian::default() };
        }
        let direction = contact.velocity / speed;
        let along = DMat3::from_cols(direction * direction.x, direction * direction.y, direction * direction.z);
        TangentialJacobian {
            by_velocity: (along - DMat3::IDENTITY) * (limit / speed),
            by_normal_force: direction * (-self.friction * contact.normal_force.signum()),
            by_overlap: DVec3::ZERO,
        }
    }

    fn lever(&self) -> LeverArm {
        self.lever
    }

    fn is_active(&self) -> bool {
        self.gamma > 0.0 && self.friction > 0.0
    }
}
