//! Tests that contact histories survive new lists, restarts and threads.

use crate::prelude::*;

type Law = CoRotating<Rolling<FrictionSpring>>;

fn spring() -> FrictionSpring {
    let normal = Hooke::new(1e4, Damping::coefficient(20.0).unwrap()).unwrap();
    FrictionSpring::matching_hooke(&normal, 0.4).unwrap()
}

fn law() -> Law {
    let resistance = SpringSlider::new(1e3, 1.0, 0.05).unwrap();
    CoRotating::new(Rolling::new(spring(), resistance).with_twisting(resistance))
}

fn field(skin: f64, walls: &[Wall]) -> ContactForce {
    field_in(Domain::OPEN, skin).with_walls(walls.iter().cloned()).unwrap()
}

fn field_in(domain: Domain, skin: f64) -> ContactForce {
    let hooke = Hooke::new(1e4, Damping::coefficient(20.0).unwrap()).unwrap();
    contacts(NeighborList::new(domain, skin).unwrap(), hooke, law())
}

fn periodic(side: f64) -> Domain {
    Domain::new(DVec3::ZERO, DVec3::splat(side), [Boundary::Periodic; 3]).unwrap()
}

#[test]
fn new_lists_change_no_bit() {
    // Two bodies roll and slide on each other and on a floor; their places in the list soon differ from their numbers.
    let outcome = |skin: f64| {
        let (bodies, mut state) = spheres(&[DVec3::new(0.0, 0.0, 0.499), DVec3::new(0.0, 0.98, 0.499)]);
        for (i, velocity) in [DVec3::new(3.0, 0.2, 0.0), DVec3::new(3.1, -0.2, 0.0)].into_iter().enumerate() {
            state.velocity_mut().set(i, velocity);
            state.set_spin(&bodies, i, DVec3::new(1.0, 5.0, -3.0));
        }
        let mut field = field(skin, &[Wall::plane(DVec3::ZERO, DVec3::Z)]);
        advance(&bodies, &mut field, &mut state, 1e-4, 120);
        let contacts = field.contacts(&bodies, &state).unwrap();
        assert!(!contacts.is_empty() && contacts.iter().any(|contact| contact.tangential_energy > 0.0));
        (bits(&state), contacts, field.list().builds())
    };
    let ((thick, from_thick, few), (thin, from_thin, many)) = (outcome(0.9), outcome(5e-4));
    assert!(few == 1 && many > 20, "{few} {many}");
    assert!(thick == thin);
    assert_eq!(from_thick, from_thin);
}

#[test]
fn crowds_go_on_alike_with_new_lists() {
    let outcome = |skin: f64| {
        let (bodies, mut state) = crowd(150, 5.0, 21);
        let mut field = field(skin, &Wall::inside_of_box(DVec3::ZERO, DVec3::splat(5.0)));
        advance(&bodies, &mut field, &mut state, 1e-4, 200);
        (state, field.list().builds())
    };
    let ((thick, few), (thin, many)) = (outcome(0.5), outcome(2e-4));
    assert!(5 * few < many, "{few} {many}");
    let furthest = apart(thick.position(), thin.position());
    assert!(furthest < 1e-9, "{furthest}");
}

/// Bodies fly together across a periodic domain, on lists that outlive half the skin.
#[cfg(feature = "serde")]
#[test]
fn a_restart_in_the_life_of_a_list_changes_no_bit() {
    let (bodies, mut state) = crowd(150, 5.0, 22);
    let mut field = field_in(periodic(9.0), 0.1).with_ledger();
    (0..bodies.len()).for_each(|i| state.velocity_mut().add(i, DVec3::new(400.0, 200.0, 0.0)));
    advance(&bodies, &mut field, &mut state, 1e-4, 60);
    // With a new list after each half skin every other step would build one.
    assert!(field.list().builds() < 10, "{}", field.list().builds());
    assert_goes_on(&bodies, &mut field, &mut state, 1e-4, 60);
}

/// A crowd in a box, with the field that README shows.
#[cfg(feature = "serde")]
#[test]
fn partial_slip_goes_on_after_a_restart_and_closes_the_ledger() {
    type Field = Both<ContactForce, Gravity>;
    let damping = Damping::restitution(0.7).unwrap();
    let (bodies, mut state) = crowd(150, 5.0, 23);
    let hertz = Hertz::new(4e4, damping).unwrap();
    let slip = MindlinDeresiewicz::new(3e4, 0.4).unwrap().damped(damping);
    let contacts = contacts(NeighborList::new(Domain::OPEN, 0.1).unwrap(), hertz, slip);
    let contacts = contacts.with_walls(Wall::inside_of_box(DVec3::ZERO, DVec3::splat(5.0))).unwrap().with_ledger();
    let mut field: Field = Both(contacts, Gravity { acceleration: DVec3::NEG_Z });
    let read =
        |Both(contacts, gravity): &Field, state: &State| Ledger::read(contacts, gravity, &bodies, state).unwrap();
    let before = read(&field, &state);
    advance(&bodies, &mut field, &mut state, 1e-4, 500);
    let (mut restored, restored_contacts) = crate::support::restored(&state, &field.0);
    let mut restored_field: Field = Both(restored_contacts, field.1);
    advance(&bodies, &mut field, &mut state, 1e-4, 500);
    advance(&bodies, &mut restored_field, &mut restored, 1e-4, 500);
    assert!(bits(&state) == bits(&restored));
    assert_eq!(field.0.contacts(&bodies, &state).unwrap(), restored_field.0.contacts(&bodies, &restored).unwrap());
    let after = read(&field, &state);
    let again = read(&restored_field, &restored);
    assert_eq!(after, again);
    let change = after.balance() - before.balance();
    println!("{change} of {after:?}");
    assert!(after.tangential > 0.0 && after.dissipated > 0.0 && change.abs() < 1e-3 * after.dissipated);
}

/// Makes a dense bed of many bodies in a box.
fn bed(side: usize) -> (Bodies, State, f64) {
    let count = side * side * side;
    let bodies = Bodies::new((0..count).map(|_| Body::sphere(1.0, 0.5))).unwrap();
    let mut state = State::at_rest(count).without_attitudes();
    for i in 0..count {
        let at = [i % side, i / side % side, i / side / side].map(|k| 0.985 * (k as f64 + 0.5));
        state.position_mut().set(i, DVec3::from_array(at));
        let wave = DVec3::new((i % 7) as f64 - 3.0, (i % 5) as f64 - 2.0, (i % 3) as f64 - 1.0);
        state.velocity_mut().set(i, wave);
        state.set_spin(&bodies, i, -2.0 * wave);
    }
    (bodies, state, 0.985 * side as f64)
}

/// Checks that the forces of a step are the sums over contacts that are read one by one.
fn adds_up(
    tangential: impl TangentialLaw + Copy + 'static,
    loosening: f64,
    (ledger, materials, repeats): (bool, usize, bool),
) {
    let (_, mut state, side) = bed(12);
    // Two materials also have two sizes and masses, where that leaves no gaps.
    let radius = |i: usize| if loosening > 0.0 || i.is_multiple_of(materials) { 0.5 } else { 0.497 };
    let bodies = (0..state.len()).map(|i| Body::sphere(1.0 + (i % materials) as f64, radius(i)));
    let bodies = Bodies::new(bodies).unwrap();
    for i in 0..bodies.len() {
        let jitter = DVec3::new((i * 7 % 11) as f64, (i * 5 % 13) as f64, (i * 3 % 17) as f64) / 17.0;
        let position = state.position().get(i);
        let slower = state.velocity().get(i) * 0.02;
        state.position_mut().set(i, position * (1.0 + loosening) + jitter * loosening);
        state.velocity_mut().set(i, slower);
    }
    let hooke = Hooke::new(1e4, Damping::coefficient(5.0).unwrap()).unwrap();
    let laws = LawTable::new(materials, |_, _| Ok(Laws::of(hooke, tangential))).unwrap();
    let of_body = (0..bodies.len()).map(|i| (i % materials) as u16);
    // In a periodic domain, bodies of the first of four blocks touch those of the last one, which is not full.
    let domain = if repeats { periodic(side * (1.0 + loosening)) } else { Domain::OPEN };
    let list = NeighborList::new(domain, 0.1).unwrap();
    let mut field = by_material(list, &laws, of_body).unwrap();
    if ledger {
        field = field.with_ledger();
    }
    advance(&bodies, &mut field, &mut state, 1e-3, 12);
    let out = wrenches(&bodies, &mut field, &state);
    // Forces are added to those of other fields.
    let mut pushed = Wrenches::zeros(bodies.len());
    pushed.force.set(5, DVec3::X);
    field.accumulate(&bodies, &state, 0.0, &mut pushed).unwrap();
    for i in 0..bodies.len() {
        let push = if i == 5 { DVec3::X } else { DVec3::ZERO };
        assert_eq!(
            [pushed.force.get(i), pushed.torque.get(i)],
            [push + out.force.get(i), out.torque.get(i)],
            "body {i}"
        );
    }
    let contacts = field.contacts(&bodies, &state).unwrap();
    let share = contacts.len() as f64 / (3.0 * side.powi(3));
    assert!(if loosening > 0.0 { (0.2..0.8).contains(&share) } else { share > 0.85 }, "{loosening}: {share}");
    assert!(contacts.iter().filter(|contact| contact.tangential_energy > 0.0).count() > contacts.len() / 2);
    let mut sums = vec![[DVec3::ZERO; 2]; bodies.len()];
    for contact in contacts {
        let push = contact.normal_force * contact.normal + contact.tangential_force;
        for (i, sign) in [(contact.a, -1.0), (contact.b.body().unwrap(), 1.0)] {
            let arm = domain.separation(state.position().get(i), contact.point);
            sums[i] = [sums[i][0] + sign * push, sums[i][1] + sign * (arm.cross(push) + contact.couple)];
        }
    }
    let largest = sums.iter().map(|[push, _]| push.length()).fold(0.0, f64::max);
    for (i, [push, twist]) in sums.into_iter().enumerate() {
        let error = (out.force.get(i) - push).length().max((out.torque.get(i) - twist).length());
        assert!(error < 1e-11 * largest, "{loosening}, {ledger}, {materials}, {repeats}, {i}: {error} of {largest}");
    }
}

/// In some beds nearly all pairs touch, in others about half; ledger, several materials and resistance to rolling
/// change the evaluation, but not the forces.
#[test]
fn all_ways_to_evaluate_contacts_agree() {
    for loosening in [0.0, 0.0145, 0.018] {
        let ways = [(false, 1), (true, 1), (false, 2), (true, 2)];
        for ways in ways.into_iter().flat_map(|(ledger, kinds)| [false, true].map(|repeats| (ledger, kinds, repeats))) {
            adds_up(spring(), loosening, ways);
            adds_up(law(), loosening, ways);
        }
    }
}

#[test]
fn an_evaluation_that_fails_leaves_nothing_in_other_blocks() {
    let (bodies, mut state, side) = bed(13);
    for ledger in [false, true] {
        let mut field = field(0.1, &Wall::inside_of_box(DVec3::ZERO, DVec3::splat(side)));
        if ledger {
            field = field.with_ledger();
        }
        advance(&bodies, &mut field, &mut state, 1e-3, 3);
        let mut wrong = state.clone();
        wrong.position_mut().set(1000, state.position().get(1001) + DVec3::X * 0.01);
        let evaluate = |field: &mut ContactForce, state: &State| {
            let mut out = Wrenches::zeros(bodies.len());
            field.accumulate(&bodies, state, 0.0, &mut out).map(|()| out).map_err(|error| error.to_string())
        };
        let before = evaluate(&mut field, &state).unwrap();
        // The number of threads must not matter after a failure.
        for threads in [2, 1, 3, 1] {
            on_threads(threads, || {
                for _ in 0..2 {
                    assert!(evaluate(&mut field, &wrong).is_err());
                    assert!(evaluate(&mut field, &state).unwrap() == before, "{threads}, {ledger}");
                }
            });
        }
    }
}

#[test]
fn a_step_that_fails_forgets_nothing() {
    let (bodies, state) = moving(&[[DVec3::ZERO; 2], [DVec3::X * 0.99, DVec3::Y]]);
    let mut field = field(0.1, &[]);
    wrenches_after(&bodies, &mut field, &state, 1e-3);
    field.commit();
    let before = field.contacts(&bodies, &state).unwrap();
    let mut wrong = state.clone();
    wrong.position_mut().set(1, DVec3::X * 0.2);
    assert!(field.accumulate(&bodies, &wrong, 1e-3, &mut Wrenches::zeros(2)).is_err());
    assert_eq!(before, field.contacts(&bodies, &state).unwrap());
    wrenches(&bodies, &mut field, &state);
    assert_eq!(before, field.contacts(&bodies, &state).unwrap());
    assert!(before[0].tangential_energy > 0.0);
}

#[test]
fn a_far_trial_that_fails_hides_no_contact() {
    // The bodies are apart at first, and touch while their list is valid.
    let outcome = |fails: bool| {
        let (bodies, mut state) = moving(&[[DVec3::splat(5.0), DVec3::X], [DVec3::new(6.03, 5.0, 5.0), DVec3::NEG_X]]);
        let domain = Domain::new(DVec3::ZERO, DVec3::splat(10.0), [Boundary::Closed; 3]).unwrap();
        let list = NeighborList::new(domain, 0.1).unwrap();
        let mut field = contacts(list, Hooke::new(1e4, Damping::NONE).unwrap(), law());
        advance(&bodies, &mut field, &mut state, 1e-4, 3);
        for far in [1e10, 1e15, f64::NAN].into_iter().filter(|_| fails) {
            let mut wrong = state.clone();
            wrong.position_mut().set(0, DVec3::X * far);
            assert!(field.accumulate(&bodies, &wrong, 1e-4, &mut Wrenches::zeros(2)).is_err());
        }
        advance(&bodies, &mut field, &mut state, 1e-4, 200);
        assert_eq!(field.list().builds(), 1);
        assert!(state.velocity().get(0).x < 0.9, "they have not touched");
        bits(&state)
    };
    assert!(outcome(false) == outcome(true));
}

#[test]
fn springs_outlive_a_failed_step_on_a_new_list_when_implicit_steps_go_on() {
    let outcome = |fails: bool| {
        let (bodies, mut state) = moving(&[[DVec3::ZERO; 2], [DVec3::X * 0.99, DVec3::Y]]);
        let hooke = Hooke::new(1e4, Damping::NONE).unwrap();
        let mut field = open(hooke, FrictionSpring::matching_hooke(&hooke, 0.4).unwrap());
        advance(&bodies, &mut field, &mut state, 1e-4, 5);
        if fails {
            let mut wrong = state.clone();
            wrong.position_mut().set(0, DVec3::X * 5.0);
            wrong.position_mut().set(1, DVec3::X * 5.2);
            assert!(field.accumulate(&bodies, &wrong, 1e-4, &mut Wrenches::zeros(2)).is_err());
        }
        let mut implicit = ImplicitDem::new(field, 1e-4).unwrap();
        let _ = implicit.step(&bodies, &mut NoForce, &mut state).unwrap();
        let field = implicit.into_contacts();
        let contacts = field.contacts(&bodies, &state).unwrap();
        assert!(contacts[0].tangential_energy > 1e-4, "{contacts:?}");
        (bits(&state), contacts)
    };
    assert!(outcome(false) == outcome(true));
}
