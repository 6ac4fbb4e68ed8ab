//! Resistance to rolling and twisting.

use rrp_geom::glam::{DMat3, DVec3};

use crate::law::contact::ContactKinematics;
use crate::law::contact_history::ContactHistory;
use crate::law::contact_law::TangentialLaw;
use crate::law::tangential::lever_arm::LeverArm;
use crate::law::tangential::slope::TangentialJacobian;
use crate::law::tangential::spring_slider::{Slider, SpringSlider, flattened};

/// A tangential law with resistance to rolling and twisting beside it: springs with dashpots and sliders, as the
/// `rolling sds` and `twisting sds` of LAMMPS' `granular` are.
///
/// Rolling is measured as length at the reduced radius R: with the angle θ by which b has rolled on a, across the normal,
/// the torque is −R² (k θ + c dθ/dt), at most `μ R |F_n|`; k is in N/m, c in kg/s, μ without unit. Twisting is the angle about the
/// normal: −(k θ + c dθ/dt), at most `μ |F_n|`; k in N m, c in N m s, μ in m.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Rolling<T> {
    slip: T,
    rolling: Option<SpringSlider>,
    twisting: Option<SpringSlider>,
}

/// What a contact that resists rolling remembers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rolled<M> {
    /// Of the tangential law.
    pub slip: M,
    /// The angle of rolling that the spring has not given up to the slider, in rad, across the normal.
    pub roll: DVec3,
    /// The angle of twisting.
    pub twist: f64,
}

impl<M: ContactHistory> ContactHistory for Rolled<M> {
    fn reversed(self) -> Self {
        Self { slip: self.slip.reversed(), roll: -self.roll, ..self }
    }

    #[inline(always)]
    fn turned(self, rotation: &DMat3) -> Self {
        Self { slip: self.slip.turned(rotation), roll: *rotation * self.roll, ..self }
    }

    fn begun(self) -> Self {
        Self { slip: self.slip.begun(), ..self }
    }
}

impl<T: TangentialLaw> Rolling<T> {
    /// `slip` with resistance to rolling.
    #[must_use]
    pub fn new(slip: T, rolling: SpringSlider) -> Self {
        Self { slip, rolling: Some(rolling), twisting: None }
    }

    /// `slip` with resistance to twisting alone.
    #[must_use]
    pub fn twisting_alone(slip: T, twisting: SpringSlider) -> Self {
        Self { slip, rolling: None, twisting: Some(twisting) }
    }

    /// The same with resistance to twisting.
    #[must_use]
    pub fn with_twisting(self, twisting: SpringSlider) -> Self {
        Self { twisting: Some(twisting), ..self }
    }

    /// `slip` with what there is of both.
    pub(crate) fn with_resistances(slip: T, rolling: Option<SpringSlider>, twisting: Option<SpringSlider>) -> Self {
        Self { slip, rolling, twisting }
    }

    /// The same resistances beside another tangential law.
    #[must_use]
    pub fn beside<U: TangentialLaw>(self, slip: U) -> Rolling<U> {
        Rolling { slip, rolling: self.rolling, twisting: self.twisting }
    }

    /// The tangential law.
    pub fn slip(&self) -> &T {
        &self.slip
    }
}

impl<T: TangentialLaw> TangentialLaw for Rolling<T> {
    type History = Rolled<T::History>;

    #[inline(always)]
    fn force(&self, slip: &ContactKinematics, memory: &mut Self::History) -> DVec3 {
        if self.slip.is_active() { self.slip.force(slip, &mut memory.slip) } else { DVec3::ZERO }
    }

    fn slope(&self, slip: &ContactKinematics, memory: &Self::History) -> TangentialJacobian {
        self.slip.slope(slip, &memory.slip)
    }

    #[inline(always)]
    fn couple(&self, slip: &ContactKinematics, spin: DVec3, memory: &mut Self::History) -> DVec3 {
        let &ContactKinematics { normal, radius, elapsed, .. } = slip;
        let (push, about) = (slip.normal_force.abs(), spin.dot(normal));
        let mut couple = DVec3::ZERO;
        if let Some(SpringSlider { stiffness, damping, friction }) = self.rolling {
            let (square, rate) = (radius * radius, spin - normal * about);
            let limit = friction * radius * push;
            let lag = damping / stiffness;
            let slider = Slider { stiffness: stiffness * square, damping: damping * square, limit, lag, lead: lag };
            let (resistance, roll) = slider.pull(flattened(memory.roll + rate * elapsed, normal), rate);
            memory.roll = roll;
            couple += resistance;
        }
        if let Some(SpringSlider { stiffness, damping, friction }) = self.twisting {
            let twist = memory.twist + about * elapsed;
            let (free, limit) = (-(stiffness * twist + damping * about), friction * push);
            let held = if free.abs() > limit { limit.copysign(free) } else { free };
            memory.twist = if free.abs() > limit { -(held + damping * about) / stiffness } else { twist };
            couple += normal * held;
        }
        couple
    }

    fn resists_rolling(&self) -> bool {
        true
    }

    #[inline(always)]
    fn stored_energy(&self, slip: &ContactKinematics, memory: &Self::History) -> f64 {
        let stiffness = |slider: Option<SpringSlider>| slider.map_or(0.0, |slider| slider.stiffness);
        let roll = stiffness(self.rolling) * slip.radius * slip.radius * memory.roll.length_squared();
        let twist = stiffness(self.twisting) * memory.twist * memory.twist;
        self.slip.stored_energy(slip, &memory.slip) + 0.5 * (roll + twist)
    }

    fn friction_work(&self, memory: &Self::History) -> Option<f64> {
        self.slip.friction_work(&memory.slip)
    }

    fn turns(&self) -> bool {
        self.slip.turns()
    }

    fn lever(&self) -> LeverArm {
        self.slip.lever()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::tangential::friction_spring::FrictionSpring;

    #[test]
    fn twisting_is_held_to_its_limit_and_what_is_no_number_is_seen() {
        let resistance = SpringSlider::new(10.0, 0.0, 0.1).unwrap();
        let law = Rolling::twisting_alone(FrictionSpring::new(1e3, 0.0, 0.5).unwrap(), resistance);
        let slip = ContactKinematics {
            velocity: DVec3::ZERO,
            normal: DVec3::Z,
            normal_force: 2.0,
            overlap: 1e-3,
            radius: 0.5,
            mass: 1.0,
            turning: 0.0,
            elapsed: 0.0,
            share: 1.0,
        };
        let couple = |twist: f64| law.couple(&slip, DVec3::ZERO, &mut Rolled { twist, ..Rolled::default() }).z;
        for (twist, expected) in [(0.01, -0.1), (-0.01, 0.1), (1.0, -0.2), (-1.0, 0.2)] {
            assert!((couple(twist) - expected).abs() < 1e-15, "{twist}");
        }
        assert!(couple(f64::NAN).is_nan());
    }
}
