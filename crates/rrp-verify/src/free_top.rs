//! The torque-free rigid body in closed form.

use rrp_geom::glam::DVec3;

use crate::elliptic::{JacobiElliptic, quarter_period};
use crate::error::VerifyError;

/// The exact body angular velocity ω(t) of a free rigid body: Euler's equations J ω̇ = (J ω) × ω solved by Jacobi's
/// functions (Landau & Lifshitz, Mechanics, § 37), from any ω(0).
///
/// Principal moments in any order, equal ones allowed. With J₁ ≤ J₂ ≤ J₃ the motion circles axis 3 for L² > 2EJ₂ and
/// axis 1 for L² < 2EJ₂; equality is the separatrix, where ω tends to the middle axis and never returns.
///
/// ω(0) is built in through the addition theorem, so that ω(0) is reproduced to rounding and no incomplete integral is
/// needed. Data in f64 rarely lie on the separatrix exactly: the period is then long, not infinite.
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
        rate: f64,
        /// m = k² and 1 − m.
        parameter: f64,
        complement: f64,
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
        let Orbit::Turning { axes, amplitudes, rate, parameter, complement, phase } = self.orbit else {
            return self.start;
        };
        let JacobiElliptic { sn, cn, dn } = if complement <= 0.0 {
            // Next to the middle axis the sum theorem is 0/0 here; on the separatrix the argument itself is at hand.
            JacobiElliptic::with_complement((phase.sn / phase.cn).asinh() + rate * time, parameter, complement)
        } else {
            phase.sum(JacobiElliptic::with_complement(rate * time, parameter, complement), parameter)
        };
        let mut spin = DVec3::ZERO;
        for (axis, value) in axes.into_iter().zip([amplitudes[0] * dn, amplitudes[1] * sn, amplitudes[2] * cn]) {
            spin[axis] = value;
        }
        spin
    }

    /// The period 4K/λ of ω (s); none if ω is steady or on the separatrix.
    #[must_use]
    pub fn period(&self) -> Option<f64> {
        match self.orbit {
            Orbit::Turning { rate, complement, .. } if complement > 0.0 => {
                Some(4.0 * quarter_period(complement) / rate.abs())
            }
            _ => None,
        }
    }

    /// The parameter m = k² in [0, 1] of the elliptic functions: 0 for a symmetric top, 1 on the separatrix, none if ω
    /// is steady.
    #[must_use]
    pub fn parameter(&self) -> Option<f64> {
        match self.orbit {
            Orbit::Turning { parameter, .. } => Some(parameter),
            Orbit::Steady => None,
        }
    }

    /// Kinetic energy ω·Jω/2 (J).
    #[must_use]
    pub fn energy(&self) -> f64 {
        0.5 * self.start.dot(self.inertia * self.start)
    }

    /// Magnitude |Jω| of the angular momentum (J s).
    #[must_use]
    pub fn angular_momentum(&self) -> f64 {
        (self.inertia * self.start).length()
    }
}

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

    // 2EJ₃ − L², L² − 2EJ₁ and L² − 2EJ₂, the first two as sums of positive terms.
    let below = j1 * (j3 - j1) * w1 * w1 + j2 * (j3 - j2) * w2 * w2;
    let above = j2 * (j2 - j1) * w2 * w2 + j3 * (j3 - j1) * w3 * w3;
    let middle = j3 * (j3 - j2) * w3 * w3 - j1 * (j2 - j1) * w1 * w1;

    // The motion circles one of the extreme axes; the case L² < 2EJ₂ is the other one with axes 1 and 3 exchanged.
    let smallest = ExtremeAxis { moment: j1, spin: w1, index: order[0] };
    let largest = ExtremeAxis { moment: j3, spin: w3, index: order[2] };
    let circles_largest = middle >= 0.0;
    let (near, far) = if circles_largest { (above, below) } else { (below, above) };
    let (circled, other) = if circles_largest { (largest, smallest) } else { (smallest, largest) };
    let (gap_circled, gap_other) = ((circled.moment - j2).abs(), (other.moment - j2).abs());
    let rate = (gap_circled * near / (j1 * j2 * j3)).sqrt();
    let steady = {
        let [e1, e2, e3] = [(j3 - j2) * w2 * w3, (j3 - j1) * w3 * w1, (j2 - j1) * w1 * w2];
        e1.abs().max(e2.abs()).max(e3.abs()) <= 0.0
    };
    // far = 0 without equilibrium: an amplitude below the square root of the smallest number.
    if steady || rate <= 0.0 || far <= 0.0 {
        return Orbit::Steady;
    }
    let span = j3 - j1;
    // All amplitudes positive is one solution; changing the sign of two components gives the others. Chosen so that dn
    // and cn start non-negative, which the branch of the separatrix needs.
    let sign = |value: f64| if value < 0.0 { -1.0 } else { 1.0 };
    let (sign_circled, sign_other) = (sign(circled.spin), sign(other.spin));
    let amplitudes = [
        sign_circled * (near / (circled.moment * span)).sqrt(),
        sign_circled * sign_other * (far / (j2 * gap_circled)).sqrt(),
        sign_other * (far / (other.moment * span)).sqrt(),
    ];
    let scale = gap_circled * near;
    Orbit::Turning {
        axes: [circled.index, order[1], other.index],
        amplitudes: amplitudes.map(|amplitude| amplitude * spin_unit),
        rate: direction * rate * spin_unit,
        parameter: (gap_other * far / scale).min(1.0),
        complement: (span * middle.abs() / scale).min(1.0),
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
