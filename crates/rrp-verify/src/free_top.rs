use rrp_geom::Attitude;
use rrp_geom::glam::{DQuat, DVec3};

use crate::double_double::DoubleDouble;
use crate::elliptic::{JacobiElliptic, Modulus};
use crate::error::VerifyError;

/// The exact body angular velocity ω(t) of a free rigid body: Euler's equations J ω̇ = (J ω) × ω solved by Jacobi's
/// functions (Landau & Lifshitz, Mechanics, § 37), from any ω(0).
///
/// Principal moments may have any order and may be equal. For J₁ ≤ J₂ ≤ J₃, energy E and angular momentum L, ω circles
/// axis 3 if L² > 2EJ₂ and axis 1 if L² < 2EJ₂. Equality is the separatrix, on which ω tends to the middle axis.
///
/// The addition theorem of the Jacobi functions starts the motion at ω(0), so that ω(0) is reproduced to rounding and
/// no incomplete integral is needed. Data in f64 rarely lie exactly on the separatrix: the period is then long, not
/// infinite. Flips near the separatrix keep their digits, since the complementary parameter, which determines the
/// period, and the argument λt are computed in 32 digits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreeTop {
    inertia: DVec3,
    start: DVec3,
    orbit: Orbit,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Orbit {
    /// Steady rotation: the angular velocity ω in the body frame does not change.
    Steady,
    /// Any other motion: the components of ω follow the Jacobi functions dn, sn, cn.
    Turning {
        /// Body axes of the components that follow dn, sn and cn: the circled axis, that of the middle moment, the
        /// third.
        axes: [usize; 3],
        /// Amplitudes in rad/s of the components that follow dn, sn and cn, with signs.
        amplitudes: [f64; 3],
        /// Rate λ (rad/s) of the argument λt, with the sign of the permutation of the axes.
        rate: DoubleDouble,
        /// Parameter m = k² of the Jacobi functions, 1 − m and the quarter period K.
        modulus: Modulus,
        phase: JacobiElliptic,
    },
}

impl FreeTop {
    /// Makes a top with given principal moments of inertia (kg m²) and body angular velocity at t = 0 (rad/s).
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

    /// Body angular velocity ω (rad/s) at the time t (s), which may be negative; NaN for a t that is not finite.
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

    /// Jacobi functions sn, cn, dn that give ω at the time t (s); constants for a steady rotation.
    fn functions(&self, time: f64) -> JacobiElliptic {
        let Orbit::Turning { rate, modulus, phase, .. } = self.orbit else {
            return JacobiElliptic { sn: 0.0, cn: 0.0, dn: 1.0 };
        };
        let turned = rate * DoubleDouble::from(time);
        if modulus.complementary <= 0.0 {
            // Near the middle axis the addition theorem is 0/0; on the separatrix the argument itself is known.
            return modulus.at(DoubleDouble::from((phase.sn / phase.cn).asinh()) + turned);
        }
        phase.sum(modulus.at(turned), modulus.parameter)
    }

    /// Attitude at the time t (s), body to world, of a top with the attitude `start` at t = 0; NaN for a t that is not
    /// finite.
    ///
    /// The direction ℓ of the angular momentum in the body follows from ω(t). Let e be the axis that ω circles. The
    /// smallest rotation from ℓ to e, and then a turn ψ about e, lead to a frame fixed in space, where dψ/dt = (2E/L +
    /// ω·e)/(1 + ℓ·e). This rate is smooth through all flips, and is integrated to rounding by Gauss quadrature.
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

    /// Integral ψ (rad) of the rate dψ/dt in [`attitude`](Self::attitude) from 0 to `time` (s).
    fn precession(&self, time: f64) -> f64 {
        let Orbit::Turning { axes: [circled, ..], amplitudes, rate, modulus, phase } = self.orbit else { return 0.0 };
        let momentum = self.scaled_momentum(self.start);
        let length = momentum.length();
        let inertia = self.inertia / binade(self.inertia.max_element());
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
            // Beyond an argument of 40 the hyperbolic secant is below rounding.
            let begin = (phase.sn / phase.cn).asinh();
            let clipped = |time: f64| ((begin + rate.hi * time).clamp(-40.0, 40.0) - begin) / rate.hi;
            let from = clipped(0.0);
            let to = clipped(time);
            return between(from, to) + (time - (to - from)) * slope(0.0);
        }
        let half = (modulus.quarter_period * DoubleDouble::from(2.0) / rate).abs();
        let halves = (time / half.hi).trunc();
        let rest = (DoubleDouble::from(time) - half * DoubleDouble::from(halves)).value();
        let whole = if halves.abs() > 0.0 { halves * between(0.0, half.hi) } else { 0.0 };
        whole + between(0.0, rest)
    }

    /// Divisor of ω against overflow: the power of two (rad/s) at or below its largest component.
    fn unit(&self) -> f64 {
        binade(self.start.abs().max_element())
    }

    fn scaled_momentum(&self, spin: DVec3) -> DVec3 {
        self.inertia / binade(self.inertia.max_element()) * (spin / self.unit())
    }

    /// Period of the body angular velocity ω in s; `None` if ω is steady or on the separatrix.
    #[must_use]
    pub fn period(&self) -> Option<f64> {
        match self.orbit {
            Orbit::Turning { rate, modulus, .. } if modulus.complementary > 0.0 => {
                Some(4.0 * (modulus.quarter_period / rate.abs()).value())
            }
            _ => None,
        }
    }

    /// The parameter m = k² in [0, 1] of the elliptic functions: 0 for a symmetric top, 1 on the separatrix, `None` if
    /// ω is steady.
    #[must_use]
    pub fn parameter(&self) -> Option<f64> {
        match self.orbit {
            Orbit::Turning { modulus, .. } => Some(modulus.parameter),
            Orbit::Steady => None,
        }
    }

    /// Kinetic energy ω·Jω/2 of the top (J).
    #[must_use]
    pub fn energy(&self) -> f64 {
        let unit = self.unit();
        // No factor overflows or underflows before the product does.
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

const NOT_A_NUMBER: Attitude = Attitude::from_quaternion_unchecked(DQuat::NAN);

/// Positive nodes of the Gauss quadrature rule with eight nodes, and their weights.
const GAUSS: [[f64; 2]; 4] = [
    [0.183_434_642_495_649_8, 0.362_683_783_378_362],
    [0.525_532_409_916_329, 0.313_706_645_877_887_29],
    [0.796_666_477_413_626_7, 0.222_381_034_453_374_47],
    [0.960_289_856_497_536_2, 0.101_228_536_290_376_26],
];

/// Principal axis with the smallest or the largest moment of inertia; moment and spin are scaled to order one.
#[derive(Debug, Clone, Copy)]
struct ExtremeAxis {
    moment: f64,
    spin: f64,
    index: usize,
}

fn orbit(inertia: DVec3, spin: DVec3) -> Orbit {
    if spin.abs().max_element() <= 0.0 {
        return Orbit::Steady;
    }
    // Exact scaling to order one: the products below must not overflow, and must round as little as possible.
    let spin_unit = binade(spin.abs().max_element());
    let scaled = inertia / binade(inertia.max_element());
    let omega = spin / spin_unit;
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| scaled[a].total_cmp(&scaled[b]));
    let [j1, j2, j3] = order.map(|axis| scaled[axis]);
    let [w1, w2, w3] = order.map(|axis| omega[axis]);
    // An odd permutation of the axes is a reflection. The axial vector ω then changes sign: time runs backwards.
    let odd = (order[0] > order[1]) ^ (order[1] > order[2]) ^ (order[0] > order[2]);
    let direction = if odd { -1.0 } else { 1.0 };

    // 2EJ₃ − L², L² − 2EJ₁ and L² − 2EJ₂. The first two are sums of positive terms. The third is a difference; 32
    // digits keep the accuracy of the data.
    let exact = DoubleDouble::from;
    let gap = |large: f64, small: f64| DoubleDouble::sum(large, -small);
    let term = |inertia: f64, gap: DoubleDouble, spin: f64| exact(inertia) * gap * DoubleDouble::product(spin, spin);
    let below = term(j1, gap(j3, j1), w1) + term(j2, gap(j3, j2), w2);
    let above = term(j2, gap(j2, j1), w2) + term(j3, gap(j3, j1), w3);
    let middle = term(j3, gap(j3, j2), w3) - term(j1, gap(j2, j1), w1);

    // ω circles one of the extreme axes; the case L² < 2EJ₂ is the other case with axes 1 and 3 exchanged.
    let smallest = ExtremeAxis { moment: j1, spin: w1, index: order[0] };
    let largest = ExtremeAxis { moment: j3, spin: w3, index: order[2] };
    let circles_largest = middle.hi >= 0.0;
    let (near, far) = if circles_largest { (above, below) } else { (below, above) };
    let (circled, other) = if circles_largest { (largest, smallest) } else { (smallest, largest) };
    let gap_circled = gap(circled.moment, j2).abs();
    let gap_other = gap(other.moment, j2).abs();
    let scale = gap_circled * near;
    let rate = (scale / (DoubleDouble::product(j1, j2) * exact(j3))).sqrt();
    let steady = {
        let [e1, e2, e3] = [(j3 - j2) * w2 * w3, (j3 - j1) * w3 * w1, (j2 - j1) * w1 * w2];
        e1.abs().max(e2.abs()).max(e3.abs()) <= 0.0
    };
    // far = 0 without equilibrium occurs for an amplitude below the square root of the smallest number.
    if steady || rate.hi <= 0.0 || far.hi <= 0.0 {
        return Orbit::Steady;
    }
    let span = gap(j3, j1);
    // All amplitudes positive is one solution; changing two signs gives the others. The signs are chosen so that dn and
    // cn start non-negative, as the branch of the separatrix needs.
    let sign = |value: f64| if value < 0.0 { -1.0 } else { 1.0 };
    let sign_circled = sign(circled.spin);
    let sign_other = sign(other.spin);
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

/// Largest power of two that is at most the positive `value` (the smallest normal number for subnormals).
fn binade(value: f64) -> f64 {
    f64::from_bits(value.to_bits() & f64::INFINITY.to_bits()).max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests;
