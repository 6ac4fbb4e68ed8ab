//! Resistance to rolling and twisting.

use std::borrow::Cow;

use rrp_geom::glam::DVec3;

use crate::contact_history;
use crate::law::contact::ContactKinematics;
use crate::law::lever_arm::LeverArm;
use crate::law::tangential::friction_spring::give;
use crate::law::tangential::spring_slider::{
    Pull, ResistanceSpring, Slider, SpringSlider, constant_resistance, flattened,
};
use crate::law::tangential_law::TangentialLaw;
use crate::law::tangential_slope::TangentialJacobian;

/// Tangential law with resistance to rolling and twisting by springs, dashpots and sliders, as `rolling sds` and
/// `twisting sds` of LAMMPS' `granular`.
///
/// Rolling: with the angle θ across the normal by which body b has rolled on a, and the reduced radius R, the torque is
/// −R² (k θ + c dθ/dt), at most `μ R |F_n|`; k is in N/m, c in kg/s, μ is dimensionless.
///
/// Twisting: with the angle θ about the normal, the torque is −(k θ + c dθ/dt), at most `μ |F_n|`; k is in N m, c in N
/// m s, μ in m.
///
/// A resistance [by its coefficient alone](SpringSlider::coefficient) is a torque as large as the limit, against the
/// spin: a ball that rolls on a floor decelerates at 5/7 μ g. A resistance [as stiff as the tangential
/// spring](SpringSlider::as_stiff_as_slip) has the rolling stiffness k R² = `k_t R²`, with the tangential stiffness
/// `k_t`, and the twisting stiffness `k_t R²` too.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Rolling<T> {
    slip: T,
    rolling: Option<SpringSlider>,
    twisting: Option<SpringSlider>,
}

/// History of a contact that resists rolling and twisting, with the history of the wrapped tangential law.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rolled<M> {
    /// History of the wrapped tangential law.
    pub slip: M,
    /// Angle of rolling in rad, across the normal, by which the spring against rolling is stretched. Sliding reduces
    /// it.
    pub roll: DVec3,
    /// Angle of twisting in rad, about the normal, by which the spring against twisting is stretched.
    pub twist: f64,
}

contact_history!(Rolled<M> { slip: M, roll: DVec3, twist: f64 });

impl<T: TangentialLaw> Rolling<T> {
    /// Wraps the tangential law `slip` with this resistance to rolling.
    #[must_use]
    pub fn new(slip: T, rolling: SpringSlider) -> Self {
        Self { slip, rolling: Some(rolling), twisting: None }
    }

    /// Wraps the tangential law `slip` with this resistance to twisting, without resistance to rolling.
    #[must_use]
    pub fn twisting_alone(slip: T, twisting: SpringSlider) -> Self {
        Self { slip, rolling: None, twisting: Some(twisting) }
    }

    /// Returns this law with this resistance to twisting.
    #[must_use]
    pub fn with_twisting(self, twisting: SpringSlider) -> Self {
        Self { twisting: Some(twisting), ..self }
    }

    /// Wraps the tangential law `slip` with the given resistances to rolling and twisting. Without any resistance,
    /// histories still have angles of rolling and twisting, which stay zero.
    #[must_use]
    pub fn with_resistances(slip: T, rolling: Option<SpringSlider>, twisting: Option<SpringSlider>) -> Self {
        Self { slip, rolling, twisting }
    }
}

impl<T: TangentialLaw> TangentialLaw for Rolling<T> {
    type History = Rolled<T::History>;

    #[inline(always)]
    fn force(&self, contact: &ContactKinematics, history: &mut Self::History) -> DVec3 {
        if !self.slip.is_active() {
            return DVec3::ZERO;
        }
        let before = self.slip.spring_stiffness(&history.slip);
        let force = self.slip.force(contact, &mut history.slip);
        let now = self.slip.spring_stiffness(&history.slip);
        // A spring that becomes stiffer keeps its torque, because new parts of the contact carry no load yet.
        let kept = if before > 0.0 && before < now { before / now } else { 1.0 };
        let is_of_slip = |one: Option<SpringSlider>| one.is_some_and(|one| one.spring == ResistanceSpring::OfSlip);
        history.roll *= if is_of_slip(self.rolling) { kept } else { 1.0 };
        history.twist *= if is_of_slip(self.twisting) { kept } else { 1.0 };
        force
    }

    fn slope(&self, contact: &ContactKinematics, history: &Self::History) -> TangentialJacobian {
        self.slip.slope(contact, &history.slip)
    }

    #[inline(always)]
    fn couple(&self, contact: &ContactKinematics, spin: DVec3, history: &mut Self::History) -> DVec3 {
        let &ContactKinematics { normal, radius, elapsed, .. } = contact;
        let push = contact.normal_force.abs();
        let about = spin.dot(normal);
        let give = give(self.lever(), elapsed);
        let mut couple = DVec3::ZERO;
        // Moment of inertia of a solid sphere of the reduced radius and mass, which is never above that of the pair.
        let inertia = 0.4 * contact.mass * radius * radius;
        let square = radius * radius;
        let of_slip = self.slip.spring_stiffness(&history.slip);
        if let Some(rolling @ SpringSlider { spring, damping, friction }) = self.rolling {
            let rate = spin - normal * about;
            let limit = friction * radius * push;
            let stiffness = spring.stiffness(of_slip) * square;
            let damping = damping * square;
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
        } else if let Some(SpringSlider { spring, damping, friction }) = self.twisting {
            let stiffness = spring.stiffness(of_slip * square);
            let twist = history.twist + about * elapsed;
            let free = -(stiffness * twist + damping * about);
            let limit = friction * push;
            let held = if free.abs() > limit { limit.copysign(free) } else { free };
            let sliding = twist + (free - held) * give.of(stiffness, damping).value();
            history.twist = if free.abs() > limit { sliding } else { twist };
            couple += normal * held;
        }
        couple
    }

    fn resists_rolling(&self) -> bool {
        true
    }

    #[inline(always)]
    fn stored_energy(&self, contact: &ContactKinematics, history: &Self::History) -> f64 {
        let square = contact.radius * contact.radius;
        let of_slip = self.slip.spring_stiffness(&history.slip);
        let stiffness =
            |slider: Option<SpringSlider>, slip: f64| slider.map_or(0.0, |slider| slider.spring.stiffness(slip));
        let roll = stiffness(self.rolling, of_slip) * square * history.roll.length_squared();
        let twist = stiffness(self.twisting, of_slip * square) * history.twist * history.twist;
        self.slip.stored_energy(contact, &history.slip) + 0.5 * (roll + twist)
    }

    #[inline(always)]
    fn spring_stiffness(&self, history: &Self::History) -> f64 {
        self.slip.spring_stiffness(&history.slip)
    }

    fn turns(&self) -> bool {
        self.slip.turns()
    }

    fn lever(&self) -> LeverArm {
        self.slip.lever()
    }

    /// Name of this tangential law with the name of the wrapped law, as in `Rolling<FrictionSpring>`.
    fn name(&self) -> Cow<'static, str> {
        format!("Rolling<{}>", self.slip.name()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::tangential::friction_spring::FrictionSpring;
    use crate::law::tangential::mindlin_spring::MindlinSpring;

    const RADIUS: f64 = 0.5;

    fn pressed(overlap: f64, normal_force: f64) -> ContactKinematics {
        ContactKinematics {
            velocity: DVec3::ZERO,
            normal: DVec3::Z,
            normal_force,
            overlap,
            radius: RADIUS,
            mass: 1.0,
            turning: 0.0,
            elapsed: 1.0,
            share: 1.0,
        }
    }

    #[test]
    fn a_spring_of_slip_has_its_stiffness_times_the_square_of_the_radius() {
        let resistance = SpringSlider::as_stiff_as_slip(0.0, 1e3).unwrap();
        let contact = pressed(2e-3, 10.0);
        let angle = DVec3::new(1e-4, -2e-4, 3e-4);
        let linear = Rolling::new(FrictionSpring::new(1e3, 0.0, 0.5).unwrap(), resistance).with_twisting(resistance);
        let mut history = Rolled::default();
        let _ = linear.force(&contact, &mut history);
        let couple = linear.couple(&contact, angle, &mut history);
        assert!((couple + angle * 1e3 * RADIUS * RADIUS).length() < 1e-15, "{couple}");
        let growing = Rolling::new(MindlinSpring::new(1e5, 0.0, 0.5).unwrap(), resistance).with_twisting(resistance);
        let mut history = Rolled::default();
        let _ = growing.force(&contact, &mut history);
        let couple = growing.couple(&contact, angle, &mut history);
        let stiffness = 1e5 * (RADIUS * 2e-3_f64).sqrt() * RADIUS * RADIUS;
        assert!((couple + angle * stiffness).length() < 1e-12 * stiffness * angle.length(), "{couple}");
        let stored = growing.stored_energy(&contact, &history);
        assert!((stored / (0.5 * stiffness * angle.length_squared()) - 1.0).abs() < 1e-12, "{stored}");
    }

    #[test]
    fn without_friction_a_spring_that_grows_is_not_there_and_gives_numbers() {
        let spring = MindlinSpring::new(1e5, 0.0, 0.0).unwrap();
        for damping in [0.0, 2.0] {
            let resistance = SpringSlider::as_stiff_as_slip(damping, 1e3).unwrap();
            for slip in [spring, spring.as_in_lammps()] {
                let law = Rolling::new(slip, resistance).with_twisting(resistance);
                let contact = pressed(2e-3, 10.0);
                let spin = DVec3::new(1e-4, -2e-4, 3e-4);
                let mut history = Rolled::default();
                for _ in 0..3 {
                    let _ = law.force(&contact, &mut history);
                    let couple = law.couple(&contact, spin, &mut history);
                    let expected = -damping * DVec3::new(1.0, 1.0, RADIUS.powi(-2)) * RADIUS * RADIUS * spin;
                    assert!((couple - expected).length() < 1e-15, "{couple}");
                    assert!(history.roll.is_finite() && history.twist.is_finite(), "{history:?}");
                }
            }
        }
    }

    #[test]
    fn twisting_is_held_to_its_limit_and_what_is_no_number_is_seen() {
        let resistance = SpringSlider::new(10.0, 0.0, 0.1).unwrap();
        let law = Rolling::twisting_alone(FrictionSpring::new(1e3, 0.0, 0.5).unwrap(), resistance);
        let contact = ContactKinematics { elapsed: 0.0, ..pressed(1e-3, 2.0) };
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
            let contact = ContactKinematics { elapsed, ..pressed(1e-3, 2.0) };
            law.couple(&contact, spin, &mut Rolled::default())
        };
        for elapsed in [0.0, 1e-3] {
            assert!(couple(elapsed, DVec3::ZERO).length() <= 0.0);
        }
        // Couples are at most 2/5 m R² ω/h, with the step h, and at most μ R F for rolling and μ F for twisting.
        let slow = couple(1e-3, DVec3::new(1e-4, 0.0, -1e-4));
        assert!((slow - DVec3::new(-0.01, 0.0, 0.01)).length() < 1e-15, "{slow}");
        for elapsed in [0.0, 1e-3] {
            let fast = couple(elapsed, DVec3::new(0.0, 7.0, 7.0));
            assert!((fast - DVec3::new(0.0, -0.1, -0.2)).length() < 1e-15, "{fast}");
        }
    }
}
