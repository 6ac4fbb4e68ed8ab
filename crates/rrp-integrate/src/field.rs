//! The fields that everyone needs: none, uniform gravity, a pivoted weight, sums of fields.

use rrp_geom::glam::DVec3;

use crate::{Bodies, FieldError, ForceField, Potential, State, Wrenches};

/// No force at all.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Free;

impl ForceField for Free {
    fn accumulate(&mut self, _: &Bodies, _: &State, _: f64, _: &mut Wrenches) -> Result<(), FieldError> {
        Ok(())
    }
}

impl Potential for Free {
    fn energy(&self, _: &Bodies, _: &State) -> f64 {
        0.0
    }
}

/// Uniform gravity: force m g on each body, potential −Σ m g·x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gravity {
    /// Acceleration g in m/s², world frame.
    pub acceleration: DVec3,
}

impl ForceField for Gravity {
    fn accumulate(&mut self, bodies: &Bodies, _: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        for (i, &mass) in bodies.mass().iter().enumerate() {
            out.force.add(i, mass * self.acceleration);
        }
        Ok(())
    }
}

impl Potential for Gravity {
    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        let pairs = bodies.mass().iter().zip(state.position().iter());
        -pairs.map(|(&mass, position)| mass * self.acceleration.dot(position)).sum::<f64>()
    }
}

/// A weight on a body that turns about a fixed pivot: the pendulum (39)-(40) of `[BG21]` and the heavy top.
///
/// U = −f·(R ρ) for each body, hence the torque (R ρ) × f and no force: the pivot, at the body's origin, carries it.
/// The moments of inertia of the body are those about the pivot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PivotedWeight {
    /// Arm ρ from the pivot to the point that the weight pulls at, in m, body frame.
    pub arm: DVec3,
    /// Weight f in N, world frame.
    pub weight: DVec3,
}

impl ForceField for PivotedWeight {
    fn accumulate(&mut self, _: &Bodies, state: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        for (i, attitude) in state.attitude().iter().enumerate() {
            out.torque.add(i, attitude.rotate(self.arm).cross(self.weight));
        }
        Ok(())
    }
}

impl Potential for PivotedWeight {
    fn energy(&self, _: &Bodies, state: &State) -> f64 {
        -state.attitude().iter().map(|attitude| attitude.rotate(self.arm).dot(self.weight)).sum::<f64>()
    }
}

/// Several fields acting together, evaluated in order: `Sum<dyn ForceField>` or, if each has an energy,
/// `Sum<dyn Potential>`.
pub struct Sum<F: ?Sized>(
    /// The fields.
    pub Vec<Box<F>>,
);

impl<F: ?Sized> std::fmt::Debug for Sum<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Sum of {} fields", self.0.len())
    }
}

impl<F: ForceField + ?Sized> ForceField for Sum<F> {
    fn accumulate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), FieldError> {
        self.0.iter_mut().try_for_each(|field| field.accumulate(bodies, state, elapsed, out))
    }

    fn commit(&mut self) {
        self.0.iter_mut().for_each(|field| field.commit());
    }
}

impl<F: Potential + ?Sized> Potential for Sum<F> {
    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        self.0.iter().map(|field| field.energy(bodies, state)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Body;
    use rrp_geom::Attitude;

    /// −dU along a small motion against the work of the wrenches.
    fn assert_gradient(field: &mut dyn Potential) {
        let bodies = Bodies::new([Body::sphere(2.0, 0.5), Body::spherical(3.0, 1.0)]).unwrap();
        let mut state = State::at_rest(2);
        state.position_mut().set(1, DVec3::new(0.3, -0.4, 1.0));
        state.attitude_mut().set(1, Attitude::from_rotation_vector(DVec3::new(0.5, 2.0, -1.0)).unwrap());
        let mut wrenches = Wrenches::zeros(2);
        field.accumulate(&bodies, &state, 0.0, &mut wrenches).unwrap();
        let step = 1e-6;
        for (i, axis) in [(0, DVec3::X), (0, DVec3::Z), (1, DVec3::Y), (1, DVec3::Z)] {
            let moved = |sign: f64| {
                let mut moved = state.clone();
                moved.position_mut().add(i, sign * step * axis);
                field.energy(&bodies, &moved)
            };
            let turned = |sign: f64| {
                let mut turned = state.clone();
                let rotation = Attitude::from_rotation_vector(sign * step * axis).unwrap();
                turned.attitude_mut().set(i, state.attitude().get(i).then(rotation));
                field.energy(&bodies, &turned)
            };
            let difference = |energy: &dyn Fn(f64) -> f64| (energy(-1.0) - energy(1.0)) / (2.0 * step);
            assert!((difference(&moved) - wrenches.force.get(i).dot(axis)).abs() < 1e-8);
            assert!((difference(&turned) - wrenches.torque.get(i).dot(axis)).abs() < 1e-8);
        }
    }

    #[test]
    fn wrenches_are_gradients_of_the_energy() {
        let gravity = Gravity { acceleration: DVec3::new(0.1, 0.2, -9.81) };
        let weight = PivotedWeight { arm: DVec3::new(0.1, 0.0, 1.0), weight: DVec3::new(0.0, 0.3, 2.0) };
        assert_gradient(&mut { gravity });
        assert_gradient(&mut { weight });
        assert_gradient(&mut Sum::<dyn Potential>(vec![Box::new(gravity), Box::new(Free), Box::new(weight)]));
    }
}
