use pulp::Simd;
use rrp_geom::glam::DVec3;
use rrp_parallel::for_each_part;

use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::body::wrenches::Wrenches;
use crate::error::FieldError;
use crate::field::force_field::{ForceField, Potential};
use crate::kernel::lanes::{self, Lanes};
use crate::leaves::leaves;

/// Uniform gravity: the force m g on each body that is not fixed, with the potential energy −Σ m g·x.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Gravity {
    /// Acceleration g of gravity in m/s², world frame.
    pub acceleration: DVec3,
}

/// Formula F + m g for the force on a body; a fixed body, whose mass is infinite, has no weight.
#[derive(Clone, Copy)]
struct Weight(Gravity);

impl Lanes<1, 3> for Weight {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, [mass]: [S::f64s; 1], [x, y, z]: [S::f64s; 3]) -> [S::f64s; 3] {
        let zero = simd.splat_f64s(0.0);
        let is_free = simd.less_than_f64s(mass, simd.splat_f64s(f64::INFINITY));
        let add = |force: S::f64s, g: f64| {
            let weight = simd.mul_f64s(mass, simd.splat_f64s(g));
            simd.add_f64s(force, simd.select_f64s(is_free, weight, zero))
        };
        let DVec3 { x: gx, y: gy, z: gz } = self.0.acceleration;
        [add(x, gx), add(y, gy), add(z, gz)]
    }
}

impl ForceField for Gravity {
    fn accumulate(&mut self, bodies: &Bodies, _: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        out.check_length(bodies.len())?;
        let columns = (out.force.slices_mut(), bodies.mass().piece());
        for_each_part(leaves(bodies.len()), columns, &|_, (force, mass)| {
            // No check for finite values here: the step checks all forces.
            lanes::apply(Weight(*self), [mass.leaf()], force);
        });
        Ok(())
    }
}

impl Potential for Gravity {
    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        let pairs = bodies.mass().iter().zip(state.position().iter());
        let pairs = pairs.filter(|(mass, _)| mass.is_finite());
        -pairs.map(|(&mass, position)| mass * self.acceleration.dot(position)).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::rigid_body::Body;

    #[test]
    fn each_body_gets_its_weight_however_many_there_are() {
        let mut gravity = Gravity { acceleration: DVec3::new(0.5, -2.0, -9.81) };
        for (count, masses) in [(3, 1), (3, 3), (40_001, 1), (40_001, 7)] {
            let mass = |i: usize| 1.0 + (i % masses) as f64;
            let is_fixed = |i: usize| masses > 1 && i % 5 == 1;
            let rows = (0..count).map(|i| if is_fixed(i) { Body::fixed(0.5) } else { Body::sphere(mass(i), 0.5) });
            let bodies = Bodies::new(rows).unwrap();
            let state = State::at_rest(count);
            let mut out = Wrenches::zeros(count);
            (0..2).for_each(|_| gravity.accumulate(&bodies, &state, 1.0, &mut out).unwrap());
            for i in 0..count {
                let weight = if is_fixed(i) { DVec3::ZERO } else { mass(i) * gravity.acceleration };
                assert_eq!(out.force.get(i), weight + weight, "body {i} of {count}");
            }
            for other in [1, count + 1] {
                assert!(gravity.accumulate(&bodies, &state, 1.0, &mut Wrenches::zeros(other)).is_err());
            }
        }
    }
}
