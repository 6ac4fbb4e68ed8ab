//! Tests of implicit steps that fail: a failed step changes nothing, and the error names the cause.

use dem_contact::error::{StepError, StepFailure};

use crate::implicit_solver::{Map, heap, hooke};
use crate::prelude::*;

#[test]
fn a_body_that_would_go_round_is_named() {
    let (bodies, mut state, mut map) = heap(60, hooke(6.0), Frictionless, 1e-2);
    state.velocity_mut().set(17, DVec3::new(1e3, 0.0, 0.0));
    let before = bits(&state);
    let error = cause(map.step(&bodies, &mut NoForce, &mut state).unwrap_err());
    let DemError::Step(StepError::StepTooFar { body: 17, travel, limit, .. }) = error else { panic!("{error}") };
    // The error is that of the last trial of the search for a point that can be reached.
    assert!((limit..6.0).contains(&travel) && bits(&state) == before, "{travel} {limit}");
}

#[test]
fn a_failed_step_changes_nothing_and_says_why() {
    let (bodies, mut state, mut map) = heap(200, hooke(4.0), CoulombViscous::new(5.0, 0.4).unwrap(), 1e-2);
    run(&mut map, &bodies, &mut NoForce, &mut state, 5, |_| ()).unwrap();
    let before = bits(&state);
    let mut other = state.clone();
    let mut untouched = map.clone();
    // Too few iterations, from a state that moves far enough for another list.
    for i in 0..200 {
        state.velocity_mut().add(i, DVec3::new(8.0 * (i % 2) as f64, 0.0, 0.0));
    }
    let fast = bits(&state);
    let limited = NewtonOptions { max_iterations: 1, ..NewtonOptions::default() };
    let mut failing = map.clone().with_options(limited).unwrap();
    let error = cause(failing.step(&bodies, &mut NoForce, &mut state).unwrap_err());
    let reason = StepFailure::IterationLimit;
    assert_matches!(error, DemError::Step(StepError::StepNotSolved { residual, iterations: 1, reason: found, .. })
        if residual > 0.0 && found == reason);
    assert!(failing.last_report().lists > 0 && bits(&state) == fast);
    // A field that fails after the solve.
    let fail = &mut Fails(1);
    assert!(map.step(&bodies, fail, &mut state).is_err() && bits(&state) == fast);
    // Both runs continue as if no step had failed.
    for failed in [failing.with_options(NewtonOptions::default()).unwrap(), map] {
        let mut failed = failed;
        let mut state = other.clone();
        let mut fresh = untouched.clone();
        assert!(bits(&state) == before);
        run(&mut failed, &bodies, &mut NoForce, &mut state, 5, |_| ()).unwrap();
        let mut reference = other.clone();
        run(&mut fresh, &bodies, &mut NoForce, &mut reference, 5, |_| ()).unwrap();
        assert!(bits(&state) == bits(&reference));
    }
    untouched.step(&bodies, &mut NoForce, &mut other).unwrap();
}

#[test]
fn bad_input_is_refused() {
    let contacts = || open(hooke(0.0), Frictionless);
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_matches!(Map::new(contacts(), dt), Err(DemError::Integrate(_)));
    }
    for alpha in [-0.1, 1.1, f64::NAN] {
        for form in [DiscreteForm::Paper { alpha }, DiscreteForm::MarsdenWest { alpha }] {
            let error = Map::new(contacts(), 1.0).unwrap().with_form(form).unwrap_err();
            assert!(error.to_string().contains("alpha"), "{error}");
        }
    }
    for tolerance in [0.0, -1.0, f64::NAN] {
        let options = NewtonOptions::default().with_tolerance(tolerance);
        assert!(Map::new(contacts(), 1.0).unwrap().with_options(options).is_err());
    }
    // States: not finite, of other bodies, too deep, behind a wall.
    let (bodies, good) = spheres(&[DVec3::ZERO, DVec3::X]);
    let step = |bodies: &Bodies, state: &State, contacts: ContactForce| {
        let (mut state, before) = (state.clone(), bits(state));
        let outcome = Map::new(contacts, 1e-3).unwrap().step(bodies, &mut NoForce, &mut state);
        assert!(outcome.is_ok() || bits(&state) == before);
        outcome.map(|_| ())
    };
    assert!(step(&bodies, &good, contacts()).is_ok());
    for column in [0, 1] {
        let mut state = good.clone();
        if column == 0 {
            state.position_mut().set(1, DVec3::new(f64::NAN, 0.0, 0.0));
        } else {
            state.velocity_mut().set(1, DVec3::new(0.0, f64::INFINITY, 0.0));
        }
        assert!(step(&bodies, &state, contacts()).is_err(), "column {column}");
    }
    let (three, _) = spheres(&[DVec3::ZERO; 3]);
    assert_matches!(step(&three, &good, contacts()), Err(IntegrateError::LengthMismatch { .. }));
    let (_, deep) = spheres(&[DVec3::ZERO, DVec3::X * 0.2]);
    let error = cause(step(&bodies, &deep, contacts()).unwrap_err());
    assert_matches!(error, DemError::Contact(ContactError::OverlapTooLarge { bodies: [0, 1], .. }));
    let walled = contacts().with_walls([Wall::plane(DVec3::X * 1.8, DVec3::X)]).unwrap();
    let error = cause(step(&bodies, &good, walled).unwrap_err());
    assert_matches!(error, DemError::Contact(ContactError::BehindWall { .. }));
    let rigid = Bodies::new([Body::rigid(1.0, DVec3::new(1.0, 1.0, 1.5)); 2]).unwrap();
    assert_matches!(step(&rigid, &good, contacts()), Err(IntegrateError::NotSpherical { .. }));
    let mut tied = Map::new(contacts(), 1e-3).unwrap().with_ties(Ties::new(Domain::OPEN, 3, [[0, 2]], 1.0).unwrap());
    assert!(tied.step(&bodies, &mut NoForce, &mut good.clone()).is_err());
}
