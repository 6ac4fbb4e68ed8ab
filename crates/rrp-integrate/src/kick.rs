//! The kick: forces change velocities, torques change angular momenta.

use pulp::Simd;

use crate::lanes::{self, Lanes};

/// v' = v + h F/m over the time h.
#[derive(Clone, Copy)]
struct Velocity {
    h: f64,
}

/// L' = L + h τ over the time h.
#[derive(Clone, Copy)]
struct Momentum {
    h: f64,
}

/// The last kick of a step and, by the same forces, the first one of the next.
#[derive(Clone, Copy)]
struct Twice<K>(K);

/// What a kick adds, magnified.
#[derive(Clone, Copy)]
struct Magnified<K>(K);

/// A number that is finite when magnified so much is below 2⁹⁶⁰. Half a unit in the last place of the largest number is 2⁹⁷⁰: the sum with a
/// finite number is finite whatever that is.
const MAGNIFIED: f64 = (1_u128 << 64) as f64;

/// Input: 1/m, F, v. Output: v'.
impl Lanes<7, 3> for Velocity {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, [im, fx, fy, fz, x, y, z]: [S::f64s; 7], _: [S::f64s; 3]) -> [S::f64s; 3] {
        add(simd, simd.mul_f64s(simd.splat_f64s(self.h), im), [fx, fy, fz], [x, y, z])
    }
}

/// Input: 1/m, F. Output: v twice kicked in place, v kicked once.
impl Lanes<4, 6> for Twice<Velocity> {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, [im, fx, fy, fz]: [S::f64s; 4], [x, y, z, ..]: [S::f64s; 6]) -> [S::f64s; 6] {
        twice(simd, simd.mul_f64s(simd.splat_f64s(self.0.h), im), [fx, fy, fz], [x, y, z])
    }
}

/// Input: 1/m, F. Output: v in place.
impl Lanes<4, 3> for Velocity {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, [im, fx, fy, fz]: [S::f64s; 4], velocity: [S::f64s; 3]) -> [S::f64s; 3] {
        add(simd, simd.mul_f64s(simd.splat_f64s(self.h), im), [fx, fy, fz], velocity)
    }
}

/// Input: τ, L. Output: L'.
impl Lanes<6, 3> for Momentum {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, [tx, ty, tz, x, y, z]: [S::f64s; 6], _: [S::f64s; 3]) -> [S::f64s; 3] {
        add(simd, simd.splat_f64s(self.h), [tx, ty, tz], [x, y, z])
    }
}

/// Input: τ. Output: L twice kicked in place, L kicked once.
impl Lanes<3, 6> for Twice<Momentum> {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, torque: [S::f64s; 3], [x, y, z, ..]: [S::f64s; 6]) -> [S::f64s; 6] {
        twice(simd, simd.splat_f64s(self.0.h), torque, [x, y, z])
    }
}

/// Input: τ. Output: L in place.
impl Lanes<3, 3> for Momentum {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, torque: [S::f64s; 3], momentum: [S::f64s; 3]) -> [S::f64s; 3] {
        add(simd, simd.splat_f64s(self.h), torque, momentum)
    }
}

/// Input: 1/m, F. Output: magnified.
impl Lanes<4, 3> for Magnified<Velocity> {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, [im, fx, fy, fz]: [S::f64s; 4], _: [S::f64s; 3]) -> [S::f64s; 3] {
        let factor = simd.mul_f64s(simd.splat_f64s(MAGNIFIED * self.0.h), im);
        [simd.mul_f64s(factor, fx), simd.mul_f64s(factor, fy), simd.mul_f64s(factor, fz)]
    }
}

/// Input: τ. Output: magnified.
impl Lanes<3, 3> for Magnified<Momentum> {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, [x, y, z]: [S::f64s; 3], _: [S::f64s; 3]) -> [S::f64s; 3] {
        let factor = simd.splat_f64s(MAGNIFIED * self.0.h);
        [simd.mul_f64s(factor, x), simd.mul_f64s(factor, y), simd.mul_f64s(factor, z)]
    }
}

/// `to` + `factor` · `what`.
#[inline(always)]
pub(crate) fn add<S: Simd>(simd: S, factor: S::f64s, [x, y, z]: [S::f64s; 3], to: [S::f64s; 3]) -> [S::f64s; 3] {
    [simd.mul_add_f64s(factor, x, to[0]), simd.mul_add_f64s(factor, y, to[1]), simd.mul_add_f64s(factor, z, to[2])]
}

/// `to` + 2 · `factor` · `what` and, on the way there, `to` + `factor` · `what`.
#[inline(always)]
fn twice<S: Simd>(simd: S, factor: S::f64s, what: [S::f64s; 3], to: [S::f64s; 3]) -> [S::f64s; 6] {
    let once = add(simd, factor, what, to);
    let [x, y, z] = add(simd, factor, what, once);
    [x, y, z, once[0], once[1], once[2]]
}

/// Kicks the velocities `from` over the time `h` into `to`; true if all is finite.
pub(crate) fn into(
    h: f64,
    inverse_mass: &[f64],
    [fx, fy, fz]: [&[f64]; 3],
    [vx, vy, vz]: [&[f64]; 3],
    to: [&mut [f64]; 3],
) -> bool {
    lanes::apply(Velocity { h }, [inverse_mass, fx, fy, fz, vx, vy, vz], to)
}

/// Kicks velocities over the time `h` where they are, has the outcome in `once`, and kicks them again; true if all is finite.
pub(crate) fn twice_in_place(
    h: f64,
    inverse_mass: &[f64],
    [fx, fy, fz]: [&[f64]; 3],
    [vx, vy, vz]: [&mut [f64]; 3],
    [x, y, z]: [&mut [f64]; 3],
) -> bool {
    lanes::apply(Twice(Velocity { h }), [inverse_mass, fx, fy, fz], [vx, vy, vz, x, y, z])
}

/// Whether a kick of velocities over the time `h` cannot lead from finite numbers to others.
pub(crate) fn is_small(h: f64, inverse_mass: &[f64], [fx, fy, fz]: [&[f64]; 3]) -> bool {
    lanes::are_finite(Magnified(Velocity { h }), [inverse_mass, fx, fy, fz])
}

/// Whether a kick of velocities over the time `h` leads to finite numbers.
pub(crate) fn leads_to_finite(h: f64, inverse_mass: &[f64], [fx, fy, fz]: [&[f64]; 3], [x, y, z]: [&[f64]; 3]) -> bool {
    lanes::are_finite(Velocity { h }, [inverse_mass, fx, fy, fz, x, y, z])
}

/// Kicks velocities over the time `h` where they are; true if all is finite.
pub(crate) fn in_place(h: f64, inverse_mass: &[f64], [fx, fy, fz]: [&[f64]; 3], velocity: [&mut [f64]; 3]) -> bool {
    lanes::apply(Velocity { h }, [inverse_mass, fx, fy, fz], velocity)
}

/// Kicks the angular momenta `from` over the time `h` into `to`; true if all is finite.
pub(crate) fn momentum_into(h: f64, [tx, ty, tz]: [&[f64]; 3], [lx, ly, lz]: [&[f64]; 3], to: [&mut [f64]; 3]) -> bool {
    lanes::apply(Momentum { h }, [tx, ty, tz, lx, ly, lz], to)
}

/// Kicks angular momenta over the time `h` where they are, has the outcome in `once`, and kicks them again; true if all is finite.
pub(crate) fn momentum_twice_in_place(
    h: f64,
    torque: [&[f64]; 3],
    [lx, ly, lz]: [&mut [f64]; 3],
    [x, y, z]: [&mut [f64]; 3],
) -> bool {
    lanes::apply(Twice(Momentum { h }), torque, [lx, ly, lz, x, y, z])
}

/// Whether a kick of angular momenta over the time `h` cannot lead from finite numbers to others.
pub(crate) fn is_small_momentum(h: f64, torque: [&[f64]; 3]) -> bool {
    lanes::are_finite(Magnified(Momentum { h }), torque)
}

/// Whether a kick of angular momenta over the time `h` leads to finite numbers.
pub(crate) fn leads_to_finite_momentum(h: f64, [tx, ty, tz]: [&[f64]; 3], [x, y, z]: [&[f64]; 3]) -> bool {
    lanes::are_finite(Momentum { h }, [tx, ty, tz, x, y, z])
}

/// Kicks angular momenta over the time `h` where they are; true if all is finite.
pub(crate) fn momentum_in_place(h: f64, torque: [&[f64]; 3], momentum: [&mut [f64]; 3]) -> bool {
    lanes::apply(Momentum { h }, torque, momentum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_kick_leads_to_finite_numbers_whatever_they_are() {
        let largest = [f64::MAX; 3];
        for (force, small) in [
            (0.0, true),
            (-1e280, true),
            (2.0_f64.powi(961), false),
            (f64::MAX, false),
            (f64::INFINITY, false),
            (f64::NAN, false),
        ] {
            // In the lanes and in what is left over.
            for (len, at) in [(1, 0), (16, 3), (17, 16)] {
                let (mut column, rest, inverse_mass) = (vec![0.0; len], vec![0.0; len], vec![4.0; len]);
                column[at] = force;
                let forces = [&rest[..], &column, &rest];
                assert_eq!(is_small(0.25, &inverse_mass, forces), small, "{force} of {len}");
                assert_eq!(is_small_momentum(1.0, forces), small, "{force} of {len}");
            }
            let [mut x, mut y, mut z] = largest;
            let to = [&mut x, &mut y, &mut z].map(std::slice::from_mut);
            assert!(!small || in_place(0.25, &[4.0], [&[force], &[force], &[force]], to), "{force}");
        }
        // A mass so small that a force of nothing at all is not sure to do nothing.
        assert!(!is_small(1.0, &[f64::MAX], [&[0.0]; 3]));
    }
}
