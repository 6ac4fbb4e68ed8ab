//! Uniform gravity.

use rrp_geom::glam::DVec3;

use crate::{Bodies, FieldError, ForceField, Potential, State, Wrenches};

/// Uniform gravity: force m g on each body that is not fixed, potential −Σ m g·x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gravity {
    /// Acceleration g in m/s², world frame.
    pub acceleration: DVec3,
}

impl ForceField for Gravity {
    fn accumulate(&mut self, bodies: &Bodies, _: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        // Chosen, not jumped to: who is fixed gets nothing.
        let weight = |mass: f64| if mass.is_finite() { mass * self.acceleration } else { DVec3::ZERO };
        let [x, y, z] = out.force.slices_mut();
        let forces = x.iter_mut().zip(y).zip(z);
        let add = |((x, y), z): ((&mut f64, &mut f64), &mut f64), weight: DVec3| {
            *x += weight.x;
            *y += weight.y;
            *z += weight.z;
        };
        if let Some(masses) = bodies.mass().slice() {
            forces.zip(masses).for_each(|(force, &mass)| add(force, weight(mass)));
        } else if let Some(mass) = bodies.mass().uniform() {
            forces.for_each(|force| add(force, weight(mass)));
        }
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
