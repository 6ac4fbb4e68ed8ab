//! The torque-free rigid body in closed form.

use rrp_geom::Attitude;
use rrp_geom::glam::{DQuat, DVec3};

use crate::double_double::DoubleDouble;
use crate::elliptic::{JacobiElliptic, Modulus};
use crate::error::VerifyError;

/// The exact body angular velocity ω(t) of a free rigid body: Euler's equations J ω̇ = (J ω) × ω solved by Jacobi's
/// functions (Landau & Lifshitz, Mechanics, § 37), from any ω(0).
///
/// Principal moments in any order, equal ones allowed. With J₁ ≤ J₂ ≤ J₃ the motion circles axis 3 for L² > 2EJ₂ and
/// axis 1 for L² < 2EJ₂; equality is the separatrix, where ω tends to the middle axis and never returns.
///
/// ω(0) is built in through the addition theorem, so that ω(0) is reproduced to rounding and no incomplete integral is
/// needed. Data in f64 rarely lie on the separatrix exactly: the period is then long, not infinite. What decides how
/// long, and the phase, are computed in 32 digits, so that ω keeps its digits through flips next to the separatrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreeTop {
    inertia: DVec3,
    start: DVec3,
    orbit: Orbit,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Orbit {
    /// ω does not change.
    Steady,
    /// ω along the axis circled, the middle and the remaining one are amplitude · (dn, sn, cn).
    Turning {
        /// Axes of dn, sn, cn.
        axes: [usize; 3],
        /// Amplitudes of dn, sn, cn, with signs (rad/s).
        amplitudes: [f64; 3],
        /// λ (rad/s), with the sign of the permutation that sorted the axes.
        rate: DoubleDouble,
        /// m = k², 1 − m and K.
        modulus: Modulus,
        /// Values at t = 0.
        phase: JacobiElliptic,
    },
}

impl FreeTop {
    /// From principal moments of inertia (kg m²) and the body angular velocity at t = 0 (rad/s).
    ///
    /// # Errors
    /// [`VerifyError::InvalidInertia`]; [`VerifyError::NotFinite`] (index of the component) for the angular velocity.
    pub fn new(principal_inertia: DVec3, spin_body: DVec3) -> Result<Self, VerifyError> {
        for (axis, inertia) in principal_inertia.to_array().into_iter().enumerate() {
            if !(inertia.is_finite() && inertia > 0.0) {
                return Err(VerifyError::InvalidInertia { axis, inertia });
            }
        }
        for (index, value) in (0..).zip(spin_body.to_array()) {
            if !value.is_finite() {
                return Err(VerifyError::NotFinite { index, value });
            }
        }
        let orbit = orbit(principal_inertia, spin_body);
        Ok(Self { inertia: principal_inertia, start: spin_body, orbit })
    }

    /// Body angular velocity ω at time t (s), rad/s; t may be negative. NaN for a t that is not finite.
    #[must_use]
    pub fn spin_body(&self, time: f64) -> DVec3 {
        let Orbit::Turning { axes, amplitudes, .. } = self.orbit else {
            return self.start;
        };
        let JacobiElliptic { sn, cn, dn } = self.functions(time);
        let mut spin = DVec3::ZERO;
        for (axis, value) in axes.into_iter().zip([amplitudes[0] * dn, amplitudes[1] * sn, amplitudes[2] * cn]) {
            spin[axis] = value;
        }
        spin
    }

    /// The functions at time t (s); those of the start for a steady rotation.
    fn functions(&self, time: f64) -> JacobiElliptic {
        let Orbit::Turning { rate, modulus, phase, .. } = self.orbit else {
            return JacobiElliptic { sn: 0.0, cn: 0.0, dn: 1.0 };
        };
        let turned = rate * DoubleDouble::from(time);
        if modulus.complementary <= 0.0 {
            // Next to the middle axis the sum theorem is 0/0 here; on the separatrix the argument itself is at hand.
            return modulus.at(DoubleDouble::from((phase.sn / phase.cn).asinh()) + turned);
        }
        phase.sum(modulus.at(turned), modulus.parameter)
    }

    /// Attitude at time t (s), body to world, of a top that has the attitude `start` at t = 0. NaN for a t that is not
    /// finite.
    ///
    /// The direction ℓ of the angular momentum in the body follows from ω(t). With e the axis circled, the least
    /// rotation from ℓ to e and then a turn ψ about e lead to a frame that is fixed in space, where
    /// dψ/dt = (2E/L + ω·e)/(1 + ℓ·e). This is smooth through all flips; it is integrated by Gauss' rule to rounding.
    #[must_use]
    pub fn attitude(&self, start: Attitude, time: f64) -> Attitude {
        let Orbit::Turning { axes: [circled, ..], amplitudes, .. } = self.orbit else {
            let turned = Attitude::from_rotation_vector(self.start * time);
            return turned.map_or(NOT_A_NUMBER, |turned| turned.then(start));
        };
        if !time.is_finite() {
            return NOT_A_NUMBER;
        }
        let mut axis = DVec3::ZERO;
        axis[circled] = amplitudes[0].signum();
        let to_axis = |spin: DVec3| {
            let momentum = self.scaled_momentum(spin).normalize();
            let half = momentum.cross(axis);
            DQuat::from_xyzw(half.x, half.y, half.z, 1.0 + momentum.dot(axis)).normalize()
        };
        let (sine, cosine) = (0.5 * self.precession(time)).sin_cos();
        let about = axis * sine;
        let about = DQuat::from_xyzw(about.x, about.y, about.z, cosine);
        let turned = to_axis(self.start).conjugate() * (about * to_axis(self.spin_body(time)));
        Attitude::from_quaternion_unchecked(turned.normalize()).then(start)
    }

    /// The integral ψ (rad) of [`attitude`](Self::attitude) from 0 to t (s).
    fn precession(&self, time: f64) -> f64 {
        let Orbit::Turning { axes: [circled, ..], amplitudes, rate, modulus, phase } = self.orbit else { return 0.0 };
        let momentum = self.scaled_momentum(self.start);
        let (length, inertia) = (momentum.length(), self.inertia / binade(self.inertia.max_element()));
        let steady = self.start.dot(momentum / length);
        let slope = |dn: f64| {
            let spin = amplitudes[0].abs() * dn;
            (steady + spin) / (1.0 + inertia[circled] * (spin / (length * self.unit())))
        };
        let between = |from: f64, to: f64| {
            let panels = ((to - from) * rate.hi).abs().mul_add(2.0, 1.0).floor();
            let width = (to - from) / panels;
            (0..panels as u32)
                .map(|panel| {
                    let middle = from + width * (f64::from(panel) + 0.5);
                    let node = |x: f64| slope(self.functions(middle + 0.5 * width * x).dn);
                    GAUSS.iter().map(|&[x, weight]| 0.5 * width * weight * (node(x) + node(-x))).sum::<f64>()
                })
                .sum::<f64>()
        };
        if modulus.complementary <= 0.0 {
            // Beyond 40 the hyperbolic secant is below rounding.
            let begin = (phase.sn / phase.cn).asinh();
            let clipped = |time: f64| ((begin + rate.hi * time).clamp(-40.0, 40.0) - begin) / rate.hi;
            let (from, to) = (clipped(0.0), clipped(time));
            return between(from, to) + (time - (to - from)) * slope(0.0);
        }
        let half = (modulus.quarter_period * DoubleDouble::from(2.0) / rate).abs();
        let halves = (time / half.hi).trunc();
        let rest = (DoubleDouble::from(time) - half * DoubleDouble::from(halves)).value();
        let whole = if halves.abs() > 0.0 { halves * between(0.0, half.hi) } else { 0.0 };
        whole + between(0.0, rest)
    }

    /// The scale of ω: a power of two in rad/s.
    fn unit(&self) -> f64 {
        binade(self.start.abs().max_element())
    }

    /// Jω without its scale.
    fn scaled_momentum(&self, spin: DVec3) -> DVec3 {
        self.inertia / binade(self.inertia.max_element()) * (spin / self.unit())
    }

    /// The period 4K/λ of ω (s); none if ω is steady or on the separatrix.
    #[must_use]
    pub fn period(&self) -> Option<f64> {
        match self.orbit {
            Orbit::Turning { rate, modulus, .. } if modulus.complementary > 0.0 => {
                Some(4.0 * (modulus.quarter_period / rate.abs()).value())
            }
            _ => None,
        }
    }

    /// The parameter m = k² in [0, 1] of the elliptic functions: 0 for a symmetric top, 1 on the separatrix, none if ω
    /// is steady.
    #[must_use]
    pub fn parameter(&self) -> Option<f64> {
        match self.orbit {
            Orbit::Turning { modulus, .. } => Some(modulus.parameter),
            Orbit::Steady => None,
        }
    }

    /// Kinetic energy ω·Jω/2 (J).
    #[must_use]
    pub fn energy(&self) -> f64 {
        let unit = self.unit();
        // Neither factor overflows or vanishes before the product does.
        0.5 * unit
            * (binade(self.inertia.max_element()) * unit)
            * (self.start / unit).dot(self.scaled_momentum(self.start))
    }

    /// Magnitude |Jω| of the angular momentum (J s).
    #[must_use]
    pub fn angular_momentum(&self) -> f64 {
        binade(self.inertia.max_element()) * self.unit() * self.scaled_momentum(self.start).length()
    }
}

/// The attitude at a time that is none.
const NOT_A_NUMBER: Attitude = Attitude::from_quaternion_unchecked(DQuat::NAN);

/// Nodes and weights of Gauss' rule with eight nodes, those above zero.
const GAUSS: [[f64; 2]; 4] = [
    [0.183_434_642_495_649_8, 0.362_683_783_378_362],
    [0.525_532_409_916_329, 0.313_706_645_877_887_29],
    [0.796_666_477_413_626_7, 0.222_381_034_453_374_47],
    [0.960_289_856_497_536_2, 0.101_228_536_290_376_26],
];

/// The principal axis of the smallest or of the largest moment, scaled.
#[derive(Debug, Clone, Copy)]
struct ExtremeAxis {
    moment: f64,
    spin: f64,
    /// Axis 0, 1 or 2 of the body.
    index: usize,
}

fn orbit(inertia: DVec3, spin: DVec3) -> Orbit {
    if spin.abs().max_element() <= 0.0 {
        return Orbit::Steady;
    }
    // Scaled to order one, exactly: the products below could overflow, and must not round more than they have to.
    let spin_unit = binade(spin.abs().max_element());
    let (scaled, omega) = (inertia / binade(inertia.max_element()), spin / spin_unit);
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| scaled[a].total_cmp(&scaled[b]));
    let [j1, j2, j3] = order.map(|axis| scaled[axis]);
    let [w1, w2, w3] = order.map(|axis| omega[axis]);
    // An odd permutation of the axes is a reflection: ω is an axial vector, so that time runs backwards.
    let odd = (order[0] > order[1]) ^ (order[1] > order[2]) ^ (order[0] > order[2]);
    let direction = if odd { -1.0 } else { 1.0 };

    // 2EJ₃ − L², L² − 2EJ₁ and L² − 2EJ₂, the first two as sums of positive terms. The last one is a difference; in 32
    // digits it keeps those of the data.
    let exact = DoubleDouble::from;
    let gap = |large: f64, small: f64| DoubleDouble::sum(large, -small);
    let term = |inertia: f64, gap: DoubleDouble, spin: f64| exact(inertia) * gap * DoubleDouble::product(spin, spin);
    let below = term(j1, gap(j3, j1), w1) + term(j2, gap(j3, j2), w2);
    let above = term(j2, gap(j2, j1), w2) + term(j3, gap(j3, j1), w3);
    let middle = term(j3, gap(j3, j2), w3) - term(j1, gap(j2, j1), w1);

    // The motion circles one of the extreme axes; the case L² < 2EJ₂ is the other one with axes 1 and 3 exchanged.
    let smallest = ExtremeAxis { moment: j1, spin: w1, index: order[0] };
    let largest = ExtremeAxis { moment: j3, spin: w3, index: order[2] };
    let circles_largest = middle.hi >= 0.0;
    let (near, far) = if circles_largest { (above, below) } else { (below, above) };
    let (circled, other) = if circles_largest { (largest, smallest) } else { (smallest, largest) };
    let (gap_circled, gap_other) = (gap(circled.moment, j2).abs(), gap(other.moment, j2).abs());
    let scale = gap_circled * near;
    let rate = (scale / (DoubleDouble::product(j1, j2) * exact(j3))).sqrt();
    let steady = {
        let [e1, e2, e3] = [(j3 - j2) * w2 * w3, (j3 - j1) * w3 * w1, (j2 - j1) * w1 * w2];
        e1.abs().max(e2.abs()).max(e3.abs()) <= 0.0
    };
    // far = 0 without equilibrium: an amplitude below the square root of the smallest number.
    if steady || rate.hi <= 0.0 || far.hi <= 0.0 {
        return Orbit::Steady;
    }
    let span = gap(j3, j1);
    // All amplitudes positive is one solution; changing the sign of two components gives the others. Chosen so that dn
    // and cn start non-negative, which the branch of the separatrix needs.
    let sign = |value: f64| if value < 0.0 { -1.0 } else { 1.0 };
    let (sign_circled, sign_other) = (sign(circled.spin), sign(other.spin));
    let amplitudes = [
        sign_circled * (near / (exact(circled.moment) * span)).sqrt().value(),
        sign_circled * sign_other * (far / (exact(j2) * gap_circled)).sqrt().value(),
        sign_other * (far / (exact(other.moment) * span)).sqrt().value(),
    ];
    let complement = span * middle.abs() / scale;
    let complement = if complement.hi < 1.0 { complement } else { exact(1.0) };
    Orbit::Turning {
        axes: [circled.index, order[1], other.index],
        amplitudes: amplitudes.map(|amplitude| amplitude * spin_unit),
        rate: rate * exact(direction * spin_unit),
        modulus: Modulus::with_complement((gap_other * far / scale).value().min(1.0), complement),
        phase: JacobiElliptic {
            sn: w2 / amplitudes[1],
            cn: other.spin / amplitudes[2],
            dn: circled.spin / amplitudes[0],
        },
    }
}

/// The power of two at or below a positive number (the smallest normal one for subnormals).
fn binade(value: f64) -> f64 {
    f64::from_bits(value.to_bits() & f64::INFINITY.to_bits()).max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::TAU;

    fn top(inertia: [f64; 3], spin: [f64; 3]) -> FreeTop {
        FreeTop::new(DVec3::from_array(inertia), DVec3::from_array(spin)).unwrap()
    }

    /// Euler's equations by the classical Runge-Kutta method with Richardson extrapolation.
    fn integrated(inertia: DVec3, spin: DVec3, time: f64, steps: u32) -> DVec3 {
        let run = |steps: u32| {
            let h = time / f64::from(steps);
            let slope = |w: DVec3| (inertia * w).cross(w) / inertia;
            (0..steps).fold(spin, |w, _| {
                let k1 = slope(w);
                let k2 = slope(w + 0.5 * h * k1);
                let k3 = slope(w + 0.5 * h * k2);
                let k4 = slope(w + h * k3);
                w + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)
            })
        };
        let (coarse, fine) = (run(steps), run(2 * steps));
        fine + (fine - coarse) / 15.0
    }

    #[test]
    fn the_tumbling_top_has_its_known_period() {
        let tumbling = top([1.0, 2.0, 3.0], [0.01, 1.0, 0.0]);
        let period = tumbling.period().unwrap();
        // By a 60-digit mean from m = 1/1.0001. A value computed from m in f64 is off by 5e-13: K needs 1 − m.
        assert!((period / 41.509_219_529_338_49 - 1.0).abs() < 1e-15, "{period}");
        assert!((tumbling.parameter().unwrap() - 1.0001_f64.recip()).abs() < 2e-16);
        assert!((tumbling.spin_body(period) - tumbling.spin_body(0.0)).length() < 1e-11);
        // half a period on, ω₂ has turned over
        assert!((tumbling.spin_body(0.5 * period) - DVec3::new(0.01, -1.0, 0.0)).length() < 1e-11);
    }

    /// After a quarter of a period, a top that starts next to its middle axis spins about the axis between two flips.
    #[test]
    fn flips_next_to_the_separatrix_keep_their_digits() {
        let mut worst = 0.0_f64;
        for power in 4..=20 {
            let small = 10.0_f64.powi(-power);
            for (inertia, spin, circled) in [
                ([1.0, 2.0, 3.0], [small, 1.0, 0.0], 0),
                ([3.0, 1.0, 2.0], [0.0, small, 1.0], 1),
                ([2.0, 1.0, 3.0], [-1.0, small, 0.0], 1),
            ] {
                let exact = top(inertia, spin);
                // Relative to the time of the flip itself, whose own rounding is half a unit in the last place.
                let quarter = 0.25 * exact.period().unwrap();
                let found = exact.spin_body(quarter);
                let middle = inertia.iter().position(|&moment| (moment - 2.0).abs() < 1e-9).unwrap();
                let expected = (1.0 + small * small).sqrt();
                worst = worst.max(found[middle].abs()).max((found[circled] - expected).abs());
                let half = exact.spin_body(2.0 * quarter);
                worst = worst.max((half[middle] + spin[middle]).abs());
                // To all digits of its own size, in time for rounding: it grows by e in 1/λ.
                assert!((half[circled] / small - 1.0).abs() < 1e-12, "{power}: {half}");
            }
        }
        assert!(worst < 1e-14, "{worst}");
    }

    /// By a mean of 60 digits: 4K/λ with λ² = (1 + d²)/3 and 1 − m = d²/(1 + d²).
    #[test]
    fn the_period_next_to_the_separatrix_is_that_of_its_data() {
        // The sum of squares of two sides nearly cancels: w₃² and w₁²/3 differ by 1e-14.
        let (w1, w3) = (3.0_f64.sqrt() * 0.5, 0.5 + 1e-14);
        let exact = top([1.0, 2.0, 3.0], [w1, 0.1, w3]);
        // 3 w₃² − w₁², in integers of 2⁻⁵³ squared.
        let [a, b] = [w1, w3].map(|w| (w * 2.0_f64.powi(53)) as i128);
        let difference = (3 * b * b - a * a) as f64 * 2.0_f64.powi(-106);
        let complement = 2.0 * difference / (2.0 * 0.01 + 6.0 * w3 * w3);
        let asymptotic = 0.5 * (16.0 / complement).ln();
        let rate = ((2.0 * 0.01 + 6.0 * w3 * w3) / 6.0).sqrt();
        assert!((exact.period().unwrap() * rate / (4.0 * asymptotic) - 1.0).abs() < 1e-12, "{:?}", exact.period());
    }

    #[test]
    fn attitudes_follow_the_spin_and_keep_the_momentum_in_space() {
        let start = Attitude::from_rotation_vector(DVec3::new(0.3, -1.1, 0.7)).unwrap();
        let mut worst = [0.0_f64; 2];
        for (inertia, spin, times) in [
            ([1.0, 2.0, 3.0], [0.9, 0.4, 0.2], [0.7, 31.0, -5.0]),
            ([3.0, 2.0, 1.0], [-0.2, 0.4, -0.9], [0.7, 31.0, -5.0]),
            ([1.0, 2.0, 3.0], [1e-3, 1.0, 0.0], [9.0, 40.0, -25.0]),
            ([2.0, 1.0, 3.0], [1.0, -1e-9, 1e-12], [20.0, 60.0, -30.0]),
            ([1.0, 2.5, 3.0], [0.75, 0.25, -0.75], [3.0, 200.0, -200.0]),
            ([1.0, 1.0, 1.7], [0.3, 0.1, -0.8], [3.0, 50.0, -8.0]),
            ([2.0, 2.0, 2.0], [0.3, 0.1, -0.8], [3.0, 50.0, -8.0]),
        ] {
            let exact = top(inertia, spin);
            let inertia = DVec3::from_array(inertia);
            let momentum = |time: f64| exact.attitude(start, time).rotate(inertia * exact.spin_body(time));
            assert!(exact.attitude(start, 0.0).angle_to(start) < 1e-15);
            for time in times {
                worst[0] = worst[0].max((momentum(time) - momentum(0.0)).length() / momentum(0.0).length());
                // The increment of a short time, by a difference of fourth order.
                let turn = |by: f64| {
                    let [from, to] = [-by, by].map(|by| exact.attitude(start, time + by));
                    to.then(from.inverse()).to_rotation_vector() / (2.0 * by)
                };
                let rate = (4.0 * turn(1e-3) - turn(2e-3)) / 3.0;
                worst[1] = worst[1].max((rate - exact.spin_body(time)).length());
            }
        }
        assert!(worst[0] < 1e-13 && worst[1] < 1e-10, "{worst:?}");
    }

    #[test]
    fn all_orders_of_the_axes_and_all_signs_solve_eulers_equations() {
        let moments =
            [[1.0, 2.0, 3.0], [1.0, 3.0, 2.0], [2.0, 1.0, 3.0], [2.0, 3.0, 1.0], [3.0, 1.0, 2.0], [3.0, 2.0, 1.0]];
        let mut worst = 0.0_f64;
        for inertia in moments {
            for bits in 0..8 {
                let sign = |bit: u32| if bits >> bit & 1 == 1 { -1.0 } else { 1.0 };
                for size in [[0.9, 0.4, 0.2], [0.2, 0.4, 0.9], [0.01, 1.0, 0.0]] {
                    let spin = [sign(0) * size[0], sign(1) * size[1], sign(2) * size[2]];
                    let exact = top(inertia, spin);
                    let (inertia, spin) = (DVec3::from_array(inertia), DVec3::from_array(spin));
                    assert!((exact.spin_body(0.0) - spin).length() < 1e-15);
                    let reference = integrated(inertia, spin, 6.0, 2000);
                    worst = worst.max((exact.spin_body(6.0) - reference).length());
                }
            }
        }
        assert!(worst < 1e-12, "{worst}");
    }

    #[test]
    fn symmetric_tops_precess_uniformly() {
        // J₁ = J₂ = J: rate (J₃ − J) ω₃/J about axis 3, oblate and prolate.
        for (equal, axial) in [(1.0, 1.7), (1.7, 1.0)] {
            let exact = top([equal, equal, axial], [0.3, 0.1, -0.8]);
            let rate = (axial - equal) * -0.8 / equal;
            assert!((exact.period().unwrap() - TAU / rate.abs()).abs() < 1e-13);
            assert!(exact.parameter().unwrap().abs() < 1e-15);
            let (sine, cosine) = (rate * 5.0_f64).sin_cos();
            let expected = DVec3::new(0.3 * cosine - 0.1 * sine, 0.3 * sine + 0.1 * cosine, -0.8);
            assert!((exact.spin_body(5.0) - expected).length() < 1e-14, "{:?}", exact.spin_body(5.0));
        }
    }

    #[test]
    fn steady_rotations_stay() {
        let cases = [
            ([2.0, 2.0, 2.0], [0.3, 0.1, -0.8]),
            ([1.0, 2.0, 3.0], [0.0, 1.0, 0.0]),
            ([1.0, 2.0, 3.0], [0.0, 0.0, -1.0]),
            ([1.0, 2.0, 3.0], [-1.0, 0.0, 0.0]),
            ([1.0, 2.0, 3.0], [0.0, 0.0, 0.0]),
            ([2.0, 2.0, 3.0], [0.4, 0.3, 0.0]),
            ([1.0, 2.0, 2.0], [0.0, 0.3, 0.4]),
        ];
        for (inertia, spin) in cases {
            let exact = top(inertia, spin);
            assert_eq!((exact.period(), exact.parameter()), (None, None), "{inertia:?} {spin:?}");
            assert_eq!(exact.spin_body(1e3), DVec3::from_array(spin));
        }
    }

    #[test]
    fn the_separatrix_ends_on_the_middle_axis() {
        // J₁ (J₂ − J₁) = J₃ (J₃ − J₂) = 1.5 exactly
        for inertia in [DVec3::new(1.0, 2.5, 3.0), DVec3::new(3.0, 2.5, 1.0)] {
            for bits in 0..8 {
                let sign = |bit: u32| if bits >> bit & 1 == 1 { -1.0 } else { 1.0 };
                let spin = DVec3::new(0.75 * sign(0), 0.25 * sign(1), 0.75 * sign(2));
                let exact = FreeTop::new(inertia, spin).unwrap();
                assert_eq!((exact.period(), exact.parameter()), (None, Some(1.0)));
                for time in [-4.0, 0.0, 3.0] {
                    let reference = integrated(inertia, spin, time, 2000);
                    assert!((exact.spin_body(time) - reference).length() < 1e-12, "{inertia} {spin} {time}");
                }
                let end = exact.angular_momentum() / 2.5;
                let (late, early) = (exact.spin_body(1e4), exact.spin_body(-1e4));
                assert!((late.y.abs() - end).abs() < 1e-15 && (late + early).length() < 1e-15);
            }
        }
        let close = top([1.0, 2.5, 3.0], [1e-170, 1.0, -1e-170]).spin_body(1e4);
        assert!((close - DVec3::Y).length() < 1e-15 || (close + DVec3::Y).length() < 1e-15, "{close}");
    }

    #[test]
    fn extreme_scales_do_not_overflow() {
        let (small, large) =
            (top([1e-150, 2e-150, 3e-150], [1e-160, 1e-158, 0.0]), top([1e150, 2e150, 3e150], [1e158, 1e160, 0.0]));
        let reference = top([1.0, 2.0, 3.0], [0.01, 1.0, 0.0]).period().unwrap();
        assert!((small.period().unwrap() * 1e-158 / reference - 1.0).abs() < 1e-14);
        assert!((large.period().unwrap() * 1e160 / reference - 1.0).abs() < 1e-14);
        assert!((small.angular_momentum() / 2e-308 - 1.0).abs() < 1e-4 && (large.energy()).is_infinite());
        let huge = top([1e-150, 2e-150, 3e-150], [1e158, 1e160, 0.0]);
        assert!((huge.energy() / 1e170 - 1.0).abs() < 1e-4 && (huge.angular_momentum() / 2e10 - 1.0).abs() < 1e-4);
        assert!(huge.attitude(Attitude::IDENTITY, 1e-160).to_matrix().is_finite());
        assert!(top([1.0, 2.0, 3.0], [1e-200, 0.0, 1.0]).spin_body(1.0).is_finite());
    }

    #[test]
    fn refusals() {
        assert!(matches!(
            FreeTop::new(DVec3::new(1.0, 0.0, 1.0), DVec3::X),
            Err(VerifyError::InvalidInertia { axis: 1, .. })
        ));
        assert!(matches!(
            FreeTop::new(DVec3::ONE, DVec3::new(0.0, 0.0, f64::NAN)),
            Err(VerifyError::NotFinite { index: 2, .. })
        ));
    }

    proptest! {
        #[test]
        fn energy_and_momentum_stay_and_the_period_closes(
            inertia in proptest::array::uniform3(0.1_f64..10.0),
            spin in proptest::array::uniform3(-10.0_f64..10.0),
            time in -20.0_f64..20.0,
        ) {
            let exact = top(inertia, spin);
            let (inertia, now) = (DVec3::from_array(inertia), exact.spin_body(time));
            prop_assert!((0.5 * now.dot(inertia * now) / exact.energy() - 1.0).abs() < 1e-12);
            prop_assert!(((inertia * now).length() / exact.angular_momentum() - 1.0).abs() < 1e-12);
            if let Some(period) = exact.period() {
                let later = exact.spin_body(time + period);
                prop_assert!((later - now).length() < 1e-9 * now.length(), "{now} {later}");
            }
        }
    }
}
