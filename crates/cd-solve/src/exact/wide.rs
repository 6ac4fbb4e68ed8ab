use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

/// Number of 64-bit limbs (digits) of a mantissa.
const LIMBS: usize = 4;

/// Number of bits in the mantissa of a [`Wide`].
pub(crate) const BITS: i64 = 64 * LIMBS as i64;

/// A floating-point number of 77 digits with a 64-bit exponent: sums and products of a few `f64` are exact. The value
/// is ± 0.m · 2ᵉ, where the top bit of m is set unless the number is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wide {
    negative: bool,
    exponent: i64,
    /// 64-bit limbs of the mantissa, the lowest one first.
    mantissa: [u64; LIMBS],
}

impl Wide {
    pub(crate) const ZERO: Self = Self { negative: false, exponent: 0, mantissa: [0; LIMBS] };
    pub(crate) const ONE: Self = Self { negative: false, exponent: 1, mantissa: [0, 0, 0, 1 << 63] };

    /// Converts a finite `f64` without rounding.
    pub(crate) fn new(x: f64) -> Self {
        let bits = x.to_bits();
        let field = (bits >> 52 & 0x7ff) as i64;
        let fraction = bits & ((1 << 52) - 1);
        let (integer, scale) = if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
        if integer == 0 {
            return Self::ZERO;
        }
        let shift = integer.leading_zeros();
        Self { negative: x < 0.0, exponent: scale + 64 - i64::from(shift), mantissa: [0, 0, 0, integer << shift] }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.mantissa[LIMBS - 1] == 0
    }

    pub(crate) fn is_positive(&self) -> bool {
        !self.is_zero() && !self.negative
    }

    pub(crate) fn is_negative(&self) -> bool {
        !self.is_zero() && self.negative
    }

    /// Exponent e with 2ᵉ⁻¹ ≤ |x| < 2ᵉ; for zero a number below all exponents.
    pub(crate) fn exponent(&self) -> i64 {
        if self.is_zero() { i64::MIN / 4 } else { self.exponent }
    }

    /// Exponent of the lowest nonzero bit: the number is a multiple of this power of two.
    pub(crate) fn last_place(&self) -> i64 {
        let zeros = self
            .mantissa
            .iter()
            .position(|limb| *limb != 0)
            .map_or(0, |limb| 64 * limb as i64 + i64::from(self.mantissa[limb].trailing_zeros()));
        self.exponent - BITS + zeros
    }

    pub(crate) fn abs(self) -> Self {
        Self { negative: false, ..self }
    }

    /// Returns this number times 2ᵏ, k = `power`, without rounding.
    pub(crate) fn times_power(self, power: i64) -> Self {
        if self.is_zero() { self } else { Self { exponent: self.exponent + power, ..self } }
    }

    /// The `f64` nearest to this number of 256 bits, infinite beyond the largest `f64`.
    pub(crate) fn to_f64(self) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        // The sticky bit shows that lower bits are set, so that halves are rounded correctly.
        let sticky = u64::from(self.mantissa[..LIMBS - 1].iter().any(|limb| *limb != 0));
        let size = (self.mantissa[LIMBS - 1] | sticky) as f64;
        let mut power = (self.exponent - 64).clamp(-3000, 3000);
        let mut value = size;
        while power != 0 {
            let part = power.clamp(-1000, 1000);
            value *= 2.0_f64.powi(part as i32);
            power -= part;
        }
        if self.negative { -value } else { value }
    }

    /// Reciprocal of this number in 256 bits; the number is not zero.
    pub(crate) fn recip(self) -> Self {
        // In [1/2, 1), by Newton's method: each step doubles the number of digits.
        let unit = Self { negative: false, exponent: 0, ..self };
        let mut inverse = Self::new(unit.to_f64().recip());
        for _ in 0..3 {
            let rest = Self::ONE - unit * inverse;
            inverse = inverse + inverse * rest;
        }
        Self { negative: self.negative, ..inverse.times_power(-self.exponent) }
    }

    /// Square root of this number in 256 bits; the number is at least zero.
    pub(crate) fn sqrt(self) -> Self {
        if self.is_zero() {
            return self;
        }
        // In [1/4, 1), by Newton's method for 1/√x: each step doubles the number of digits.
        let power = self.exponent + (self.exponent & 1);
        let unit = self.times_power(-power);
        let mut inverse = Self::new(unit.to_f64().sqrt().recip());
        for _ in 0..3 {
            let rest = Self::ONE - unit * inverse * inverse;
            inverse = inverse + (inverse * rest).times_power(-1);
        }
        (unit * inverse).times_power(power / 2)
    }

    fn compare_sizes(&self, other: &Self) -> Ordering {
        self.exponent().cmp(&other.exponent()).then_with(|| self.mantissa.iter().rev().cmp(other.mantissa.iter().rev()))
    }

    /// Returns a mantissa divided by 2ᵏ, k = `by`, truncated.
    fn shifted_down(mantissa: [u64; LIMBS], by: i64) -> [u64; LIMBS] {
        if by >= BITS {
            return [0; LIMBS];
        }
        let limbs = (by / 64) as usize;
        let bits = (by % 64) as u32;
        std::array::from_fn(|i| {
            let at = |i: usize| mantissa.get(i).copied().unwrap_or(0);
            if bits == 0 { at(i + limbs) } else { at(i + limbs) >> bits | at(i + limbs + 1) << (64 - bits) }
        })
    }

    /// Makes a number from a mantissa whose top bit need not be set.
    fn normalized(negative: bool, exponent: i64, mantissa: [u64; LIMBS]) -> Self {
        let Some(top) = mantissa.iter().rposition(|limb| *limb != 0) else { return Self::ZERO };
        let bits = mantissa[top].leading_zeros();
        let limbs = LIMBS - 1 - top;
        let shifted = std::array::from_fn(|i| {
            let at = |i: usize| i.checked_sub(limbs).map_or(0, |i| mantissa[i]);
            if bits == 0 { at(i) } else { at(i) << bits | i.checked_sub(1).map_or(0, at) >> (64 - bits) }
        });
        Self { negative, exponent: exponent - 64 * limbs as i64 - i64::from(bits), mantissa: shifted }
    }
}

impl Neg for Wide {
    type Output = Self;

    fn neg(self) -> Self {
        Self { negative: !self.negative, ..self }
    }
}

impl Add for Wide {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        if self.is_zero() {
            return other;
        }
        if other.is_zero() {
            return self;
        }
        let (large, small) = if self.compare_sizes(&other) == Ordering::Less { (other, self) } else { (self, other) };
        let low = Self::shifted_down(small.mantissa, large.exponent - small.exponent);
        let mut sum = [0; LIMBS];
        if large.negative == small.negative {
            let mut carry = false;
            for i in 0..LIMBS {
                let (a, first) = large.mantissa[i].overflowing_add(low[i]);
                let (b, second) = a.overflowing_add(u64::from(carry));
                (sum[i], carry) = (b, first | second);
            }
            if carry {
                let mut half = Self::shifted_down(sum, 1);
                half[LIMBS - 1] |= 1 << 63;
                return Self { negative: large.negative, exponent: large.exponent + 1, mantissa: half };
            }
            return Self { negative: large.negative, exponent: large.exponent, mantissa: sum };
        }
        let mut borrow = false;
        for i in 0..LIMBS {
            let (a, first) = large.mantissa[i].overflowing_sub(low[i]);
            let (b, second) = a.overflowing_sub(u64::from(borrow));
            (sum[i], borrow) = (b, first | second);
        }
        Self::normalized(large.negative, large.exponent, sum)
    }
}

impl Sub for Wide {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Wide {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::ZERO;
        }
        let mut product = [0_u64; 2 * LIMBS];
        for i in 0..LIMBS {
            if self.mantissa[i] == 0 {
                continue;
            }
            let mut carry = 0_u128;
            for j in 0..LIMBS {
                let sum =
                    u128::from(self.mantissa[i]) * u128::from(other.mantissa[j]) + u128::from(product[i + j]) + carry;
                product[i + j] = sum as u64;
                carry = sum >> 64;
            }
            product[i + LIMBS] = carry as u64;
        }
        // The product of two numbers in [1/2, 1) is at least 1/4.
        let shift = product[2 * LIMBS - 1].leading_zeros();
        let mantissa = std::array::from_fn(|i| {
            let i = i + LIMBS;
            if shift == 0 { product[i] } else { product[i] << 1 | product[i - 1] >> 63 }
        });
        Self {
            negative: self.negative != other.negative,
            exponent: self.exponent + other.exponent - i64::from(shift),
            mantissa,
        }
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let difference = *self - *other;
        Some(match () {
            () if difference.is_zero() => Ordering::Equal,
            () if difference.negative => Ordering::Less,
            () => Ordering::Greater,
        })
    }
}

pub(crate) fn dot(pairs: impl IntoIterator<Item = (Wide, Wide)>) -> Wide {
    pairs.into_iter().fold(Wide::ZERO, |sum, (a, b)| sum + a * b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_of_every_size() {
        let numbers = [1.0, -3.0, 0.1, 1e300, -1e-300, 5e-324, 0.0, f64::MAX, 1.0 + f64::EPSILON];
        for a in numbers {
            assert_eq!(Wide::new(a).to_f64().to_bits(), (a + 0.0).to_bits());
            for b in numbers {
                let x = Wide::new(a);
                let y = Wide::new(b);
                // Rounding loses less than the last bit.
                let lost = (x + y) - y - x;
                assert!(lost.is_zero() || lost.exponent() < x.exponent().max(y.exponent()) - 250);
                assert!((x * y).to_f64().to_bits() == (a * b).to_bits() || (a * b).abs() < 1e-300, "{a} {b}");
                assert_eq!(x.partial_cmp(&y), a.partial_cmp(&b));
                if b.abs() > 0.0 {
                    let rest = x * y * y.recip() - x;
                    assert!(rest.is_zero() || rest.exponent() < x.exponent() - 245, "{a} {b}");
                }
            }
        }
        for x in [2.0, 0.3, 1e-300, 7e200, 4.0].map(Wide::new) {
            let rest = x.sqrt() * x.sqrt() - x;
            assert!(rest.is_zero() || rest.exponent() < x.exponent() - 245);
        }
        let third = Wide::new(3.0).recip();
        assert!((third + third + third - Wide::ONE).exponent() < -248);
        assert_eq!((Wide::ONE - Wide::new(1e-70)).to_f64().to_bits(), 1.0_f64.to_bits());
        assert_eq!((Wide::new(1e-70) + Wide::ONE - Wide::ONE).exponent(), Wide::new(1e-70).exponent());
        assert_eq!(Wide::new(6.0).last_place(), 1);
    }
}
