//! Sums of two f64, for 32 digits where 16 are not enough, such as for the angle of many turns.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// An unevaluated sum `hi + lo` of two f64, where `lo` is at most half a unit in the last place of `hi`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DoubleDouble {
    pub(crate) hi: f64,
    pub(crate) lo: f64,
}

impl DoubleDouble {
    /// The constant π/2.
    pub(crate) const HALF_PI: Self = Self { hi: std::f64::consts::FRAC_PI_2, lo: 6.123_233_995_736_766e-17 };

    /// The exact sum a + b, faster than `sum`; needs |a| ≥ |b| or a = 0.
    fn of_ordered(a: f64, b: f64) -> Self {
        let hi = a + b;
        Self { hi, lo: b - (hi - a) }
    }

    pub(crate) fn sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        let part = hi - a;
        Self { hi, lo: (a - (hi - part)) + (b - part) }
    }

    /// The product of two f64, exact unless it underflows.
    pub(crate) fn product(a: f64, b: f64) -> Self {
        let hi = a * b;
        Self { hi, lo: a.mul_add(b, -hi) }
    }

    /// The square root in 32 digits; zero for a number that is not positive.
    pub(crate) fn sqrt(self) -> Self {
        if self.hi <= 0.0 {
            return Self::from(0.0);
        }
        let root = self.hi.sqrt();
        let rest = (self - Self::product(root, root)).hi;
        Self::of_ordered(root, rest / (2.0 * root))
    }

    pub(crate) fn abs(self) -> Self {
        if self.hi < 0.0 { -self } else { self }
    }

    pub(crate) fn value(self) -> f64 {
        self.hi + self.lo
    }
}

impl From<f64> for DoubleDouble {
    fn from(value: f64) -> Self {
        Self { hi: value, lo: 0.0 }
    }
}

impl Neg for DoubleDouble {
    type Output = Self;

    fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }
}

impl Add for DoubleDouble {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let high = Self::sum(self.hi, other.hi);
        let low = Self::sum(self.lo, other.lo);
        let first = Self::of_ordered(high.hi, high.lo + low.hi);
        Self::of_ordered(first.hi, first.lo + low.lo)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let product = Self::product(self.hi, other.hi);
        Self::of_ordered(product.hi, product.lo + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Div for DoubleDouble {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let first = self.hi / other.hi;
        let rest = self - other * Self::from(first);
        let second = rest.hi / other.hi;
        let rest = rest - other * Self::from(second);
        Self::of_ordered(first, second) + Self::from(rest.hi / other.hi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn products_and_roots_have_thirty_digits(a in 0.1_f64..10.0, b in 0.1_f64..10.0) {
            let a = DoubleDouble::from(a) / DoubleDouble::from(3.0);
            let b = DoubleDouble::from(b).sqrt();
            let back = a * b / b;
            prop_assert!((back - a).abs().hi <= 1e-30 * a.hi);
            prop_assert!((b * b * b - b * (b * b)).abs().hi <= 1e-30);
            prop_assert!(((a + b) - a - b).abs().hi <= 1e-30);
            prop_assert!(((a * a).sqrt() - a).abs().hi <= 1e-30 * a.hi);
        }
    }
}
