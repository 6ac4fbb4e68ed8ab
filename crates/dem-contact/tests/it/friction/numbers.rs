//! Tests of renumbering bodies in the course of a run.

use rrp_integrate::Renumbering;

use crate::prelude::*;

/// Makes a scene that refers to bodies by number: two materials, walls, ledger, excluded pairs, two fixed bodies.
fn crowded() -> (Bodies, State, ContactForce) {
    crowd_of(150, 5.0, Domain::OPEN)
}

/// Returns such a scene with several blocks, across a periodic side.
fn large_crowd() -> (Bodies, State, ContactForce) {
    let low = DVec3::splat(-1.0);
    let high = DVec3::new(10.4, 12.0, 12.0);
    let boundary = [Boundary::Periodic, Boundary::Closed, Boundary::Closed];
    crowd_of(1300, 10.4, Domain::new(low, high, boundary).unwrap())
}

fn crowd_of(count: usize, side: f64, domain: Domain) -> (Bodies, State, ContactForce) {
    let (bodies, mut state) = crowd(count, side, 21);
    let mut rows: Vec<Body> = bodies.clone().into();
    for i in [7, 60] {
        rows[i] = Body::fixed(rows[i].radius);
        state.velocity_mut().set(i, DVec3::ZERO);
        state.angular_momentum_mut().set(i, DVec3::ZERO);
    }
    let laws = LawTable::new(2, |a, b| {
        let resistance = SpringSlider::new(1e3, 1.0, 0.05)?;
        let spring = FrictionSpring::new(2.0 / 7.0 * 1e4, 10.0, 0.2 + 0.1 * (a + b) as f64)?;
        let rolling = Rolling::new(spring, resistance).with_twisting(resistance);
        Ok(Laws::of(Hooke::new(1e4 * (1 + a + b) as f64, Damping::coefficient(20.0)?)?, CoRotating::new(rolling)))
    });
    let list = NeighborList::new(domain, 0.1).unwrap().without_pairs(left_out(&bodies, &state));
    let field = by_material(list, &laws.unwrap(), (0..count).map(|i| (i % 2) as u16)).unwrap();
    let across_period = if domain.boundary()[0] == Boundary::Periodic { 2 } else { 0 };
    let walls = Wall::inside_of_box(DVec3::ZERO, DVec3::splat(side)).into_iter().skip(across_period);
    let field = field.with_walls(walls).unwrap().with_ledger();
    (Bodies::new(rows).unwrap(), state, field)
}

/// Selects some of the overlapping pairs.
fn left_out(bodies: &Bodies, state: &State) -> Vec<[usize; 2]> {
    bonded_pairs(bodies, state, 0.0).unwrap().into_iter().step_by(20).collect()
}

/// Returns a numbering that gives neighbours numbers far apart, in either order.
fn shuffled(count: usize) -> Renumbering {
    Renumbering::new((0..count).map(|i| (i * 77 + 13) % count)).unwrap()
}

fn renumber(
    (bodies, state, field): &(Bodies, State, ContactForce),
    numbering: &Renumbering,
) -> (Bodies, State, ContactForce) {
    let mut field = field.clone();
    field.renumber(numbering).unwrap();
    (numbering.bodies(bodies).unwrap(), numbering.state(state).unwrap(), field)
}

#[test]
fn contacts_remember_the_same_to_the_last_bit() {
    remembers_the_same(crowded());
    remembers_the_same(large_crowd());
}

fn remembers_the_same((bodies, mut state, mut field): (Bodies, State, ContactForce)) {
    let left_out = left_out(&bodies, &state);
    advance(&bodies, &mut field, &mut state, 1e-3, 60);
    let touch = |[a, b]: [usize; 2]| {
        let apart = (state.position().get(a) - state.position().get(b)).length();
        apart < bodies.radius()[a] + bodies.radius()[b]
    };
    assert!(left_out.iter().any(|&pair| touch(pair)), "{left_out:?}");
    let before = field.contacts(&bodies, &state).unwrap();
    let numbering = shuffled(bodies.len());
    let (bodies_after, state_after, field_after) = renumber(&(bodies, state, field), &numbering);
    let after = field_after.contacts(&bodies_after, &state_after).unwrap();
    assert_eq!(before.len(), after.len());
    let mut turned = 0;
    let mut loaded = 0;
    for contact in &after {
        let a = numbering.former()[contact.a];
        let b = contact.b.body().map(|b| numbering.former()[b]);
        let (flips, key) = match b {
            Some(b) if a > b => (true, (b, Partner::Body(a))),
            Some(b) => (false, (a, Partner::Body(b))),
            None => (false, (a, contact.b)),
        };
        let found = before.iter().find(|one| (one.a, one.b) == key).unwrap();
        let side = if flips { -1.0 } else { 1.0 };
        assert_eq!(contact.normal, side * found.normal);
        assert_eq!(contact.tangential_force, side * found.tangential_force);
        assert_eq!(contact.couple, side * found.couple);
        let numbers = |contact: &Contact| {
            let Contact { overlap, normal_force, tangential_energy, dissipated_power, .. } = *contact;
            [overlap, normal_force, tangential_energy, dissipated_power].map(f64::to_bits)
        };
        assert_eq!(numbers(contact), numbers(found));
        turned += usize::from(flips);
        loaded += usize::from(contact.tangential_energy > 0.0);
    }
    assert!(turned > 50 && loaded > 100 && turned < after.len(), "{turned} {loaded} of {}", after.len());
}

#[test]
fn a_run_goes_on_as_it_would_have() {
    goes_on(crowded());
    goes_on(large_crowd());
}

fn goes_on(mut plain: (Bodies, State, ContactForce)) {
    advance(&plain.0, &mut plain.2, &mut plain.1, 1e-4, 100);
    let numbering = shuffled(plain.0.len());
    let mut other = renumber(&plain, &numbering);
    // The forces of the last step are kept without an evaluation.
    assert!(plain.1.wrenches().is_some());
    let mut wrenches = plain.1.wrenches().unwrap().clone();
    numbering.apply_to_wrenches_with(&mut wrenches, &Wrenches::zeros(0)).unwrap();
    assert_eq!(other.1.wrenches(), Some(&wrenches));
    let go = |(bodies, state, field): &mut (Bodies, State, ContactForce)| {
        advance(bodies, field, state, 1e-4, 200);
        Ledger::read(field, &NoForce, bodies, state).unwrap()
    };
    let [books, other_books] = [go(&mut plain), go(&mut other)];
    let back = numbering.inverse().state(&other.1).unwrap();
    assert!(bits(&plain.1) == bits(&back));
    let dissipated = [books.dissipated, other_books.dissipated];
    assert!(dissipated[0] > 0.1, "{dissipated:?}");
    assert!((dissipated[0] - dissipated[1]).abs() < 1e-14 * dissipated[0], "{dissipated:?}");
    assert!((books.balance() - other_books.balance()).abs() < 1e-13 * books.balance());
}

#[cfg(feature = "serde")]
#[test]
fn a_restart_after_other_numbers_changes_no_bit() {
    let mut start = crowded();
    advance(&start.0, &mut start.2, &mut start.1, 1e-3, 60);
    let mut other = renumber(&start, &shuffled(start.0.len()));
    assert_goes_on(&other.0, &mut other.2, &mut other.1, 1e-3, 60);
    // Contacts can also be renumbered after a restart, without a step in between.
    let (_, mut field) = restored(&other.1, &other.2);
    assert_matches!(
        field.renumber(&Renumbering::new(0..149).unwrap()),
        Err(DemError::LengthMismatch { expected: 150, found: 149, .. })
    );
    field.renumber(&shuffled(150)).unwrap();
    let bodies = shuffled(150).bodies(&other.0).unwrap();
    let renumbered = shuffled(150).state(&other.1).unwrap();
    let contacts = field.contacts(&bodies, &renumbered).unwrap();
    other.2.renumber(&shuffled(150)).unwrap();
    assert_eq!(contacts, other.2.contacts(&bodies, &renumbered).unwrap());
}

#[test]
fn another_count_of_bodies_is_refused_and_changes_nothing() {
    let (bodies, mut state, mut field) = crowded();
    // Materials give the number of bodies before there is a list.
    for steps in [0, 30] {
        advance(&bodies, &mut field, &mut state, 1e-3, steps);
        for count in [149, 151, 0] {
            let mut refused = field.clone();
            let mut refused_state = state.clone();
            let outcome = refused.renumber(&Renumbering::new(0..count).unwrap());
            assert_matches!(outcome, Err(DemError::LengthMismatch { expected: 150, found, .. }) if found == count);
            advance(&bodies, &mut refused, &mut refused_state, 1e-3, 5);
            let mut kept = field.clone();
            let mut kept_state = state.clone();
            advance(&bodies, &mut kept, &mut kept_state, 1e-3, 5);
            assert!(bits(&refused_state) == bits(&kept_state));
        }
    }
}

#[test]
fn a_count_that_no_one_knows_yet_loses_no_pair_that_is_left_out() {
    let (bodies, state) = crowd(150, 5.0, 21);
    let pairs = left_out(&bodies, &state);
    let field = |pairs: &[[usize; 2]]| {
        let list = NeighborList::new(Domain::OPEN, 0.1).unwrap().without_pairs(pairs.iter().copied());
        contacts(list, Hooke::new(1e4, Damping::NONE).unwrap(), Frictionless)
    };
    let mut short = field(&pairs);
    // With one law and without a list, the number of bodies is unknown.
    short.renumber(&Renumbering::new([1, 0]).unwrap()).unwrap();
    short.renumber(&Renumbering::new([1, 0]).unwrap()).unwrap();
    let contacts = |field: &ContactForce| field.contacts(&bodies, &state).unwrap();
    assert_eq!(contacts(&short), contacts(&field(&pairs)));
    assert!(contacts(&short).len() < contacts(&field(&[])).len());
}
