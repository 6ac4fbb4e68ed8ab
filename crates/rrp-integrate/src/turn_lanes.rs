//! The turns (23b) and (25b) of [BG21] for many spheres at once.

use pulp::Simd;

use crate::lanes::{self, Lanes};

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
        let half = [simd.mul_f64s(scale, lx), simd.mul_f64s(scale, ly), simd.mul_f64s(scale, lz)];
        turned(simd, half, [w, x, y, z], [w, x, y, z])
    }
}

/// Δα = 2h/(1+s) P with s = √(1−h²|P|²): half the increment is the quaternion (1+s, hP) up to its length.
#[derive(Clone, Copy)]
struct Legendre {
    h: f64,
}

/// Input: 1/J, L, q. Output: q', NaN where h|P| ≥ 1.
impl Lanes<8, 4> for Legendre {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, input: [S::f64s; 8], _: [S::f64s; 4]) -> [S::f64s; 4] {
        let [inverse_inertia, lx, ly, lz, w, x, y, z] = input;
        let one = simd.splat_f64s(1.0);
        let scale = simd.mul_f64s(simd.splat_f64s(self.h), inverse_inertia);
        let (a, b, c) = (simd.mul_f64s(scale, lx), simd.mul_f64s(scale, ly), simd.mul_f64s(scale, lz));
        let sine_squared = simd.mul_add_f64s(a, a, simd.mul_add_f64s(b, b, simd.mul_f64s(c, c)));
        let cosine = simd.sqrt_f64s(simd.sub_f64s(one, sine_squared));
        let inside = simd.less_than_f64s(sine_squared, one);
        let first = simd.select_f64s(inside, simd.add_f64s(one, cosine), simd.splat_f64s(f64::NAN));
        let scaled =
            [simd.mul_f64s(first, w), simd.mul_f64s(first, x), simd.mul_f64s(first, y), simd.mul_f64s(first, z)];
        turned(simd, [a, b, c], [w, x, y, z], scaled)
    }
}

/// The unit quaternion along (s, v)∘q, given v, q and s q.
#[inline(always)]
fn turned<S: Simd>(simd: S, [a, b, c]: [S::f64s; 3], [w, x, y, z]: [S::f64s; 4], scaled: [S::f64s; 4]) -> [S::f64s; 4] {
    let fma = |p, q, r| simd.mul_add_f64s(p, q, r);
    let (na, nb, nc) = (simd.neg_f64s(a), simd.neg_f64s(b), simd.neg_f64s(c));
    let [sw, sx, sy, sz] = scaled;
    let (w, x, y, z) = (
        fma(na, x, fma(nb, y, fma(nc, z, sw))),
        fma(a, w, fma(b, z, fma(nc, y, sx))),
        fma(b, w, fma(c, x, fma(na, z, sy))),
        fma(c, w, fma(a, y, fma(nb, x, sz))),
    );
    let norm_squared = fma(w, w, fma(x, x, fma(y, y, simd.mul_f64s(z, z))));
    let scale = simd.div_f64s(simd.splat_f64s(1.0), simd.sqrt_f64s(norm_squared));
    [simd.mul_f64s(scale, w), simd.mul_f64s(scale, x), simd.mul_f64s(scale, y), simd.mul_f64s(scale, z)]
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
