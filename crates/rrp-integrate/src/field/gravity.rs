//! Uniform gravity.

use rrp_geom::glam::DVec3;

use crate::{Bodies, FieldError, ForceField, Potential, State, Wrenches, par};

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
        par::all_leaves((out.force.slices_mut(), bodies.mass().piece()), &|([x, y, z], mass)| {
            for (((x, y), z), &mass) in x.iter_mut().zip(y).zip(z).zip(mass.leaf()) {
                let weight = weight(mass);
                *x += weight.x;
                *y += weight.y;
                *z += weight.z;
            }
            true
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
