use pulp::Simd;

use crate::kernel::lanes::{self, Lanes};

#[derive(Clone, Copy)]
struct Velocity {
    h: f64,
}

#[derive(Clone, Copy)]
struct Momentum {
    h: f64,
}

/// Kick v' = v + h F/m into other columns: input columns 1/m, F and v, output columns v'.
impl Lanes<7, 3> for Velocity {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, [im, fx, fy, fz, x, y, z]: [S::f64s; 7], _: [S::f64s; 3]) -> [S::f64s; 3] {
        add(simd, simd.mul_f64s(simd.splat_f64s(self.h), im), [fx, fy, fz], [x, y, z])
    }
}

/// Kick v ← v + h F/m in place: input columns 1/m and F, output columns v.
impl Lanes<4, 3> for Velocity {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, [im, fx, fy, fz]: [S::f64s; 4], velocity: [S::f64s; 3]) -> [S::f64s; 3] {
        add(simd, simd.mul_f64s(simd.splat_f64s(self.h), im), [fx, fy, fz], velocity)
    }
}

/// Kick L' = L + h τ into other columns: input columns τ and L, output columns L'.
impl Lanes<6, 3> for Momentum {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, [tx, ty, tz, x, y, z]: [S::f64s; 6], _: [S::f64s; 3]) -> [S::f64s; 3] {
        add(simd, simd.splat_f64s(self.h), [tx, ty, tz], [x, y, z])
    }
}

/// Kick L ← L + h τ in place: input columns τ, output columns L.
impl Lanes<3, 3> for Momentum {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, torque: [S::f64s; 3], momentum: [S::f64s; 3]) -> [S::f64s; 3] {
        add(simd, simd.splat_f64s(self.h), torque, momentum)
    }
}

#[inline(always)]
pub(crate) fn add<S: Simd>(simd: S, factor: S::f64s, [x, y, z]: [S::f64s; 3], to: [S::f64s; 3]) -> [S::f64s; 3] {
    [simd.mul_add_f64s(factor, x, to[0]), simd.mul_add_f64s(factor, y, to[1]), simd.mul_add_f64s(factor, z, to[2])]
}

/// Computes velocities v' = v + h F/m over the time `h` (s) into `to`; true if all results are finite.
pub(crate) fn velocities(
    h: f64,
    inverse_mass: &[f64],
    [fx, fy, fz]: [&[f64]; 3],
    [vx, vy, vz]: [&[f64]; 3],
    to: &mut [&mut [f64]; 3],
) -> bool {
    lanes::apply(Velocity { h }, [inverse_mass, fx, fy, fz, vx, vy, vz], to.each_mut().map(|column| &mut **column))
}

/// Adds h F/m to velocities in place, for the time `h` (s); true if all results are finite.
pub(crate) fn velocities_in_place(
    h: f64,
    inverse_mass: &[f64],
    [fx, fy, fz]: [&[f64]; 3],
    velocity: [&mut [f64]; 3],
) -> bool {
    lanes::apply(Velocity { h }, [inverse_mass, fx, fy, fz], velocity)
}

/// Computes angular momenta L' = L + h τ over the time `h` (s) into `to`; true if all results are finite.
pub(crate) fn momenta(h: f64, torque: [&[f64]; 3], from: [&[f64]; 3], to: &mut [&mut [f64]; 3]) -> bool {
    let ([tx, ty, tz], [lx, ly, lz]) = (torque, from);
    lanes::apply(Momentum { h }, [tx, ty, tz, lx, ly, lz], to.each_mut().map(|column| &mut **column))
}

/// Adds h τ to angular momenta in place, for the time `h` (s); true if all results are finite.
pub(crate) fn momenta_in_place(h: f64, torque: [&[f64]; 3], momentum: [&mut [f64]; 3]) -> bool {
    lanes::apply(Momentum { h }, torque, momentum)
}
