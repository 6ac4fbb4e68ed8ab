//! Complete elliptic integral and Jacobi functions, accurate to all digits up to the parameter 1.

use crate::double_double::DoubleDouble;
use crate::error::VerifyError;

/// Largest number of arithmetic-geometric means in one computation: the smallest b/a of `f64` needs 14.
const MOST_MEANS: usize = 24;

/// Complete elliptic integral of the first kind K(m), parameter m = k² in [0, 1]; K(1) = ∞.
///
/// The relative error is a few 1e-16 for exact m; near m = 1 an error of m is amplified by 1/(2 (1 − m) K).
///
/// # Errors
/// [`VerifyError::InvalidParameter`].
pub fn complete_elliptic_integral(parameter: f64) -> Result<f64, VerifyError> {
    let complement = DoubleDouble::sum(1.0, -valid(parameter)?);
    Ok(quarter_period(complement.sqrt()).value())
}

/// Values of the Jacobi elliptic functions sn, cn, dn at one argument u and parameter m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JacobiElliptic {
    /// Value of the Jacobi function sn(u | m).
    pub sn: f64,
    /// Value of the Jacobi function cn(u | m).
    pub cn: f64,
    /// Value of the Jacobi function dn(u | m), in [√(1 − m), 1].
    pub dn: f64,
}

impl JacobiElliptic {
    /// Computes sn, cn, dn at the real argument u for the parameter m = k² in [0, 1]: sin, cos, 1 for m = 0 and tanh,
    /// sech, sech for m = 1.
    ///
    /// The argument is reduced by quarter periods in 32 digits. The absolute error is a few 1e-16, and so is the
    /// relative error of cn and dn next to their zeros and near m = 1.
    ///
    /// # Errors
    /// [`VerifyError::InvalidParameter`]; [`VerifyError::NotFinite`] for u.
    pub fn new(argument: f64, parameter: f64) -> Result<Self, VerifyError> {
        let parameter = valid(parameter)?;
        if !argument.is_finite() {
            return Err(VerifyError::NotFinite { index: 0, value: argument });
        }
        Ok(Modulus::with_complement(parameter, DoubleDouble::sum(1.0, -parameter)).at(DoubleDouble::from(argument)))
    }

    fn hyperbolic(argument: f64) -> Self {
        let sech = argument.cosh().recip();
        Self { sn: argument.tanh(), cn: sech, dn: sech }
    }

    /// Computes sn, cn, dn at u + v from the values at u and v for the parameter m, Abramowitz & Stegun 16.17.
    pub(crate) fn sum(self, other: Self, parameter: f64) -> Self {
        let s = self.sn;
        let c = self.cn;
        let d = self.dn;
        let s1 = other.sn;
        let c1 = other.cn;
        let d1 = other.dn;
        // √(1 − m s² s₁²) as a sum of squares. Factors are divided by it one by one: near m = 1 their products
        // underflow.
        let root = (s1 * d).hypot(c1);
        let [c, d, c1, d1] = [c, d, c1, d1].map(|factor| factor / root);
        Self { sn: s * c1 * d1 + s1 * c * d, cn: c * c1 - s * s1 * d * d1, dn: d * d1 - parameter * s * s1 * c * c1 }
    }
}

/// Parameter m of the Jacobi functions, with quantities that depend only on m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Modulus {
    /// Parameter m = k² of the Jacobi functions.
    pub(crate) parameter: f64,
    /// Complementary modulus k' = √(1 − m).
    pub(crate) complementary: f64,
    /// Quarter period K(m) of the Jacobi functions; infinite for m = 1.
    pub(crate) quarter_period: DoubleDouble,
}

impl Modulus {
    /// Makes the modulus from the parameter m and from 1 − m, which the caller may know to more digits than m.
    pub(crate) fn with_complement(parameter: f64, complement: DoubleDouble) -> Self {
        let complementary = complement.sqrt();
        Self { parameter, complementary: complementary.value(), quarter_period: quarter_period(complementary) }
    }

    pub(crate) fn at(&self, argument: DoubleDouble) -> JacobiElliptic {
        if self.complementary <= 0.0 {
            return JacobiElliptic::hyperbolic(argument.value());
        }
        let quarters = (argument.hi / self.quarter_period.hi).round();
        let reduced = (argument - self.quarter_period * DoubleDouble::from(quarters)).value();
        let JacobiElliptic { sn, cn, dn } = self.near_zero(reduced);
        let next = JacobiElliptic { sn: cn / dn, cn: -(sn / dn), dn: dn.recip() };
        let complementary = self.complementary;
        // A&S 16.8, for one quarter period further on.
        let next = JacobiElliptic { cn: complementary * next.cn, dn: complementary * next.dn, ..next };
        match quarters.rem_euclid(4.0) as u8 {
            0 => JacobiElliptic { sn, cn, dn },
            1 => next,
            2 => JacobiElliptic { sn: -sn, cn: -cn, dn },
            _ => JacobiElliptic { sn: -next.sn, cn: -next.cn, ..next },
        }
    }

    /// Computes sn, cn, dn for |u| ≤ K/2, half the quarter period, where the ratio sn/cn keeps its digits.
    fn near_zero(&self, argument: f64) -> JacobiElliptic {
        let tangent = if self.complementary > 0.5 { self.by_means(argument) } else { self.by_transformation(argument) };
        let cn = tangent.hypot(1.0).recip();
        let sn = tangent * cn;
        // dn² = cn² + (1 − m) sn² does not cancel, unlike 1 − m sn².
        JacobiElliptic { sn, cn, dn: cn.hypot(self.complementary * sn) }
    }

    /// The ratio sn/cn at the argument u by descending arithmetic-geometric means, Abramowitz & Stegun 16.4.
    fn by_means(&self, argument: f64) -> f64 {
        // (a, b, c) of A&S 16.4.1; a² − c² = b² one level down avoids cancellation in the arc sine below.
        let mut means = [(0.0, 0.0, 0.0); MOST_MEANS];
        let mut a = 1.0_f64;
        let mut b = self.complementary;
        let mut c = self.parameter.sqrt();
        let mut count = 0;
        let mut scale = 1.0;
        while c.abs() > f64::EPSILON * a && count < MOST_MEANS {
            let geometric = (a * b).sqrt();
            (a, b, c) = (0.5 * (a + b), geometric, 0.5 * (a - b));
            means[count] = (a, b, c);
            scale *= 2.0;
            count += 1;
        }
        let mut phi = scale * a * argument;
        for &(a, b, c) in means[..count].iter().rev() {
            let (sine, cosine) = phi.sin_cos();
            // 16.4.4: sin(2φₙ₋₁ − φₙ) = (cₙ/aₙ) sin φₙ
            phi = 0.5 * (phi + (c * sine).atan2((a * cosine).hypot(b * sine)));
        }
        phi.tan()
    }

    /// The ratio sn/cn at the argument u by ascending transformations to m = 1, where sn/cn is sinh u, Abramowitz &
    /// Stegun 16.14.
    fn by_transformation(&self, argument: f64) -> f64 {
        let mut above = [0.0; MOST_MEANS];
        let mut complementary = self.complementary;
        let mut reduced = argument;
        let mut count = 0;
        // At K/2 the square of the tangent is 1/k'.
        while count == 0 || complementary > 1e-20 * self.complementary && count < MOST_MEANS {
            let modulus = ((1.0 - complementary) * (1.0 + complementary)).sqrt();
            complementary = (complementary / (1.0 + modulus)).powi(2);
            reduced /= 1.0 + complementary;
            above[count] = complementary;
            count += 1;
        }
        // 16.14.2 over 16.14.3, with dn² = cn² + (1 − m) sn².
        above[..count].iter().rev().fold(reduced.sinh(), |tangent, complementary| {
            (1.0 + complementary) * tangent / (1.0 - complementary * tangent * tangent)
        })
    }
}

/// Quarter period K from the complementary modulus √(1 − m), by the arithmetic-geometric mean.
pub(crate) fn quarter_period(complementary: DoubleDouble) -> DoubleDouble {
    let mut a = DoubleDouble::from(1.0);
    let mut b = complementary;
    if b.hi <= 0.0 {
        return DoubleDouble::from(f64::INFINITY);
    }
    let half = DoubleDouble::from(0.5);
    for _ in 0..MOST_MEANS {
        if (a - b).abs().hi <= 1e-31 * a.hi {
            break;
        }
        (a, b) = ((a + b) * half, (a * b).sqrt());
    }
    DoubleDouble::HALF_PI / ((a + b) * half)
}

fn valid(parameter: f64) -> Result<f64, VerifyError> {
    if (0.0..=1.0).contains(&parameter) { Ok(parameter) } else { Err(VerifyError::InvalidParameter { parameter }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::FRAC_PI_2;

    fn jacobi(argument: f64, parameter: f64) -> JacobiElliptic {
        JacobiElliptic::new(argument, parameter).unwrap()
    }

    #[test]
    fn known_quarter_periods() {
        // From a 60-digit arithmetic-geometric mean; Γ(1/4)²/(4 √π) at m = 1/2.
        let known = [
            (0.0, FRAC_PI_2),
            (0.5, 1.854_074_677_301_371_9),
            (0.25, 1.685_750_354_812_596),
            (0.75, 2.156_515_647_499_643_2),
        ];
        for (parameter, exact) in known {
            let found = complete_elliptic_integral(parameter).unwrap();
            assert!((found / exact - 1.0).abs() < 4e-16, "{parameter}: {found}");
        }
        assert!(complete_elliptic_integral(1.0).unwrap().is_infinite());
        // K = ln(4/√m₁) + O(m₁ ln m₁) for m near one, m₁ = 1 − m.
        assert!(
            (quarter_period(DoubleDouble::from(1e-100)).value() - (4.0_f64.ln() + 100.0 * 10.0_f64.ln())).abs() < 1e-12
        );
    }

    #[test]
    fn half_the_quarter_period_has_closed_values() {
        // A&S 16.5: sn(K/2) = 1/√(1 + k'), cn(K/2) = √k'/√(1 + k'), dn(K/2) = √k'
        for parameter in [0.1, 0.5, 0.9, 0.999_999, 1.0 - 1e-12] {
            let root = (1.0_f64 - parameter).sqrt();
            let half = jacobi(0.5 * complete_elliptic_integral(parameter).unwrap(), parameter);
            assert!((half.sn - (1.0 + root).sqrt().recip()).abs() < 2e-15, "{parameter}: {half:?}");
            assert!((half.cn - (root / (1.0 + root)).sqrt()).abs() < 2e-15, "{parameter}: {half:?}");
            assert!((half.dn - root.sqrt()).abs() < 2e-15, "{parameter}: {half:?}");
        }
    }

    #[test]
    fn limits() {
        for argument in [-3.0_f64, -0.2, 0.0, 1.0, 7.5] {
            let circular = jacobi(argument, 0.0);
            assert!((circular.sn - argument.sin()).abs() < 1e-15 && (circular.cn - argument.cos()).abs() < 1e-15);
            assert!((circular.dn - 1.0).abs() < 1e-15);
            let hyperbolic = jacobi(argument, 1.0);
            let near = jacobi(argument, 1.0 - 2.0_f64.powi(-53));
            assert!((hyperbolic.sn - argument.tanh()).abs() < 1e-15);
            assert!((hyperbolic.sn - near.sn).abs() < 1e-9 && (hyperbolic.dn - near.dn).abs() < 1e-9);
        }
    }

    #[test]
    fn refusals() {
        for parameter in [-1e-300, 1.0 + 1e-15, f64::NAN, f64::INFINITY] {
            assert!(matches!(complete_elliptic_integral(parameter), Err(VerifyError::InvalidParameter { .. })));
            assert!(matches!(JacobiElliptic::new(1.0, parameter), Err(VerifyError::InvalidParameter { .. })));
        }
        assert!(matches!(JacobiElliptic::new(f64::INFINITY, 0.5), Err(VerifyError::NotFinite { .. })));
    }

    proptest! {
        #[test]
        fn the_two_identities(argument in -50.0_f64..50.0, parameter in 0.0_f64..=1.0) {
            let JacobiElliptic { sn, cn, dn } = jacobi(argument, parameter);
            prop_assert!((sn * sn + cn * cn - 1.0).abs() < 1e-15);
            prop_assert!((dn * dn + parameter * sn * sn - 1.0).abs() < 1e-15);
        }

        #[test]
        fn derivatives(argument in -5.0_f64..5.0, parameter in 0.0_f64..=1.0) {
            // sn' = cn dn, cn' = −sn dn, by a five-point difference
            let h = 1e-3;
            let at = |shift: f64| jacobi(argument + shift, parameter);
            let slope = |f: fn(&JacobiElliptic) -> f64| {
                (8.0 * (f(&at(h)) - f(&at(-h))) - (f(&at(2.0 * h)) - f(&at(-2.0 * h)))) / (12.0 * h)
            };
            let JacobiElliptic { sn, cn, dn } = at(0.0);
            prop_assert!((slope(|at| at.sn) - cn * dn).abs() < 1e-11);
            prop_assert!((slope(|at| at.cn) + sn * dn).abs() < 1e-11);
            prop_assert!((slope(|at| at.dn) + parameter * sn * cn).abs() < 1e-11);
        }

        #[test]
        fn the_sum_is_the_value_at_the_sum(u in -4.0_f64..4.0, v in -4.0_f64..4.0, parameter in 0.0_f64..0.999) {
            let sum = jacobi(u, parameter).sum(jacobi(v, parameter), parameter);
            let direct = jacobi(u + v, parameter);
            prop_assert!((sum.sn - direct.sn).abs() < 2e-13, "{sum:?} {direct:?}");
            prop_assert!((sum.cn - direct.cn).abs() < 2e-13);
            prop_assert!((sum.dn - direct.dn).abs() < 2e-13);
        }

        #[test]
        fn four_quarter_periods_are_a_period(u in -4.0_f64..4.0, parameter in 0.0_f64..0.999) {
            let period = 4.0 * complete_elliptic_integral(parameter).unwrap();
            let here = jacobi(u, parameter);
            let there = jacobi(u + period, parameter);
            prop_assert!((here.sn - there.sn).abs() < 1e-14 && (here.cn - there.cn).abs() < 1e-14);
        }
    }
}
