//! Vectorised turns of spheres: `[BG21]` (23b) and (25b), and the exact flow.

use pulp::Simd;

use crate::kernel::lanes::{self, Lanes};

/// A formula for the change of the quaternion q of a body over a step, before normalisation.
pub(crate) trait Increment: Copy {
    /// Returns the change of the quaternion `from` for `half_turn` = hP/2, with the angular velocity P and the time h;
    /// NaN where the formula does not hold.
    fn change<S: Simd>(self, simd: S, half_turn: [S::f64s; 3], from: [S::f64s; 4]) -> [S::f64s; 4];
}

/// The Cayley map `[BG21] (25b)`: a turn by the quaternion (1, hP/2) up to its length, for the angular velocity P and
/// time h.
#[derive(Clone, Copy)]
pub(crate) struct Cayley;

impl Increment for Cayley {
    #[inline(always)]
    fn change<S: Simd>(self, simd: S, half_turn: [S::f64s; 3], from: [S::f64s; 4]) -> [S::f64s; 4] {
        product(simd, half_turn, from)
    }
}

/// The Legendre transform `[BG21] (23b)`: a turn by the quaternion (1 − (1−s)/2, hP/2) up to its length, with s =
/// √(1−h²|P|²) for the angular velocity P and the time h. The turn needs h|P| < 1.
#[derive(Clone, Copy)]
pub(crate) struct Legendre;

impl Increment for Legendre {
    #[inline(always)]
    fn change<S: Simd>(self, simd: S, half_turn: [S::f64s; 3], from: [S::f64s; 4]) -> [S::f64s; 4] {
        let quarter = simd.splat_f64s(0.25);
        // With u = (h|P|/2)², s/2 = √(1/4 − u).
        let sine_squared = square(simd, half_turn);
        let half_cosine = simd.sqrt_f64s(simd.sub_f64s(quarter, sine_squared));
        let inside = simd.less_than_f64s(sine_squared, quarter);
        let missing = simd.sub_f64s(half_cosine, simd.splat_f64s(0.5));
        let missing = simd.select_f64s(inside, missing, simd.splat_f64s(f64::NAN));
        plus(simd, product(simd, half_turn, from), missing, from)
    }
}

/// The exact turn by the quaternion (cos √u, sin √u/√u hP/2) with u = (h|P|/2)², for the angular velocity P and the
/// time h. The functions of u are series, which need turns of at most half a radian.
#[derive(Clone, Copy)]
pub(crate) struct Exponential;

/// Largest u = (h|P|/2)² for which the series of [`Exponential`] are exact to the last bit.
const LARGEST_SQUARE: f64 = 0.0625;

/// Coefficients of (cos √u − 1)/u as a series in u. For u ≤ [`LARGEST_SQUARE`] the first term left out is below the last
/// bit.
const COSINE: [f64; 6] = [-1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40320.0, -1.0 / 3_628_800.0, 1.0 / 479_001_600.0];
/// Coefficients of sin √u/√u as a series in u, as exact as those of [`COSINE`].
const SINE: [f64; 7] =
    [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0, -1.0 / 39_916_800.0, 1.0 / 6_227_020_800.0];

impl Increment for Exponential {
    #[inline(always)]
    fn change<S: Simd>(self, simd: S, [a, b, c]: [S::f64s; 3], from: [S::f64s; 4]) -> [S::f64s; 4] {
        let square = square(simd, [a, b, c]);
        let inside = simd.less_than_or_equal_f64s(square, simd.splat_f64s(LARGEST_SQUARE));
        let sine = series(simd, &SINE, square);
        let sine = simd.select_f64s(inside, sine, simd.splat_f64s(f64::NAN));
        let missing = simd.mul_f64s(square, series(simd, &COSINE, square));
        let sines = [simd.mul_f64s(sine, a), simd.mul_f64s(sine, b), simd.mul_f64s(sine, c)];
        plus(simd, product(simd, sines, from), missing, from)
    }
}

/// Vectorised turn over the time h: input columns 1/J, angular momentum L and quaternion q, output columns the new q.
#[derive(Clone, Copy)]
struct Turned<I> {
    h: f64,
    increment: I,
}

impl<I: Increment> Lanes<8, 4> for Turned<I> {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, input: [S::f64s; 8], _: [S::f64s; 4]) -> [S::f64s; 4] {
        let [inverse_inertia, lx, ly, lz, w, x, y, z] = input;
        let scale = simd.mul_f64s(simd.splat_f64s(0.5 * self.h), inverse_inertia);
        let half_turn = [simd.mul_f64s(scale, lx), simd.mul_f64s(scale, ly), simd.mul_f64s(scale, lz)];
        restored(simd, [w, x, y, z], self.increment.change(simd, half_turn, [w, x, y, z]))
    }
}

/// Turns spheres by the formula `increment` over the time `h` (s); true if all results are finite. Results are NaN
/// where the formula does not hold.
pub(crate) fn turn(
    h: f64,
    increment: impl Increment,
    inverse_inertia: &[f64],
    [lx, ly, lz]: [&[f64]; 3],
    [w, x, y, z]: [&[f64]; 4],
    to: [&mut [f64]; 4],
) -> bool {
    lanes::apply(Turned { h, increment }, [inverse_inertia, lx, ly, lz, w, x, y, z], to)
}

#[inline(always)]
fn square<S: Simd>(simd: S, [a, b, c]: [S::f64s; 3]) -> S::f64s {
    simd.mul_add_f64s(a, a, simd.mul_add_f64s(b, b, simd.mul_f64s(c, c)))
}

/// Returns `change` + `part` q for the quaternion q = (w, x, y, z).
#[inline(always)]
fn plus<S: Simd>(simd: S, change: [S::f64s; 4], part: S::f64s, [w, x, y, z]: [S::f64s; 4]) -> [S::f64s; 4] {
    let [dw, dx, dy, dz] = change;
    let fma = |p, q, r| simd.mul_add_f64s(p, q, r);
    [fma(part, w, dw), fma(part, x, dx), fma(part, y, dy), fma(part, z, dz)]
}

/// Evaluates the polynomial with `coefficients`, constant term first, at the argument `at`.
#[inline(always)]
fn series<S: Simd>(simd: S, coefficients: &[f64], at: S::f64s) -> S::f64s {
    let mut sum = simd.splat_f64s(0.0);
    for &coefficient in coefficients.iter().rev() {
        sum = simd.mul_add_f64s(sum, at, simd.splat_f64s(coefficient));
    }
    sum
}

/// The quaternion product (0, v)∘q of the vector v = (a, b, c) and q = (w, x, y, z).
#[inline(always)]
fn product<S: Simd>(simd: S, [a, b, c]: [S::f64s; 3], [w, x, y, z]: [S::f64s; 4]) -> [S::f64s; 4] {
    let fma = |p, q, r| simd.mul_add_f64s(p, q, r);
    let na = simd.neg_f64s(a);
    let nb = simd.neg_f64s(b);
    let nc = simd.neg_f64s(c);
    [
        fma(na, x, fma(nb, y, simd.mul_f64s(nc, z))),
        fma(a, w, fma(b, z, simd.mul_f64s(nc, y))),
        fma(b, w, fma(c, x, simd.mul_f64s(na, z))),
        fma(c, w, fma(a, y, simd.mul_f64s(nb, x))),
    ]
}

/// Normalises q + δ, for the change δ of the quaternion q over a step. With n = |q + δ|² the normalising factor is 1/√n
/// = 1 + (1−n)/(n+√n) = (1+√n)/(n+√n). For small turns the result is q plus a small correction, so that q is rounded
/// once per step. For large turns that sum would cancel.
#[inline(always)]
fn restored<S: Simd>(simd: S, [w, x, y, z]: [S::f64s; 4], [dw, dx, dy, dz]: [S::f64s; 4]) -> [S::f64s; 4] {
    let fma = |p, q, r| simd.mul_add_f64s(p, q, r);
    let one = simd.splat_f64s(1.0);
    let tw = simd.add_f64s(w, dw);
    let tx = simd.add_f64s(x, dx);
    let ty = simd.add_f64s(y, dy);
    let tz = simd.add_f64s(z, dz);
    let n = fma(tw, tw, fma(tx, tx, fma(ty, ty, simd.mul_f64s(tz, tz))));
    let root = simd.sqrt_f64s(n);
    let excess = simd.sub_f64s(one, n);
    let reciprocal = simd.div_f64s(one, simd.add_f64s(n, root));
    let factor = simd.mul_f64s(excess, reciprocal);
    let summed = [
        simd.add_f64s(w, fma(factor, tw, dw)),
        simd.add_f64s(x, fma(factor, tx, dx)),
        simd.add_f64s(y, fma(factor, ty, dy)),
        simd.add_f64s(z, fma(factor, tz, dz)),
    ];
    let large = simd.greater_than_or_equal_f64s(simd.abs_f64s(excess), simd.splat_f64s(0.25));
    if simd.first_true_m64s(large) == S::F64_LANES {
        return summed;
    }
    // Rare. Only lanes with a large turn take the product, so that neighbours in a register do not affect each other.
    let scale = simd.mul_f64s(simd.add_f64s(one, root), reciprocal);
    let choose = |summed, total| simd.select_f64s(large, simd.mul_f64s(scale, total), summed);
    [choose(summed[0], tw), choose(summed[1], tx), choose(summed[2], ty), choose(summed[3], tz)]
}
