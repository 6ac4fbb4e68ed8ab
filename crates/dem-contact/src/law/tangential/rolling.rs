//! Resistance to rolling and twisting.

use rrp_geom::glam::{DMat3, DVec3};

use crate::law::contact::ContactKinematics;
use crate::law::contact_history::ContactHistory;
use crate::law::contact_law::{TangentialLaw, WithTangentialLaw};
use crate::law::tangential::friction_spring::give;
use crate::law::tangential::lever_arm::LeverArm;
use crate::law::tangential::slope::TangentialJacobian;
use crate::law::tangential::spring_slider::{Pull, Slider, SpringSlider, constant_resistance, flattened};

/// A tangential law with resistance to rolling and twisting: springs with dashpots and sliders, as `rolling sds` and
/// `twisting sds` of LAMMPS' `granular`.
///
/// Rolling: with the angle θ across the normal by which b has rolled on a, and the reduced radius R, the torque is −R²
/// (k θ + c dθ/dt), at most `μ R |F_n|`; k is in N/m, c in kg/s, μ has no unit.
///
/// Twisting: with the angle θ about the normal, the torque is −(k θ + c dθ/dt), at most `μ |F_n|`; k is in N m, c in N
/// m s, μ in m.
///
/// A resistance [by its coefficient alone](SpringSlider::coefficient) is the limit against the spin: a ball that rolls
/// on a floor loses 5/7 μ g. With the stiffness of the tangential spring as k, the spring of rolling is that of the
/// spring torque k R².
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Rolling<T> {
    slip: T,
    rolling: Option<SpringSlider>,
    twisting: Option<SpringSlider>,
}

/// The history of a contact that resists rolling.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rolled<M> {
    /// The history of the tangential law.
    pub slip: M,
    /// The angle of rolling that the spring holds, in rad, across the normal. Sliding cuts it back.
    pub roll: DVec3,
    /// The angle of twisting that the spring holds, in rad.
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

    /// `slip` with the resistances that there are.
    pub(crate) fn with_resistances(slip: T, rolling: Option<SpringSlider>, twisting: Option<SpringSlider>) -> Self {
        Self { slip, rolling, twisting }
    }

    /// The same resistances with another tangential law.
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
    fn force(&self, contact: &ContactKinematics, history: &mut Self::History) -> DVec3 {
        if self.slip.is_active() { self.slip.force(contact, &mut history.slip) } else { DVec3::ZERO }
    }

    fn slope(&self, contact: &ContactKinematics, history: &Self::History) -> TangentialJacobian {
        self.slip.slope(contact, &history.slip)
    }

    #[inline(always)]
    fn couple(&self, contact: &ContactKinematics, spin: DVec3, history: &mut Self::History) -> DVec3 {
        let &ContactKinematics { normal, radius, elapsed, .. } = contact;
        let (push, about) = (contact.normal_force.abs(), spin.dot(normal));
        let (give, mut couple) = (give(self.lever(), elapsed), DVec3::ZERO);
        // That of a sphere of the reduced radius and mass: never more than that of the pair.
        let inertia = 0.4 * contact.mass * radius * radius;
        if let Some(rolling @ SpringSlider { stiffness, damping, friction }) = self.rolling {
            let (square, rate) = (radius * radius, spin - normal * about);
            let limit = friction * radius * push;
            let (stiffness, damping) = (stiffness * square, damping * square);
            let slider = Slider { stiffness, damping, limit, give: give.of(stiffness, damping) };
            if rolling.is_coefficient() {
                couple += constant_resistance(rate, limit, inertia, elapsed);
            } else {
                let Pull { force: resistance, spring } =
                    slider.pull(flattened(history.roll + rate * elapsed, normal), rate);
                history.roll = spring;
                couple += resistance;
            }
        }
        if let Some(twisting) = self.twisting.filter(SpringSlider::is_coefficient) {
            couple += constant_resistance(normal * about, twisting.friction * push, inertia, elapsed);
        } else if let Some(SpringSlider { stiffness, damping, friction }) = self.twisting {
            let twist = history.twist + about * elapsed;
            let (free, limit) = (-(stiffness * twist + damping * about), friction * push);
            let held = if free.abs() > limit { limit.copysign(free) } else { free };
            let sliding = twist + (free - held) * give.of(stiffness, damping);
            history.twist = if free.abs() > limit { sliding } else { twist };
            couple += normal * held;
        }
        couple
    }

    fn resists_rolling(&self) -> bool {
        true
    }

    #[inline(always)]
    fn normal_overlap(&self, overlap: f64, radius: f64, history: &Self::History) -> Option<f64> {
        self.slip.normal_overlap(overlap, radius, &history.slip)
    }

    fn is_hysteretic(&self) -> bool {
        self.slip.is_hysteretic()
    }

    #[inline(always)]
    fn stored_energy(&self, contact: &ContactKinematics, history: &Self::History) -> f64 {
        let stiffness = |slider: Option<SpringSlider>| slider.map_or(0.0, |slider| slider.stiffness);
        let roll = stiffness(self.rolling) * contact.radius * contact.radius * history.roll.length_squared();
        let twist = stiffness(self.twisting) * history.twist * history.twist;
        self.slip.stored_energy(contact, &history.slip) + 0.5 * (roll + twist)
    }

    fn friction_work(&self, history: &Self::History) -> Option<f64> {
        self.slip.friction_work(&history.slip)
    }

    fn turns(&self) -> bool {
        self.slip.turns()
    }

    fn lever(&self) -> LeverArm {
        self.slip.lever()
    }

    #[inline(always)]
    fn with_own_type<W: WithTangentialLaw<Self::History>>(&self, task: W) {
        let resistances = Rolling { slip: (), rolling: self.rolling, twisting: self.twisting };
        self.slip.with_own_type(Beside { resistances, task });
    }
}

/// A task for a law that resists, as a task for the law beside the resistances.
struct Beside<W> {
    resistances: Rolling<()>,
    task: W,
}

impl<M, W: WithTangentialLaw<Rolled<M>>> WithTangentialLaw<M> for Beside<W> {
    #[inline(always)]
    fn with<T: TangentialLaw<History = M>>(self, slip: &T) {
        let Rolling { rolling, twisting, .. } = self.resistances;
        self.task.with(&Rolling { slip, rolling, twisting });
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
        let contact = ContactKinematics {
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
        let couple = |twist: f64| law.couple(&contact, DVec3::ZERO, &mut Rolled { twist, ..Rolled::default() }).z;
        for (twist, expected) in [(0.01, -0.1), (-0.01, 0.1), (1.0, -0.2), (-1.0, 0.2)] {
            assert!((couple(twist) - expected).abs() < 1e-15, "{twist}");
        }
        assert!(couple(f64::NAN).is_nan());
    }

    #[test]
    fn a_coefficient_alone_gives_numbers_at_rest_and_stops_no_more_than_the_spin() {
        let resistance = SpringSlider::coefficient(0.1).unwrap();
        let law = Rolling::new(FrictionSpring::new(1e3, 0.0, 0.5).unwrap(), resistance).with_twisting(resistance);
        let couple = |elapsed: f64, spin: DVec3| {
            let contact = ContactKinematics {
                velocity: DVec3::ZERO,
                normal: DVec3::Z,
                normal_force: 2.0,
                overlap: 1e-3,
                radius: 0.5,
                mass: 1.0,
                turning: 0.0,
                elapsed,
                share: 1.0,
            };
            law.couple(&contact, spin, &mut Rolled::default())
        };
        for elapsed in [0.0, 1e-3] {
            assert!(couple(elapsed, DVec3::ZERO).length() <= 0.0);
        }
        // At most 2/5 m R² ω/h, and μ R F and μ F.
        let slow = couple(1e-3, DVec3::new(1e-4, 0.0, -1e-4));
        assert!((slow - DVec3::new(-0.01, 0.0, 0.01)).length() < 1e-15, "{slow}");
        for elapsed in [0.0, 1e-3] {
            let fast = couple(elapsed, DVec3::new(0.0, 7.0, 7.0));
            assert!((fast - DVec3::new(0.0, -0.1, -0.2)).length() < 1e-15, "{fast}");
        }
    }
}
