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
        for (i, &mass) in bodies.mass().iter().enumerate() {
            if mass.is_finite() {
                out.force.add(i, mass * self.acceleration);
            }
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
