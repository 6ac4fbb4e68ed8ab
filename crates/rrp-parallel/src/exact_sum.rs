/// An exact sum of finite numbers, rounded once when it is read.
///
/// The sum is a long fixed-point number with digits of 32 bits. Terms are added as integers, so neither their order nor
/// their grouping matters.
///
/// ```
/// # use rrp_parallel::ExactSum;
/// assert!(ExactSum::of([1e300, 1.0, -1e300]) == 1.0);
/// ```
#[derive(Debug, Clone)]
pub struct ExactSum {
    /// Digits of the sum from low to high; the unit of the first digit is the least positive f64.
    digits: [i64; Self::DIGITS],
    /// Index of the lowest digit that can differ from zero; larger than `last`, the index of the highest one, for no
    /// terms.
    first: usize,
    last: usize,
    /// Number of terms added since carries between the digits of the sum were last propagated.
    additions: u32,
    /// Floating-point sum of the terms that are NaN or infinite; if there are any, the value of the whole sum.
    special: f64,
}

/// Number of bits of a digit of the long fixed-point number.
const BITS: usize = 32;

impl ExactSum {
    /// Number of digits: enough bits from the smallest to the largest f64, and two digits for carries.
    const DIGITS: usize = (2046 + 53) / BITS + 3;

    /// Number of terms after which carries are propagated, long before a digit overflows.
    const MOST_ADDITIONS: u32 = 1 << 29;

    /// The exact sum of no terms, which is zero.
    pub const ZERO: Self = Self { digits: [0; Self::DIGITS], first: Self::DIGITS, last: 0, additions: 0, special: 0.0 };

    /// Returns the exact sum of `terms`, rounded once.
    #[must_use]
    pub fn of(terms: impl IntoIterator<Item = f64>) -> f64 {
        terms.into_iter().collect::<Self>().value()
    }

    /// Adds a number to the sum.
    pub fn add(&mut self, term: f64) {
        if !term.is_finite() {
            self.special += term;
            return;
        }
        let bits = term.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as usize;
        let fraction = bits & ((1 << 52) - 1);
        // A subnormal number has the unit of the smallest normal numbers.
        let (mantissa, unit) = if exponent == 0 { (fraction, 0) } else { (fraction | 1 << 52, exponent - 1) };
        let first = unit / BITS;
        let wide = u128::from(mantissa) << (unit % BITS);
        let sign = if term < 0.0 { -1 } else { 1 };
        for (k, digit) in self.digits[first..first + 3].iter_mut().enumerate() {
            *digit += sign * i64::from((wide >> (BITS * k)) as u32);
        }
        (self.first, self.last) = (self.first.min(first), self.last.max(first + 2));
        self.additions += 1;
        if self.additions >= Self::MOST_ADDITIONS {
            self.carry();
        }
    }

    /// A few numbers whose exact sum is this sum, to send the partial sum of one process to another.
    #[must_use]
    pub fn parts(&self) -> Vec<f64> {
        if self.special != 0.0 || self.special.is_nan() {
            return vec![self.special];
        }
        if self.first > self.last {
            return Vec::new();
        }
        let mut sum = self.clone();
        sum.carry();
        let digits = sum.digits.iter().enumerate().filter(|(_, digit)| **digit != 0);
        digits.map(|(k, &digit)| scaled(digit as f64, BITS * k)).collect()
    }

    /// The sum, rounded to the nearest f64.
    #[must_use]
    pub fn value(&self) -> f64 {
        if self.special != 0.0 || self.special.is_nan() {
            return self.special;
        }
        if self.first > self.last {
            return 0.0;
        }
        let mut sum = self.clone();
        sum.carry();
        let is_negative = sum.digits[sum.last] < 0;
        if is_negative {
            sum.digits[sum.first..=sum.last].iter_mut().for_each(|digit| *digit = -*digit);
            sum.carry();
        }
        let first = sum.first;
        let digits = &sum.digits[..=sum.last];
        let Some(top) = digits.iter().rposition(|&digit| digit != 0) else { return 0.0 };
        // The three highest digits have at least 65 bits; one sticky bit stands for all lower digits.
        let low = top.saturating_sub(2);
        let high = digits[low..=top].iter().rev().fold(0_u128, |high, &digit| high << BITS | digit as u128);
        let rest = u128::from(digits[first.min(low)..low].iter().any(|&digit| digit != 0));
        let value = scaled((high | rest) as f64, BITS * low);
        if is_negative { -value } else { value }
    }

    /// Propagates carries until each digit fits into 32 bits; the highest digit keeps the sign.
    fn carry(&mut self) {
        let mut carried = 0;
        self.last = (self.last + 1).min(Self::DIGITS - 1);
        for digit in &mut self.digits[self.first..self.last] {
            let sum = *digit + carried;
            carried = sum >> BITS;
            *digit = sum - (carried << BITS);
        }
        self.digits[self.last] += carried;
        self.additions = 0;
    }
}

impl FromIterator<f64> for ExactSum {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> Self {
        let mut sum = Self::ZERO;
        terms.into_iter().for_each(|term| sum.add(term));
        sum
    }
}

/// Returns the rounded sum of a and b, and its rounding error. Both add up exactly to a + b, unless the sum overflows.
#[must_use]
#[inline(always)]
pub fn two_sum(a: f64, b: f64) -> [f64; 2] {
    let sum = a + b;
    let part = sum - a;
    [sum, (a - (sum - part)) + (b - part)]
}

/// Returns `units` times 2^`shift` times the least positive f64. The result is exact unless it overflows.
fn scaled(units: f64, shift: usize) -> f64 {
    let power = |exponent: i32| 2.0_f64.powi(exponent);
    // Two factors, each of which is a normal number.
    let exponent = shift as i32 - 1074;
    if exponent < -1000 { units * power(exponent + 100) * power(-100) } else { units * power(exponent) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn great_terms_that_cancel_leave_the_small_ones() {
        assert_eq!(ExactSum::of([1e300, 1.0, -1e300]).to_bits(), 1.0_f64.to_bits());
        assert_eq!(ExactSum::of([f64::MAX, f64::MAX, -f64::MAX]).to_bits(), f64::MAX.to_bits());
        assert_eq!(ExactSum::of([5e-324, -1.0, 1.0]).to_bits(), 5e-324_f64.to_bits());
        assert_eq!(ExactSum::of([]).to_bits(), 0.0_f64.to_bits());
        let next = 1.0 + f64::EPSILON;
        assert_eq!(ExactSum::of([1.0, 0.5 * f64::EPSILON]).to_bits(), 1.0_f64.to_bits());
        assert_eq!(ExactSum::of([1.0, 0.5 * f64::EPSILON, 1e-300]).to_bits(), next.to_bits());
        assert!(ExactSum::of([f64::NAN, 1.0]).is_nan());
        assert!(ExactSum::of([f64::INFINITY, 1.0]) == f64::INFINITY);
    }

    proptest! {
        #[test]
        fn one_and_two_terms_are_summed_as_the_processor_does(
            a in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO,
            b in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL,
        ) {
            // Adding zero turns −0 into +0.
            prop_assert_eq!((ExactSum::of([a]) + 0.0).to_bits(), (a + 0.0).to_bits());
            prop_assert_eq!((ExactSum::of([a, b]) + 0.0).to_bits(), (a + b + 0.0).to_bits());
        }

        #[test]
        fn the_order_does_not_matter(mut terms in proptest::collection::vec(-1e10..1e10_f64, 0..50), cut in 0..50_usize) {
            let sum = ExactSum::of(terms.iter().copied());
            let cut = cut.min(terms.len());
            terms.rotate_left(cut);
            prop_assert_eq!(ExactSum::of(terms.iter().copied()).to_bits(), sum.to_bits());
            let (head, tail) = terms.split_at(cut);
            let mut of_head = ExactSum::ZERO;
            head.iter().for_each(|&term| of_head.add(term));
            let parts = of_head.parts();
            prop_assert!(parts.len() < 8);
            prop_assert_eq!(ExactSum::of(parts.into_iter().chain(tail.iter().copied())).to_bits(), sum.to_bits());
            let plain: f64 = terms.iter().sum();
            prop_assert!((plain - sum).abs() <= 1e-13 * terms.iter().map(|term| term.abs()).sum::<f64>());
        }
    }
}
