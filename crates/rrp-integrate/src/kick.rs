//! The kick: forces change velocities, torques change angular momenta.

use pulp::Simd;

use crate::lanes::{self, Lanes};

/// v' = v + h F/m and L' = L + h τ over the time h.
#[derive(Clone, Copy)]
struct Kick {
    h: f64,
}

/// Input: 1/m, F, τ, v, L. Output: v', L'.
impl Lanes<13, 6> for Kick {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, input: [S::f64s; 13], _: [S::f64s; 6]) -> [S::f64s; 6] {
        let [inverse_mass, fx, fy, fz, tx, ty, tz, vx, vy, vz, lx, ly, lz] = input;
        kick(simd, self.h, inverse_mass, [fx, fy, fz], [tx, ty, tz], [vx, vy, vz, lx, ly, lz])
    }
}

/// Input: 1/m, F, τ. Output: v and L in place.
impl Lanes<7, 6> for Kick {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, input: [S::f64s; 7], motion: [S::f64s; 6]) -> [S::f64s; 6] {
        let [inverse_mass, fx, fy, fz, tx, ty, tz] = input;
        kick(simd, self.h, inverse_mass, [fx, fy, fz], [tx, ty, tz], motion)
    }
}

#[inline(always)]
fn kick<S: Simd>(
    simd: S,
    h: f64,
    inverse_mass: S::f64s,
    force: [S::f64s; 3],
    torque: [S::f64s; 3],
    [vx, vy, vz, lx, ly, lz]: [S::f64s; 6],
) -> [S::f64s; 6] {
    let h = simd.splat_f64s(h);
    let h_over_m = simd.mul_f64s(h, inverse_mass);
    let [fx, fy, fz] = force;
    let [tx, ty, tz] = torque;
    [
        simd.mul_add_f64s(h_over_m, fx, vx),
        simd.mul_add_f64s(h_over_m, fy, vy),
        simd.mul_add_f64s(h_over_m, fz, vz),
        simd.mul_add_f64s(h, tx, lx),
        simd.mul_add_f64s(h, ty, ly),
        simd.mul_add_f64s(h, tz, lz),
    ]
}

/// Kicks `from` over the time `h` into `to`; true if all is finite.
pub(crate) fn into(
    h: f64,
    inverse_mass: &[f64],
    [[fx, fy, fz], [tx, ty, tz]]: [[&[f64]; 3]; 2],
    [[vx, vy, vz], [lx, ly, lz]]: [[&[f64]; 3]; 2],
    [[ox, oy, oz], [px, py, pz]]: [[&mut [f64]; 3]; 2],
) -> bool {
    let input = [inverse_mass, fx, fy, fz, tx, ty, tz, vx, vy, vz, lx, ly, lz];
    lanes::apply(Kick { h }, input, [ox, oy, oz, px, py, pz])
}

/// Kicks velocities and angular momenta over the time `h` where they are; true if all is finite.
pub(crate) fn in_place(
    h: f64,
    inverse_mass: &[f64],
    [[fx, fy, fz], [tx, ty, tz]]: [[&[f64]; 3]; 2],
    [[vx, vy, vz], [lx, ly, lz]]: [[&mut [f64]; 3]; 2],
) -> bool {
    let input = [inverse_mass, fx, fy, fz, tx, ty, tz];
    lanes::apply(Kick { h }, input, [vx, vy, vz, lx, ly, lz])
}
