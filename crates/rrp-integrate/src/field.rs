//! Force fields: the trait, and the fields that most programs need.
//!
//! [`ForceField`] is the interface between forces and steps, [`Potential`] adds an energy. [`NoForce`], [`Gravity`] and
//! [`PivotedWeight`] are fields, [`Both`] and [`Sum`] add fields up, and [`Blocked`] sets components of forces to zero.
//! The folder uses `body`, `column` and `kernel`, but no integrator.

pub(crate) mod blocked;
pub(crate) mod both;
pub(crate) mod force_field;
pub(crate) mod gravity;
pub(crate) mod no_force;
pub(crate) mod pivoted_weight;
pub(crate) mod sum;

pub use blocked::Blocked;
pub use both::Both;
pub use force_field::{ForceField, Potential};
pub use gravity::Gravity;
pub use no_force::NoForce;
pub use pivoted_weight::PivotedWeight;
pub use sum::Sum;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::bodies::Bodies;
    use crate::body::rigid_body::Body;
    use crate::body::state::State;
    use crate::body::wrenches::Wrenches;
    use rrp_geom::Attitude;
    use rrp_geom::glam::DVec3;

    /// Checks that forces and torques are the negative gradient of the energy, by central differences.
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
        assert_gradient(&mut Sum::<dyn Potential>(vec![Box::new(gravity), Box::new(NoForce), Box::new(weight)]));
        assert_gradient(&mut Both(gravity, weight));
    }
}
