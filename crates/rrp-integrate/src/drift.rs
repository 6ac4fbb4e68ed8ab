//! The drift: positions move at constant velocity.

use pulp::Simd;

use crate::lanes::{self, Lanes};

/// x' = x + h V.
#[derive(Clone, Copy)]
struct Drift {
    h: f64,
}

/// Input: x, V. Output: x'.
impl Lanes<6, 3> for Drift {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, [x, y, z, vx, vy, vz]: [S::f64s; 6], _: [S::f64s; 3]) -> [S::f64s; 3] {
        let h = simd.splat_f64s(self.h);
        [simd.mul_add_f64s(h, vx, x), simd.mul_add_f64s(h, vy, y), simd.mul_add_f64s(h, vz, z)]
    }
}

/// Moves `from` over the time `h` to `to`; true if all is finite.
pub(crate) fn into(h: f64, [x, y, z]: [&[f64]; 3], [vx, vy, vz]: [&[f64]; 3], to: [&mut [f64]; 3]) -> bool {
    lanes::apply(Drift { h }, [x, y, z, vx, vy, vz], to)
}
