//! The kick: forces change velocities, torques change angular momenta.

use pulp::Simd;

use crate::kernel::lanes::{self, Lanes};

/// Formula v' = v + h F/m of a kick of velocities by forces over the time h.
#[derive(Clone, Copy)]
struct Velocity {
    h: f64,
}

/// Formula L' = L + h τ of a kick of angular momenta by torques over the time h.
#[derive(Clone, Copy)]
struct Momentum {
    h: f64,
}

/// Kick of velocities v by forces F into other columns: input columns 1/m (m mass), F and v, output columns v'.
impl Lanes<7, 3> for Velocity {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, [im, fx, fy, fz, x, y, z]: [S::f64s; 7], _: [S::f64s; 3]) -> [S::f64s; 3] {
        add(simd, simd.mul_f64s(simd.splat_f64s(self.h), im), [fx, fy, fz], [x, y, z])
    }
}

/// Kick of velocities v by forces F in place: input columns 1/m (m mass) and F, output columns v.
impl Lanes<4, 3> for Velocity {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, [im, fx, fy, fz]: [S::f64s; 4], velocity: [S::f64s; 3]) -> [S::f64s; 3] {
        add(simd, simd.mul_f64s(simd.splat_f64s(self.h), im), [fx, fy, fz], velocity)
    }
}

/// Kick of angular momenta L by torques τ into other columns: input columns τ and L, output columns L'.
impl Lanes<6, 3> for Momentum {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, [tx, ty, tz, x, y, z]: [S::f64s; 6], _: [S::f64s; 3]) -> [S::f64s; 3] {
        add(simd, simd.splat_f64s(self.h), [tx, ty, tz], [x, y, z])
    }
}

/// Kick of angular momenta L by torques τ in place: input columns τ, output columns L.
impl Lanes<3, 3> for Momentum {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, torque: [S::f64s; 3], momentum: [S::f64s; 3]) -> [S::f64s; 3] {
        add(simd, simd.splat_f64s(self.h), torque, momentum)
    }
}

/// Returns the vector `to` + `factor` · (x, y, z) for each body of a vector register.
#[inline(always)]
pub(crate) fn add<S: Simd>(simd: S, factor: S::f64s, [x, y, z]: [S::f64s; 3], to: [S::f64s; 3]) -> [S::f64s; 3] {
    [simd.mul_add_f64s(factor, x, to[0]), simd.mul_add_f64s(factor, y, to[1]), simd.mul_add_f64s(factor, z, to[2])]
}

/// Kicks velocities by forces over the time `h` (s) into `to`; true if all results are finite.
pub(crate) fn velocities(
    h: f64,
    inverse_mass: &[f64],
    [fx, fy, fz]: [&[f64]; 3],
    [vx, vy, vz]: [&[f64]; 3],
    to: &mut [&mut [f64]; 3],
) -> bool {
    lanes::apply(Velocity { h }, [inverse_mass, fx, fy, fz, vx, vy, vz], to.each_mut().map(|column| &mut **column))
}

/// Kicks velocities by forces over the time `h` (s) in place; true if all results are finite.
pub(crate) fn velocities_in_place(
    h: f64,
    inverse_mass: &[f64],
    [fx, fy, fz]: [&[f64]; 3],
    velocity: [&mut [f64]; 3],
) -> bool {
    lanes::apply(Velocity { h }, [inverse_mass, fx, fy, fz], velocity)
}

/// Kicks the angular momenta `from` by torques over the time `h` (s) into `to`; true if all results are finite.
pub(crate) fn momenta(h: f64, torque: [&[f64]; 3], from: [&[f64]; 3], to: &mut [&mut [f64]; 3]) -> bool {
    let ([tx, ty, tz], [lx, ly, lz]) = (torque, from);
    lanes::apply(Momentum { h }, [tx, ty, tz, lx, ly, lz], to.each_mut().map(|column| &mut **column))
}

/// Kicks angular momenta by torques over the time `h` (s) in place; true if all results are finite.
pub(crate) fn momenta_in_place(h: f64, torque: [&[f64]; 3], momentum: [&mut [f64]; 3]) -> bool {
    lanes::apply(Momentum { h }, torque, momentum)
}
