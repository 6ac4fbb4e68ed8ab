//! The drift: positions move at constant velocity, in place, and can be put back where they were.
//!
//! What rounding took from x' = x + h V is at most half of the last unit of x'. Where that is not larger than the last unit of x, x' − h V, rounded
//! once, is x again but for ties. Where x' grows past a power of two, or x is next to zero, x may be lost. What is lost is found by trying, and kept.

use std::slice::from_ref;

use pulp::bytemuck::cast_slice;
use pulp::{Arch, Simd, WithSimd};

use crate::kick::add;
use crate::lanes::{self, Lanes};

/// Moves `x` over the time `h`; true if all is finite. Shows `keep` what [`back`] would not give back: the body, the column, and the number.
pub(crate) fn ahead(h: f64, v: [&[f64]; 3], x: [&mut [f64]; 3], keep: impl FnMut(usize, usize, f64)) -> bool {
    Arch::new().dispatch(Ahead { h, v, x, keep })
}

/// Moves `x` back over the time `h`: to where it was but for what was to be kept.
pub(crate) fn back(h: f64, v: [&[f64]; 3], x: [&mut [f64]; 3]) {
    lanes::apply(Back { h }, v, x);
}

#[derive(Clone, Copy)]
struct Back {
    h: f64,
}

/// Input: V. Output: x in place.
impl Lanes<3, 3> for Back {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, v: [S::f64s; 3], x: [S::f64s; 3]) -> [S::f64s; 3] {
        add(simd, simd.splat_f64s(-self.h), v, x)
    }
}

struct Ahead<'a, F> {
    h: f64,
    v: [&'a [f64]; 3],
    x: [&'a mut [f64]; 3],
    keep: F,
}

impl<F: FnMut(usize, usize, f64)> WithSimd for Ahead<'_, F> {
    type Output = bool;

    // Loops instead of `array::map`, which is not inlined across the change of instruction set.
    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) -> bool {
        let (zero, h, back) = (simd.splat_f64s(0.0), simd.splat_f64s(self.h), simd.splat_f64s(-self.h));
        let [v0, v1, v2] = self.v.map(S::as_simd_f64s);
        let [x0, x1, x2] = self.x.map(S::as_mut_simd_f64s);
        let groups = x0.0.len();
        // Of one known length, so that the loop carries no bounds checks.
        let v_groups = [&v0.0[..groups], &v1.0[..groups], &v2.0[..groups]];
        let x_groups = [&mut x0.0[..groups], &mut x1.0[..groups], &mut x2.0[..groups]];
        let mut poison = [zero; 3];
        for i in 0..groups {
            let v = [v_groups[0][i], v_groups[1][i], v_groups[2][i]];
            let x = [x_groups[0][i], x_groups[1][i], x_groups[2][i]];
            let moved = add(simd, h, v, x);
            let again = add(simd, back, v, moved);
            let mut lost = zero;
            for c in 0..3 {
                x_groups[c][i] = moved[c];
                // NaN as soon as a value that is not finite was multiplied by zero.
                poison[c] = simd.mul_add_f64s(moved[c], zero, poison[c]);
                lost = simd.or_f64s(lost, simd.xor_f64s(x[c], again[c]));
            }
            // Bits, or a zero would lose its sign.
            if cast_slice::<_, u64>(from_ref(&lost)).iter().fold(0, |all, bits| all | bits) != 0 {
                for c in 0..3 {
                    let (x, again): (&[f64], &[f64]) = (cast_slice(from_ref(&x[c])), cast_slice(from_ref(&again[c])));
                    for lane in 0..S::F64_LANES {
                        if x[lane].to_bits() != again[lane].to_bits() {
                            (self.keep)(i * S::F64_LANES + lane, c, x[lane]);
                        }
                    }
                }
            }
        }
        let mut finite = poison.into_iter().all(|sum| simd.reduce_sum_f64s(sum).is_finite());
        for (c, (v, x)) in [v0.1, v1.1, v2.1].into_iter().zip([x0.1, x1.1, x2.1]).enumerate() {
            for (k, (v, x)) in v.iter().zip(x).enumerate() {
                let moved = self.h.mul_add(*v, *x);
                if (-self.h).mul_add(*v, moved).to_bits() != x.to_bits() {
                    (self.keep)(groups * S::F64_LANES + k, c, *x);
                }
                finite &= moved.is_finite();
                *x = moved;
            }
        }
        finite
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use proptest::prelude::*;

    /// Moves bodies there and back, to the bit; returns how many numbers had to be kept.
    fn there_and_back(h: f64, v: &[f64], x: &[f64]) -> usize {
        let (mut moved, mut kept) = ([x; 3].map(<[f64]>::to_vec), Vec::new());
        let finite = ahead(h, [v; 3], moved.each_mut().map(|x| &mut x[..]), |k, c, number| kept.push((k, c, number)));
        let bits = |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
        let expected: Vec<f64> = x.iter().zip(v).map(|(x, v)| h.mul_add(*v, *x)).collect();
        assert_eq!(finite, expected.iter().all(|x| x.is_finite()));
        assert!(finite == moved.iter().flatten().all(|x| x.is_finite()));
        if finite {
            assert!(moved.iter().all(|moved| bits(moved) == bits(&expected)));
        }
        back(h, [v; 3], moved.each_mut().map(|x| &mut x[..]));
        kept.iter().for_each(|&(k, c, number)| moved[c][k] = number);
        assert!(moved.iter().all(|moved| bits(moved) == bits(x)), "{x:?} + {h} · {v:?} → {moved:?}");
        kept.len()
    }

    proptest! {
        #[test]
        fn whatever_moves_comes_back(h in 1e-12..10.0, rows in prop::collection::vec((any::<f64>(), any::<f64>()), 0..40)) {
            let (v, x): (Vec<f64>, Vec<f64>) = rows.into_iter().unzip();
            there_and_back(h, &v, &x);
        }
    }

    #[test]
    fn little_is_kept() {
        // A thousandth of a radius in a step, over a box.
        let x: Vec<f64> = (0..4001).map(|k| f64::from(k) / 300.0).collect();
        let v: Vec<f64> = (0..4001).map(|k| (f64::from(k * 7919 % 4001) / 2000.0 - 1.0) * 5.0).collect();
        let kept = there_and_back(1e-4, &v, &x);
        assert!((1..30).contains(&kept), "{kept}");
        // Zeros keep their signs.
        assert!(there_and_back(0.1, &[0.0; 9], &[-0.0; 9]) > 0);
        assert_eq!(there_and_back(0.1, &[0.0; 9], &[0.0; 9]), 0);
    }
}
