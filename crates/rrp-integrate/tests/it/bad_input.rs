//! Bad input: each error is the right one, and the state stays as it was.

use rrp_integrate::column::LoadColumn;

use crate::prelude::*;

/// Asserts that a value matches a pattern, and shows the value if it does not.
macro_rules! assert_matches {
    ($value:expr, $($pattern:tt)+) => {
        match $value {
            $($pattern)+ => {}
            other => panic!("not {}: {other:?}", stringify!($($pattern)+)),
        }
    };
}

const NOT_NUMBERS: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

#[test]
fn bodies_need_positive_masses_and_inertia_that_a_mass_distribution_can_have() {
    let refusal = |body: Body| Bodies::new([Body::sphere(1.0, 0.5), body]).unwrap_err();
    for wrong in NOT_NUMBERS.into_iter().chain([0.0, -0.0, -1.0, 1e-310]) {
        assert_matches!(refusal(Body { mass: wrong, ..Body::sphere(1.0, 1.0) }),
            IntegrateError::InvalidMass { body: 1, mass } if mass.to_bits() == wrong.to_bits());
        let flat = Body::rigid(1.0, DVec3::new(1.0, wrong, 1.0));
        assert_matches!(refusal(flat), IntegrateError::InvalidInertia { body: 1, .. });
    }
    for inertia in [DVec3::new(3.1, 1.0, 2.0), DVec3::new(1.0, 3.1, 2.0), DVec3::new(1.0, 2.0, 3.1)] {
        let error = refusal(Body::rigid(1.0, inertia));
        assert!(error.to_string().contains("3.1"), "{error}");
        assert_matches!(error, IntegrateError::InertiaTriangle { body: 1, .. });
    }
    for flat in [DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.1, 0.2, 0.1 + 0.2)] {
        assert!(Bodies::new([Body::rigid(1.0, flat)]).is_ok(), "a flat body is a body");
    }
    for radius in NOT_NUMBERS.into_iter().chain([-1.0]) {
        for body in [Body { radius, ..Body::sphere(1.0, 1.0) }, Body::fixed(radius)] {
            assert_matches!(refusal(body), IntegrateError::InvalidRadius { body: 1, .. });
        }
    }
}

#[test]
fn time_steps_are_positive_and_finite() {
    for dt in NOT_NUMBERS.into_iter().chain([0.0, -0.0, -0.1]) {
        let refusals = [
            Explicit::new(Map::Rodrigues25, dt).map(|_| ()),
            BodyFrameRodrigues::new(dt).map(|_| ()),
            ImplicitRodrigues::new(0.5, dt).map(|_| ()),
        ];
        for refusal in refusals {
            assert_matches!(refusal, Err(IntegrateError::InvalidTimeStep { dt: found }) if found.to_bits() == dt.to_bits());
        }
    }
}

#[test]
fn weights_lie_between_zero_and_one() {
    for weight in NOT_NUMBERS.into_iter().chain([-1e-9, 1.0 + 1e-9]) {
        assert_matches!(ImplicitRodrigues::new(weight, 0.1), Err(IntegrateError::InvalidWeight { .. }));
    }
    assert!(ImplicitRodrigues::new(0.0, 0.1).is_ok() && ImplicitRodrigues::new(1.0, 0.1).is_ok());
}

/// Returns the error of one step, after checking that the step has left the state unchanged.
fn refusal(method: Method, bodies: &Bodies, state: &mut State, h: f64) -> IntegrateError {
    let before = state.clone();
    let error = method.with_step(h).step(bodies, &mut NoForce, state).expect_err("this step cannot be taken");
    for (after, before) in [
        (state.position(), before.position()),
        (state.velocity(), before.velocity()),
        (state.angular_momentum(), before.angular_momentum()),
    ] {
        let equal = |(a, b): (&[f64], &[f64])| a.iter().map(|x| x.to_bits()).eq(b.iter().map(|x| x.to_bits()));
        assert!(after.slices().into_iter().zip(before.slices()).all(equal), "{method:?} wrote to the state");
    }
    assert!(state.attitude() == before.attitude() && state.time().to_bits() == before.time().to_bits());
    error
}

/// Name of a column, and a change that makes the column invalid.
type Spoiler = (&'static str, fn(&mut State));

#[test]
fn states_have_one_row_per_body() {
    let bodies = tethered(true).bodies;
    for method in ALL {
        let error = refusal(method, &bodies, &mut State::at_rest(2), 0.1);
        assert_matches!(error, IntegrateError::LengthMismatch { column: "position", expected: 1, found: 2 });
    }
}

/// Callers can replace a column as a whole, also by one of another length.
#[test]
fn states_have_columns_of_one_length() {
    let bodies = Bodies::new([Body::spherical(1.0, 1.0); 3]).unwrap();
    let replacements: [Spoiler; 4] = [
        ("position", |state| *state.position_mut() = VectorColumn::zeros(5)),
        ("attitude", |state| *state.attitude_mut() = AttitudeColumn::identity(2)),
        ("velocity", |state| *state.velocity_mut() = VectorColumn::zeros(5)),
        ("angular momentum", |state| *state.angular_momentum_mut() = VectorColumn::zeros(2)),
    ];
    for method in ALL {
        for (name, replace) in replacements {
            let mut state = State::at_rest(3);
            replace(&mut state);
            let error = refusal(method, &bodies, &mut state, 0.1);
            assert_matches!(error, IntegrateError::LengthMismatch { column, expected: 3, found: 2 | 5 } if column == name);
            assert!(state.check(&bodies).is_err(), "{name}");
        }
    }
}

#[test]
fn readers_of_states_can_ask_whether_columns_fit() {
    let spheres = Bodies::new([Body::sphere(1.0, 0.5); 2]).unwrap();
    let bricks = Bodies::new([Body::rigid(1.0, DVec3::new(1.0, 2.0, 2.5)); 2]).unwrap();
    assert!(State::at_rest(2).check_columns(&spheres).is_ok() && State::at_rest(2).check_columns(&bricks).is_ok());
    let bare = State::at_rest(2).without_attitudes();
    assert!(bare.check_columns(&spheres).is_ok());
    assert_matches!(bare.check_columns(&bricks), Err(IntegrateError::NoAttitudes));
    let mut short = State::at_rest(2);
    *short.attitude_mut() = AttitudeColumn::identity(1);
    assert_matches!(
        short.check_columns(&spheres),
        Err(IntegrateError::LengthMismatch { column: "attitude", expected: 2, found: 1 })
    );
    // `check_columns` reads no values.
    let mut lost = State::at_rest(2);
    lost.position_mut().set(0, DVec3::NAN);
    assert!(lost.check_columns(&spheres).is_ok());
    let wrenches = Wrenches { torque: LoadColumn::zeros(3), ..Wrenches::zeros(2) };
    assert_matches!(
        wrenches.check_length(2),
        Err(IntegrateError::LengthMismatch { column: "torque", expected: 2, found: 3 })
    );
}

#[test]
fn turns_need_columns_of_one_length() {
    let bodies = Bodies::new([Body::spherical(1.0, 1.0); 3]).unwrap();
    let lengths = [("angular momentum", [2, 3, 3]), ("attitude", [3, 4, 3]), ("turned attitude", [3, 3, 0])];
    for turn in [Turn::Legendre, Turn::Cayley, Turn::Exponential, Turn::MoserVeselov, Turn::CayleySplitting] {
        for (name, [momenta, from, to]) in lengths {
            let momenta = VectorColumn::zeros(momenta);
            let from = AttitudeColumn::identity(from);
            let mut to = AttitudeColumn::identity(to);
            let outcome = turn.advance(0.1, &bodies, &momenta, &from, &mut to);
            assert_matches!(outcome, Err(IntegrateError::LengthMismatch { column, expected: 3, .. }) if column == name);
        }
    }
}

#[test]
fn states_that_are_not_finite_are_refused_by_body_and_column() {
    let spoilers: [Spoiler; 3] = [
        ("position", |state| state.position_mut().set(1, DVec3::new(0.0, f64::NAN, 0.0))),
        ("velocity", |state| state.velocity_mut().set(1, DVec3::new(0.0, f64::INFINITY, 0.0))),
        ("angular momentum", |state| state.angular_momentum_mut().set(1, DVec3::new(f64::NAN, 0.0, 0.0))),
    ];
    for method in ALL {
        let body = Vec::from(tethered(!method.takes_any_shape()).bodies)[0];
        let bodies = Bodies::new([body; 3]).unwrap();
        for (name, spoil) in spoilers {
            let mut state = Random(19).state(3);
            spoil(&mut state);
            let error = refusal(method, &bodies, &mut state, 0.1);
            assert_matches!(error, IntegrateError::StateNotFinite { column, body: 1, .. } if column == name);
        }
    }
}

#[test]
fn maps_for_spheres_refuse_other_shapes() {
    let shape = DVec3::new(1.0, 2.0, 2.5);
    let bodies = Bodies::new([Body::spherical(1.0, 1.0), Body::rigid(1.0, shape)]).unwrap();
    assert_matches!(bodies.check_spherical(), Err(IntegrateError::NotSpherical { body: 1, .. }));
    assert!(Bodies::new([Body::sphere(2.0, 0.3)]).unwrap().check_spherical().is_ok());
    for method in ALL.into_iter().filter(|method| !method.takes_any_shape()) {
        let error = refusal(method, &bodies, &mut State::at_rest(2), 0.1);
        assert_matches!(error, IntegrateError::NotSpherical { body: 1, inertia } if inertia == shape);
    }
}

#[test]
fn legendre_maps_name_the_body_that_turns_too_far_and_the_step_it_could_take() {
    let bodies = Bodies::new([Body::spherical(1.0, 2.0); 3]).unwrap();
    for method in [RODRIGUES_23, Method::BodyFrame] {
        let mut state = State::at_rest(3);
        state.set_spin(&bodies, 2, DVec3::new(0.0, 6.0, 8.0));
        let error = refusal(method, &bodies, &mut state, 0.2);
        assert_matches!(error, IntegrateError::TurnTooLarge { body: 2, turn, dt_limit }
            if (turn - 2.0).abs() < 1e-14 && (dt_limit - 0.1).abs() < 1e-15);
        // A turn of h|P| = 1 is refused, any smaller one accepted.
        refusal(method, &bodies, &mut state, 0.1);
        assert!(method.with_step(0.1 * (1.0 - 1e-12)).step(&bodies, &mut NoForce, &mut state).is_ok());
    }
}

/// With a stiff torsion spring and a step far beyond 1/ω, the fixed-point iteration diverges, but bounded torques keep
/// all values finite.
#[test]
fn implicit_26_reports_that_it_did_not_converge() {
    let mut state = State::at_rest(2);
    state.position_mut().set(1, DVec3::X);
    state.attitude_mut().set(1, Random(31).attitude());
    let bodies = Bodies::new([Body::spherical(1.0, 1.0); 2]).unwrap();
    let before = bits(&state);
    let mut torsion = field(|_, state, out| {
        let angle = state.attitude().get(0).inverse().then(state.attitude().get(1)).to_rotation_vector();
        [1e3, -1e3].into_iter().enumerate().for_each(|(i, stiffness)| out.torque.add(i, stiffness * angle));
        Ok(())
    });
    let mut step = |h: f64| Method::Implicit(0.0).with_step(h).step(&bodies, &mut torsion, &mut state);
    let failed = step(0.2);
    assert_matches!(failed, Err(IntegrateError::NotConverged { body: 0 | 1, iterations, residual })
        if iterations > 100 && residual > 1e-3);
    assert!(step(0.01).is_ok());
    assert_ne!(bits(&state), before);
}

/// Programs print an error and then its sources: the message of a field's error must occur once.
#[test]
fn a_chain_of_sources_tells_the_error_of_a_field_once() {
    for wrap in [IntegrateError::Field, IntegrateError::Method] {
        let error = wrap(IntegrateError::NoAttitudes.into());
        let first: &dyn std::error::Error = &error;
        let told: Vec<String> =
            std::iter::successors(Some(first), |error| error.source()).map(ToString::to_string).collect();
        assert_eq!(told, [IntegrateError::NoAttitudes.to_string()]);
        let (IntegrateError::Field(cause) | IntegrateError::Method(cause)) = error else { panic!("{error}") };
        assert!(matches!(cause.downcast_ref(), Some(IntegrateError::NoAttitudes)));
    }
}
