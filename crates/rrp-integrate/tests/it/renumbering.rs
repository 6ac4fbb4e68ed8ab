//! Renumbering changes nothing but numbers: the motion stays the same.

use rrp_integrate::Renumbering;
use rrp_integrate::step::evaluate_wrenches;

use crate::prelude::*;

fn sample() -> (Bodies, State) {
    let shape = Body::rigid(3.0, DVec3::new(1.0, 2.0, 2.5));
    let bodies = Bodies::new([Body::sphere(1.0, 0.5), Body::fixed(0.25), shape]).unwrap();
    let mut state = State::at_rest(3);
    for i in 0..3 {
        let value = DVec3::new(i as f64, 1.0, -0.5 * i as f64);
        state.position_mut().set(i, value);
        state.velocity_mut().set(i, 2.0 * value);
        state.angular_momentum_mut().set(i, 3.0 * value);
        state.attitude_mut().set(i, Attitude::from_rotation_vector(0.1 * value).unwrap());
    }
    state.set_time(0.7);
    (bodies, state)
}

#[test]
fn each_body_keeps_its_values_and_the_inverse_leads_back() {
    let (bodies, state) = sample();
    let numbering = Renumbering::new([2, 0, 1]).unwrap();
    let other_bodies = numbering.bodies(&bodies).unwrap();
    let other = numbering.state(&state).unwrap();
    assert_eq!(other_bodies.get(0), bodies.get(2));
    assert_eq!(other_bodies.fixed(), [2]);
    assert_eq!(other.attitude().get(1), state.attitude().get(0));
    assert_eq!(other.time().to_bits(), state.time().to_bits());
    let mut in_place = bodies.clone();
    numbering.apply_to_bodies(&mut in_place).unwrap();
    assert_eq!(in_place, Bodies::new([2, 0, 1].map(|former| bodies.get(former))).unwrap());
    assert_eq!(numbering.column(&["a", "b", "c"]).unwrap(), ["c", "a", "b"]);
    let back = numbering.inverse();
    assert_eq!(back.bodies(&other_bodies).unwrap(), bodies);
    assert_eq!(back.state(&other).unwrap(), state);
    assert!(!numbering.state(&state.without_attitudes()).unwrap().has_attitudes());
}

#[test]
fn bodies_that_do_not_meet_move_as_before() {
    let (bodies, mut state) = sample();
    let numbering = Renumbering::new([1, 2, 0]).unwrap();
    let other_bodies = numbering.bodies(&bodies).unwrap();
    let mut other = numbering.state(&state).unwrap();
    let mut field = Gravity { acceleration: DVec3::new(0.0, 0.3, -9.81) };
    let mut map = Explicit::new(Map::MoserVeselov, 1e-3).unwrap();
    for _ in 0..20 {
        map.step(&bodies, &mut field, &mut state).unwrap();
        map.step(&other_bodies, &mut field, &mut other).unwrap();
    }
    let found = numbering.inverse().state(&other).unwrap();
    let expected = numbering.state(&state).unwrap();
    let again = numbering.state(&found).unwrap();
    assert!(again == expected && again.wrenches().is_some() && again.wrenches() == expected.wrenches());
}

#[test]
fn numbers_that_are_no_permutation_are_refused() {
    for (former, at) in [(vec![0, 2], 1), (vec![1, 1, 0], 1), (vec![usize::MAX], 0)] {
        let error = Renumbering::new(former).unwrap_err();
        assert!(matches!(error, IntegrateError::InvalidNumbering { body, .. } if body == at), "{error}");
    }
    let (bodies, state) = sample();
    let two = Renumbering::new([1, 0]).unwrap();
    assert!(matches!(two.bodies(&bodies), Err(IntegrateError::LengthMismatch { expected: 2, found: 3, .. })));
    assert!(matches!(two.state(&state), Err(IntegrateError::LengthMismatch { expected: 2, found: 3, .. })));
    assert!(two.column(&[0; 3]).is_err());
    let mut same = bodies.clone();
    assert!(two.apply_to_bodies(&mut same).is_err() && same == bodies);
    let mut kept = state.clone();
    let mut loads = Wrenches::zeros(3);
    assert!(matches!(two.apply(&mut kept), Err(IntegrateError::LengthMismatch { expected: 2, found: 3, .. })));
    loads.force.set(0, DVec3::X);
    assert!(two.apply_to_wrenches_with(&mut loads, &Wrenches::zeros(0)).is_err());
    assert_eq!((kept, loads.force.get(0)), (state, DVec3::X));
}

#[test]
fn who_stays_goes_on_with_the_same_bits_when_others_come_and_leave() {
    let (mut bodies, mut state) = sample();
    let mut field = Gravity { acceleration: DVec3::new(0.0, 0.3, -9.81) };
    let mut map = Explicit::new(Map::MoserVeselov, 1e-3).unwrap();
    map.run(&bodies, &mut field, &mut state, 20).unwrap();
    let all = bodies.clone();
    let mut undisturbed = state.clone();
    // Body 1 leaves, and two bodies come, one of them placed between the remaining bodies.
    let numbering = Renumbering::with_changes(3, 2, [2, 4, 0, 3]).unwrap();
    assert!(!numbering.keeps_all() && numbering.is_new(1) && !numbering.is_new(2));
    let new_bodies = Bodies::new([Body::sphere(1.0, 0.1), Body::sphere(2.0, 0.2)]).unwrap();
    let mut new = State::at_rest(2);
    new.velocity_mut().set(1, DVec3::X);
    evaluate_wrenches(&new_bodies, &mut field, &mut new).unwrap();
    numbering.apply_with(&mut state, &new).unwrap();
    numbering.apply_to_bodies_with(&mut bodies, &new_bodies).unwrap();
    assert_eq!(bodies, Bodies::new([all.get(2), new_bodies.get(1), all.get(0), new_bodies.get(0)]).unwrap());
    map.run(&bodies, &mut field, &mut state, 20).unwrap();
    map.run(&all, &mut field, &mut undisturbed, 20).unwrap();
    for (now, then) in [(0, 2), (2, 0)] {
        assert_eq!(state.position().get(now), undisturbed.position().get(then));
        assert_eq!(state.angular_momentum().get(now), undisturbed.angular_momentum().get(then));
        assert_eq!(state.attitude().get(now), undisturbed.attitude().get(then));
    }
    // The new body is in free fall for 20 steps, which the map integrates exactly.
    let expected = DVec3::X * 0.02 + field.acceleration * 0.5 * 0.02 * 0.02;
    assert!((state.position().get(1) - expected).length() < 1e-15);
}

#[test]
fn the_way_back_from_a_change_brings_the_gone_back_as_new_ones() {
    let numbering = Renumbering::with_changes(5, 1, [5, 4, 0, 2]).unwrap();
    let back = numbering.inverse();
    assert_eq!((back.former(), back.before(), back.new_bodies()), (&[2, 4, 3, 5, 1][..], 4, 2));
    let now = numbering.column_with(&["a", "b", "c", "d", "e"], &["f"]).unwrap();
    assert_eq!(now, ["f", "e", "a", "c"]);
    assert_eq!(back.column_with(&now, &["b", "d"]).unwrap(), ["a", "b", "c", "d", "e"]);
    assert_eq!(Renumbering::insertion(2, 1), Renumbering::with_changes(2, 1, 0..3).unwrap());
    assert_eq!(Renumbering::removal(3, |body| body == 1), Renumbering::with_changes(3, 0, [0, 2]).unwrap());
}

#[test]
fn a_change_that_does_not_fit_changes_nothing() {
    assert!(matches!(
        Renumbering::with_changes(2, 1, [2, 2]),
        Err(IntegrateError::InvalidNumbering { body: 1, former: 2, bodies: 3 })
    ));
    assert!(matches!(
        Renumbering::with_changes(2, 2, [0, 2]),
        Err(IntegrateError::LengthMismatch { expected: 2, found: 1, .. })
    ));
    // The refused renumbering allocates no memory for the new bodies.
    assert!(matches!(
        Renumbering::with_changes(2, usize::MAX, [0, 2]),
        Err(IntegrateError::LengthMismatch { expected: usize::MAX, found: 1, .. })
    ));
    assert!(matches!(
        Renumbering::with_changes(2, usize::MAX, [0, 0]),
        Err(IntegrateError::InvalidNumbering { body: 1, former: 0, bodies: usize::MAX })
    ));
    let (bodies, state) = sample();
    let one_more = Renumbering::insertion(3, 1);
    let mut same_bodies = bodies.clone();
    let mut same = state.clone();
    assert!(one_more.apply_to_bodies(&mut same_bodies).is_err() && one_more.apply(&mut same).is_err());
    assert!(one_more.apply_with(&mut same, &State::at_rest(2)).is_err());
    let without = State::at_rest(1).without_attitudes();
    assert!(matches!(one_more.apply_with(&mut same, &without), Err(IntegrateError::NoAttitudes)));
    assert!(one_more.column(&[0; 3]).is_err());
    assert!(one_more.apply_to_wrenches_with(&mut Wrenches::zeros(3), &Wrenches::zeros(0)).is_err());
    assert!(same_bodies == bodies && same == state);
    // Without wrenches of the new bodies, the next step evaluates all forces anew.
    let mut field = Gravity { acceleration: DVec3::Z };
    evaluate_wrenches(&bodies, &mut field, &mut same).unwrap();
    one_more.apply_with(&mut same, &State::at_rest(1)).unwrap();
    assert!(same.wrenches().is_none() && same.len() == 4);
}
