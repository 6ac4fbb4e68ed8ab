//! The turns (23b) and (25b) of `[BG21]` for many spheres at once.

use pulp::Simd;

use crate::kernel::lanes::{self, Lanes};

/// Δα = hP: half the increment is the quaternion (1, hP/2) up to its length.
#[derive(Clone, Copy)]
struct Cayley {
    h: f64,
}

/// Input: 1/J, L, q. Output: q'.
impl Lanes<8, 4> for Cayley {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, input: [S::f64s; 8], _: [S::f64s; 4]) -> [S::f64s; 4] {
        let [inverse_inertia, lx, ly, lz, w, x, y, z] = input;
        let scale = simd.mul_f64s(simd.splat_f64s(0.5 * self.h), inverse_inertia);
        let (a, b, c) = (simd.mul_f64s(scale, lx), simd.mul_f64s(scale, ly), simd.mul_f64s(scale, lz));
        restored(simd, [w, x, y, z], product(simd, [a, b, c], [w, x, y, z]))
    }
}

/// Δα = 2h/(1+s) P with s = √(1−h²|P|²): half the increment is the quaternion (1 − (1−s)/2, hP/2) up to its length.
#[derive(Clone, Copy)]
struct Legendre {
    h: f64,
}

/// Input: 1/J, L, q. Output: q', NaN where h|P| ≥ 1.
impl Lanes<8, 4> for Legendre {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, input: [S::f64s; 8], _: [S::f64s; 4]) -> [S::f64s; 4] {
        let [inverse_inertia, lx, ly, lz, w, x, y, z] = input;
        let quarter = simd.splat_f64s(0.25);
        let scale = simd.mul_f64s(simd.splat_f64s(0.5 * self.h), inverse_inertia);
        let (a, b, c) = (simd.mul_f64s(scale, lx), simd.mul_f64s(scale, ly), simd.mul_f64s(scale, lz));
        // (h|P|/2)², so that s/2 = √(1/4 − that).
        let sine_squared = simd.mul_add_f64s(a, a, simd.mul_add_f64s(b, b, simd.mul_f64s(c, c)));
        let half_cosine = simd.sqrt_f64s(simd.sub_f64s(quarter, sine_squared));
        let inside = simd.less_than_f64s(sine_squared, quarter);
        let missing = simd.sub_f64s(half_cosine, simd.splat_f64s(0.5));
        let missing = simd.select_f64s(inside, missing, simd.splat_f64s(f64::NAN));
        let [dw, dx, dy, dz] = product(simd, [a, b, c], [w, x, y, z]);
        let fma = |p, q, r| simd.mul_add_f64s(p, q, r);
        let change = [fma(missing, w, dw), fma(missing, x, dx), fma(missing, y, dy), fma(missing, z, dz)];
        restored(simd, [w, x, y, z], change)
    }
}

/// The largest (h|P|/2)² that the series of [`Exponential`] are made for: turns up to half a radian.
const LARGEST_SQUARE: f64 = 0.0625;

/// (cos √u − 1)/u and sin √u/√u as series in u; the first term left out is below the last bit.
const COSINE: [f64; 6] = [-1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40320.0, -1.0 / 3_628_800.0, 1.0 / 479_001_600.0];
const SINE: [f64; 7] =
    [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0, -1.0 / 39_916_800.0, 1.0 / 6_227_020_800.0];

/// The rotation by the vector hP: the increment is the quaternion (cos √u, sin √u/√u hP/2) with u = (h|P|/2)².
#[derive(Clone, Copy)]
struct Exponential {
    h: f64,
}

/// Input: 1/J, L, q. Output: q', NaN for larger turns than the series are made for.
impl Lanes<8, 4> for Exponential {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, input: [S::f64s; 8], _: [S::f64s; 4]) -> [S::f64s; 4] {
        let [inverse_inertia, lx, ly, lz, w, x, y, z] = input;
        let scale = simd.mul_f64s(simd.splat_f64s(0.5 * self.h), inverse_inertia);
        let (a, b, c) = (simd.mul_f64s(scale, lx), simd.mul_f64s(scale, ly), simd.mul_f64s(scale, lz));
        let square = simd.mul_add_f64s(a, a, simd.mul_add_f64s(b, b, simd.mul_f64s(c, c)));
        let inside = simd.less_than_or_equal_f64s(square, simd.splat_f64s(LARGEST_SQUARE));
        let sine = series(simd, &SINE, square);
        let sine = simd.select_f64s(inside, sine, simd.splat_f64s(f64::NAN));
        let missing = simd.mul_f64s(square, series(simd, &COSINE, square));
        let (a, b, c) = (simd.mul_f64s(sine, a), simd.mul_f64s(sine, b), simd.mul_f64s(sine, c));
        let [dw, dx, dy, dz] = product(simd, [a, b, c], [w, x, y, z]);
        let fma = |p, q, r| simd.mul_add_f64s(p, q, r);
        let change = [fma(missing, w, dw), fma(missing, x, dx), fma(missing, y, dy), fma(missing, z, dz)];
        restored(simd, [w, x, y, z], change)
    }
}

/// The polynomial with these coefficients.
#[inline(always)]
fn series<S: Simd>(simd: S, coefficients: &[f64], at: S::f64s) -> S::f64s {
    let mut sum = simd.splat_f64s(0.0);
    for &coefficient in coefficients.iter().rev() {
        sum = simd.mul_add_f64s(sum, at, simd.splat_f64s(coefficient));
    }
    sum
}

/// (0, v)∘q.
#[inline(always)]
fn product<S: Simd>(simd: S, [a, b, c]: [S::f64s; 3], [w, x, y, z]: [S::f64s; 4]) -> [S::f64s; 4] {
    let fma = |p, q, r| simd.mul_add_f64s(p, q, r);
    let (na, nb, nc) = (simd.neg_f64s(a), simd.neg_f64s(b), simd.neg_f64s(c));
    [
        fma(na, x, fma(nb, y, simd.mul_f64s(nc, z))),
        fma(a, w, fma(b, z, simd.mul_f64s(nc, y))),
        fma(b, w, fma(c, x, simd.mul_f64s(na, z))),
        fma(c, w, fma(a, y, simd.mul_f64s(nb, x))),
    ]
}

/// The unit quaternion along q + `change`.
///
/// With n = |q + δ|² the factor to unit length is 1/√n = 1 + (1−n)/(n+√n) = (1+√n)/(n+√n). For small turns q' is
/// made as q plus a small number, so that q is rounded once per step; for large ones that sum would cancel.
#[inline(always)]
fn restored<S: Simd>(simd: S, [w, x, y, z]: [S::f64s; 4], [dw, dx, dy, dz]: [S::f64s; 4]) -> [S::f64s; 4] {
    let fma = |p, q, r| simd.mul_add_f64s(p, q, r);
    let one = simd.splat_f64s(1.0);
    let (tw, tx, ty, tz) = (simd.add_f64s(w, dw), simd.add_f64s(x, dx), simd.add_f64s(y, dy), simd.add_f64s(z, dz));
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
    // Rare, and chosen body by body: the neighbours in the register keep their bits.
    let scale = simd.mul_f64s(simd.add_f64s(one, root), reciprocal);
    let choose = |summed, total| simd.select_f64s(large, simd.mul_f64s(scale, total), summed);
    [choose(summed[0], tw), choose(summed[1], tx), choose(summed[2], ty), choose(summed[3], tz)]
}

/// Turns all bodies of a leaf by (25b); true if all is finite.
pub(crate) fn cayley(
    h: f64,
    inverse_inertia: &[f64],
    [lx, ly, lz]: [&[f64]; 3],
    [w, x, y, z]: [&[f64]; 4],
    to: [&mut [f64]; 4],
) -> bool {
    lanes::apply(Cayley { h }, [inverse_inertia, lx, ly, lz, w, x, y, z], to)
}

/// Turns all bodies of a leaf by (23b); true if all is finite, which includes h|P| < 1.
pub(crate) fn legendre(
    h: f64,
    inverse_inertia: &[f64],
    [lx, ly, lz]: [&[f64]; 3],
    [w, x, y, z]: [&[f64]; 4],
    to: [&mut [f64]; 4],
) -> bool {
    lanes::apply(Legendre { h }, [inverse_inertia, lx, ly, lz, w, x, y, z], to)
}

/// Turns all bodies of a leaf by the rotation vectors hP. Those that turn by more than half a radian become NaN;
/// true if all is finite.
pub(crate) fn exponential(
    h: f64,
    inverse_inertia: &[f64],
    [lx, ly, lz]: [&[f64]; 3],
    [w, x, y, z]: [&[f64]; 4],
    to: [&mut [f64]; 4],
) -> bool {
    lanes::apply(Exponential { h }, [inverse_inertia, lx, ly, lz, w, x, y, z], to)
}
