//! Tests that bits are the same for any number of threads, after a restart, after reading, and after a failed step.

use crate::prelude::*;

const DT: f64 = 2e-3;

/// Makes grains with friction springs between walls, with a ledger.
fn bed(count: usize) -> (Bodies, State, ContactForce) {
    let damping = Damping::restitution(0.8).unwrap();
    let law = Hertz::new(2e4, damping).unwrap();
    let spring = MindlinSpring::matching_hertz(&law, 0.3).unwrap().damped(damping);
    grains(Laws::of(law, CoRotating::new(spring)), count, 0.08)
}

/// Makes a crowd in a periodic cube, fast enough for new lists and for crossings of the period.
fn cube(count: usize, seed: u64) -> (Bodies, State, NeighborList) {
    let side = 1.05 * (count as f64).cbrt();
    let (bodies, mut state) = crowd(count, side, seed);
    state.velocity_mut().slices_mut()[0].iter_mut().for_each(|vx| *vx *= 4.0);
    let domain = Domain::new(DVec3::ZERO, DVec3::splat(side), [Boundary::Periodic; 3]).unwrap();
    (bodies, state, NeighborList::new(domain, 0.08).unwrap())
}

#[test]
fn any_number_of_threads() {
    same_on_threads(&[2, 3, 8], || {
        let (bodies, mut state, mut field) = bed(9000);
        advance(&bodies, &mut field, &mut state, DT, 25);
        assert!(field.list().builds() > 1);
        (bits(&state), energies(&bodies, &field, &state))
    });
}

/// Runs steps of a periodic crowd under a law, without a ledger.
fn elapse(equal: bool, damping: Damping, tangential: impl TangentialLaw + Copy + 'static) -> (Vec<u64>, Wrenches) {
    let (mut bodies, mut state, list) = cube(9000, 12);
    if equal {
        bodies = Bodies::new(vec![Body::sphere(1.0, 0.52); 9000]).unwrap();
    }
    let mut field = contacts(list, Hertz::new(2e4, damping).unwrap(), tangential);
    advance(&bodies, &mut field, &mut state, DT, 25);
    assert!(field.list().builds() > 1);
    (bits(&state), wrenches(&bodies, &mut field, &state))
}

/// One thread takes the path of a build without rayon, several threads that of a build with rayon.
#[test]
fn the_parallel_path_has_the_bits_of_the_serial_one() {
    for equal in [true, false] {
        let damping = Damping::coefficient(3.0).unwrap();
        let serial = same_on_threads(&[2, 3, 8], || {
            (
                elapse(equal, Damping::NONE, Frictionless),
                elapse(equal, damping, Frictionless),
                elapse(equal, damping, CoulombViscous::new(10.0, 0.3).unwrap()),
            )
        });
        assert!(serial.0 != serial.1 && serial.1 != serial.2);
    }
}

#[test]
fn reading_changes_nothing() {
    let (bodies, mut state, mut field) = bed(600);
    let (_, mut read_state, mut read_field) = bed(600);
    for _ in 0..100 {
        advance(&bodies, &mut field, &mut state, DT, 1);
        advance(&bodies, &mut read_field, &mut read_state, DT, 1);
        energies(&bodies, &read_field, &read_state);
        read_field.contacts(&bodies, &read_state).unwrap();
        // Reading a state for which the list is not valid changes nothing either.
        let mut elsewhere = read_state.clone();
        elsewhere.position_mut().add(0, DVec3::new(3.0, 0.0, 0.0));
        let _ = read_field.elastic_energy(&bodies, &elsewhere);
    }
    assert!(bits(&state) == bits(&read_state));
}

#[test]
fn trial_states_and_failed_steps_leave_no_trace() {
    let (bodies, mut state, mut field) = bed(600);
    let (_, mut other_state, mut other_field) = bed(600);
    advance(&bodies, &mut field, &mut state, DT, 30);
    advance(&bodies, &mut other_field, &mut other_state, DT, 30);
    for k in 0..30 {
        // A trial far enough for another list, two that fail, and a step that fails.
        let mut trial = state.clone();
        trial.position_mut().add(k, DVec3::new(0.3, 0.0, 0.0));
        let mut out = Wrenches::zeros(bodies.len());
        let _ = field.accumulate(&bodies, &trial, DT, &mut out);
        trial.position_mut().set(k, state.position().get(k + 1));
        let error = field.accumulate(&bodies, &trial, DT, &mut out).unwrap_err();
        assert_matches!(error.downcast_ref(), Some(DemError::Contact(ContactError::OverlapTooLarge { .. })));
        trial.position_mut().set(k, DVec3::NAN);
        assert!(field.accumulate(&bodies, &trial, DT, &mut out).is_err());
        let before = bits(&state);
        let mut map = Explicit::new(Map::Verlet, 1e3).unwrap();
        assert!(map.step(&bodies, &mut field, &mut state).is_err());
        assert!(bits(&state) == before);
        advance(&bodies, &mut field, &mut state, DT, 3);
        advance(&bodies, &mut other_field, &mut other_state, DT, 3);
    }
    assert!(bits(&state) == bits(&other_state));
    assert_eq!(field.list().pairs(), other_field.list().pairs());
}

/// With this many bodies one thread reads centres row by row, not in one pass; failed steps leave no trace.
#[test]
fn failed_steps_leave_no_trace_among_many_bodies() {
    on_threads(1, || {
        let count = 9000;
        let (bodies, mut state, list) = cube(count, 14);
        let spring = FrictionSpring::new(3e3, 0.0, 0.5).unwrap();
        let mut field = contacts(list, Hooke::new(1e4, Damping::NONE).unwrap(), spring);
        let mut other_field = field.clone();
        let mut other_state = state.clone();
        for k in 0..20 {
            let mut trial = state.clone();
            // One position is beyond the reach of the list, one inside another body, and one is NaN.
            let [here, there] = [0, 1].map(|i| state.position().get((400 * k + i) % count));
            let wrong = [here + DVec3::X * 0.3, there + DVec3::X * 1e-3, DVec3::NAN];
            for at in wrong {
                trial.position_mut().set(400 * k % count, at);
                let mut out = Wrenches::zeros(count);
                let outcome = field.accumulate(&bodies, &trial, DT, &mut out);
                assert!(outcome.is_ok() || out == Wrenches::zeros(count));
                assert!(outcome.is_ok() == (at == wrong[0]), "{outcome:?} at {at}");
            }
            advance(&bodies, &mut field, &mut state, DT, 2);
            advance(&bodies, &mut other_field, &mut other_state, DT, 2);
        }
        assert!(field.list().builds() > 20 && bits(&state) == bits(&other_state));
    });
}

#[cfg(feature = "serde")]
#[test]
fn a_restart_goes_on_with_the_same_bits() {
    for steps in [1, 7, 50, 113] {
        let (bodies, mut state, mut field) = bed(700);
        advance(&bodies, &mut field, &mut state, DT, steps);
        let bodies: Bodies = serde_json::from_str(&serde_json::to_string(&bodies).unwrap()).unwrap();
        assert_goes_on(&bodies, &mut field, &mut state, DT, 100);
    }
}
