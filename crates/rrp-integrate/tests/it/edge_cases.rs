//! Extreme states and fields: results are accurate, or errors.

use rrp_integrate::column::LoadColumn;

use crate::prelude::*;

fn spheres(n: usize) -> Bodies {
    Bodies::new(vec![Body::spherical(1.0, 1.0); n]).unwrap()
}

/// Near rest the momentum is as small as the rounding error of the torque, which depends on the attitude.
#[test]
fn implicit_26_converges_if_only_rounding_is_left() {
    let bodies = spheres(1);
    let weight = DVec3::new(0.3, -0.5, 0.8).normalize();
    for (phi, steps) in [(0.5, 20_000), (0.0, 5_000)] {
        let mut field = PivotedWeight { arm: DVec3::Z, weight };
        let mut map = ImplicitRodrigues::new(phi, 0.1).unwrap();
        let mut state = State::at_rest(1);
        for step in 0..steps {
            map.step(&bodies, &mut field, &mut state).unwrap_or_else(|error| panic!("φ = {phi}, step {step}: {error}"));
        }
        assert!(state.attitude().get(0).rotate(DVec3::Z).dot(weight) > 1.0 - 1e-12, "φ = {phi} comes to rest");
    }
}

#[test]
fn implicit_26_converges_far_from_the_origin() {
    for (stiffness, centre) in [(30.0, 10.0), (80.0, 1.0)] {
        let mut field = field(|_, state, out| {
            for (i, position) in state.position().iter().enumerate() {
                out.force.add(i, -stiffness * (position - centre * DVec3::X));
            }
            Ok(())
        });
        let mut map = ImplicitRodrigues::new(0.5, 0.1).unwrap();
        let mut state = State::at_rest(1);
        for step in 0..1000 {
            let taken = map.step(&spheres(1), &mut field, &mut state);
            taken.unwrap_or_else(|error| panic!("k = {stiffness}, step {step}: {error}"));
        }
    }
}

#[test]
fn quaternions_that_are_no_attitudes_are_never_turned() {
    let bodies = spheres(3);
    for quaternion in [DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0), DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)] {
        for map in MAPS {
            let mut state = State::at_rest(3);
            state.attitude_mut().set(1, Attitude::from_quaternion_unchecked(quaternion));
            let error = Explicit::new(map, 0.1).unwrap().step(&bodies, &mut NoForce, &mut state).unwrap_err();
            assert!(matches!(error, IntegrateError::InvalidAttitude { body: 1, .. }), "{map:?}: {error}");
        }
    }
}

#[test]
fn momenta_beyond_all_measure_turn_to_rotations_or_errors() {
    let bodies = spheres(3);
    for size in [1e10, 1e40, 1e77, 1e155, 1e200, 1e308] {
        for map in MAPS {
            let mut state = State::at_rest(3);
            state.angular_momentum_mut().set(2, DVec3::new(size, -0.3 * size, 0.7 * size));
            let before = state.clone();
            match Explicit::new(map, 0.1).unwrap().step(&bodies, &mut NoForce, &mut state) {
                Ok(_) => state.check(&bodies).unwrap_or_else(|error| panic!("{map:?}, |L| = {size:e}: {error}")),
                Err(error) => {
                    assert!(error.to_string().contains("body 2"), "{map:?}, |L| = {size:e}: {error}");
                    assert!(state == before);
                }
            }
        }
    }
}

#[test]
fn turning_alone_names_the_body() {
    let bodies = spheres(3);
    let from: AttitudeColumn = [Attitude::IDENTITY; 3].into_iter().collect();
    let mut to = from.clone();
    for turn in [Turn::Legendre, Turn::Cayley, Turn::Exponential, Turn::MoserVeselov, Turn::CayleySplitting] {
        let momentum: VectorColumn = [DVec3::ZERO, DVec3::ZERO, DVec3::splat(f64::NAN)].into_iter().collect();
        let error = turn.advance(0.1, &bodies, &momentum, &from, &mut to).unwrap_err();
        assert!(matches!(error, IntegrateError::StateNotFinite { body: 2, .. }), "{turn:?}: {error}");
    }
}

/// Around h|P| = 1 the vectorised check and the scalar one round differently, but must lead to one error.
#[test]
fn the_limit_of_23_has_one_error() {
    let bodies = spheres(1);
    for k in 0..2000 {
        let angle = f64::from(k);
        let direction = DVec3::new(angle.sin(), angle.cos(), (1.7 * angle).sin()).normalize();
        let mut state = State::at_rest(1);
        state.angular_momentum_mut().set(0, 10.0 * direction);
        match Explicit::new(Map::Rodrigues23, 0.1).unwrap().step(&bodies, &mut NoForce, &mut state) {
            Ok(_) | Err(IntegrateError::TurnTooLarge { body: 0, .. }) => {}
            Err(error) => panic!("{direction}: {error}"),
        }
    }
}

#[test]
fn wrenches_of_another_length_are_refused_and_forgotten() {
    let bodies = spheres(5);
    for (force, torque, column, found) in [(9, 5, "force", 9), (5, 8, "torque", 8), (4, 5, "force", 4)] {
        let integrators: [Box<dyn Integrator>; 2] = [
            Box::new(Explicit::new(Map::Rodrigues25, 0.1).unwrap()),
            Box::new(ImplicitRodrigues::new(0.5, 0.1).unwrap()),
        ];
        for mut integrator in integrators {
            let mut state = State::at_rest(5);
            let before = state.clone();
            let mut tamper = field(|_, _, out| {
                (out.force, out.torque) = (LoadColumn::zeros(force), LoadColumn::zeros(torque));
                Ok(())
            });
            let error = integrator.step(&bodies, &mut tamper, &mut state).unwrap_err();
            assert!(
                matches!(error, IntegrateError::LengthMismatch { column: c, expected: 5, found: f } if c == column && f == found),
                "{error}"
            );
            assert!(state == before);
            integrator.step(&bodies, &mut NoForce, &mut state).unwrap();
        }
    }
}

#[test]
fn a_refused_first_step_leaves_the_state_as_it_was() {
    let bodies = spheres(1);
    let mut gravity = Gravity { acceleration: DVec3::NEG_Z };
    let mut state = State::at_rest(1);
    state.set_spin(&bodies, 0, DVec3::X * 20.0);
    let before = state.clone();
    assert!(Explicit::new(Map::Rodrigues23, 0.1).unwrap().step(&bodies, &mut gravity, &mut state).is_err());
    assert!(state == before && state.wrenches().is_none());
}

#[test]
fn a_time_that_is_none_is_refused() {
    let mut state = State::at_rest(1);
    state.set_time(f64::NAN);
    assert!(matches!(state.check(&spheres(1)), Err(IntegrateError::TimeNotFinite { .. })));
}
