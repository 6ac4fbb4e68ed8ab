//! Tests of input that must be refused, with the numbers that say why.

use rrp_integrate::column::LoadColumn;

use crate::prelude::*;

/// Returns the error of an evaluation that is refused and must write nothing.
pub(crate) fn refuse(field: &mut dyn ForceField, bodies: &Bodies, state: &State) -> DemError {
    let mut out = Wrenches::zeros(bodies.len());
    let error = field.accumulate(bodies, state, 0.0, &mut out).unwrap_err();
    assert!(out == Wrenches::zeros(bodies.len()), "half the forces were given");
    *error.downcast().unwrap()
}

fn hooke() -> Hooke {
    Hooke::new(1e4, Damping::NONE).unwrap()
}

#[test]
fn centers_too_near() {
    for (x, overlap) in [(0.45, 0.55), (0.0, 1.0)] {
        let (bodies, state) = spheres(&[DVec3::ZERO, DVec3::Y * 3.0, DVec3::X * x]);
        for damping in [Damping::NONE, Damping::coefficient(1.0).unwrap()] {
            let mut field = open(Hooke::new(1e4, damping).unwrap(), Frictionless);
            let error = refuse(&mut field, &bodies, &state);
            let DemError::Contact(ContactError::OverlapTooLarge { bodies: [0, 2], overlap: found, radius }) = error
            else {
                panic!("{error}")
            };
            assert!((found - overlap).abs() < 1e-14 && (radius - 0.5).abs() < 1e-15, "{found} {radius}");
        }
    }
}

#[test]
fn bodies_that_nothing_can_touch() {
    let mut field = open(hooke(), Frictionless);
    // Spheres need `Body::sphere(1.0, 0.5)`. A fixed body with a radius does not help.
    let bodies = Bodies::new([Body::spherical(1.0, 0.5), Body::fixed(0.5)]).unwrap();
    let error = refuse(&mut field, &bodies, &State::at_rest(2));
    assert_matches!(error, DemError::Contact(ContactError::NothingCanTouch { free: 1 }));
    let error = field.recommended_dt(&bodies, 1.0).unwrap_err();
    assert_matches!(error, DemError::Contact(ContactError::NothingCanTouch { free: 1 }));
    // Fixed bodies alone, or an empty set, touch nothing either, but are accepted.
    for bodies in [vec![], vec![Body::fixed(0.0)]] {
        let count = bodies.len();
        let mut out = Wrenches::zeros(count);
        field.accumulate(&Bodies::new(bodies).unwrap(), &State::at_rest(count), 0.0, &mut out).unwrap();
    }
}

#[test]
fn positions_without_a_place() {
    let boundary = [Boundary::Closed, Boundary::Periodic, Boundary::Open];
    let domain = Domain::new(DVec3::ZERO, DVec3::splat(10.0), boundary).unwrap();
    let make = || contacts(NeighborList::new(domain, 0.1).unwrap(), hooke(), Frictionless);
    let at = |position: DVec3| {
        let (bodies, state) = spheres(&[DVec3::splat(5.0), position]);
        refuse(&mut make(), &bodies, &state)
    };
    assert_matches!(at(DVec3::NAN), DemError::List(ListError::PositionNotFinite { body: 1, .. }));
    assert_matches!(at(DVec3::Y * f64::INFINITY), DemError::List(ListError::PositionNotFinite { body: 1, .. }));
    assert_matches!(at(DVec3::X * 10.5), DemError::List(ListError::OutsideDomain { body: 1, direction: 0, .. }));
    assert_matches!(at(DVec3::Y * 1e300), DemError::List(ListError::OutsideDomain { body: 1, direction: 1, .. }));
    let message = at(DVec3::Y * 1e300).to_string();
    assert!(message.contains("[0, 1e300, 0]"), "{message}");
    // Positions are also checked while a list is valid.
    let (bodies, mut state) = spheres(&[DVec3::splat(5.0), DVec3::splat(8.0)]);
    let mut field = make();
    field.accumulate(&bodies, &state, 0.0, &mut Wrenches::zeros(2)).unwrap();
    state.position_mut().set(0, DVec3::X * f64::NAN);
    assert_matches!(refuse(&mut field, &bodies, &state), DemError::List(ListError::PositionNotFinite { body: 0, .. }));
    state.position_mut().set(0, DVec3::X * -0.2);
    assert_matches!(
        refuse(&mut field, &bodies, &state),
        DemError::List(ListError::OutsideDomain { body: 0, direction: 0, .. })
    );
}

#[test]
fn periods_too_short() {
    let domain = Domain::new(DVec3::ZERO, DVec3::new(9.0, 2.1, 9.0), [Boundary::Periodic; 3]).unwrap();
    let (bodies, state) = spheres(&[DVec3::ONE]);
    let mut field = contacts(NeighborList::new(domain, 0.1).unwrap(), hooke(), Frictionless);
    let error = refuse(&mut field, &bodies, &state);
    assert_matches!(error, DemError::List(ListError::CutoffTooLarge { direction: 1, length, cutoff })
        if (length - 2.1).abs() < 1e-15 && (cutoff - 1.1).abs() < 1e-15);
}

#[test]
fn parameters() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Hooke::new(bad, Damping::NONE).is_err() && Hertz::new(bad, Damping::NONE).is_err());
        assert!(NeighborList::new(Domain::OPEN, bad).is_err());
    }
    assert!(Hertz::from_material(1e7, 0.6, Damping::NONE).is_err());
    assert!(Viscous::new(-1.0).is_err() && CoulombViscous::new(1.0, f64::NAN).is_err());
    assert!(EnergyGuard::new(open(hooke(), Frictionless), 0.5, 0).is_err());
}

#[test]
fn lengths() {
    let (bodies, _) = spheres(&[DVec3::ZERO, DVec3::X]);
    let error = refuse(&mut open(hooke(), Frictionless), &bodies, &State::at_rest(3));
    assert_matches!(error, DemError::Integrate(IntegrateError::LengthMismatch { expected: 2, found: 3, .. }));
}

#[test]
fn thousands_of_bodies_on_one_point() {
    let count = 20_000;
    let (bodies, mut state) = spheres(&vec![DVec3::ZERO; count]);
    let mut field = open(hooke(), Frictionless);
    let error = refuse(&mut field, &bodies, &state);
    assert_matches!(error, DemError::List(ListError::TooManyNeighbors { cutoff, .. }) if (cutoff - 1.1).abs() < 1e-15);
    // The field remains usable.
    for i in 0..count {
        state.position_mut().set(i, DVec3::X * (0.99 * i as f64));
    }
    field.accumulate(&bodies, &state, 0.0, &mut Wrenches::zeros(count)).unwrap();
    assert_eq!(field.contacts(&bodies, &state).unwrap().len(), count - 1);
    // The list of the accepted state is made again after the failure.
    let crushed = State::at_rest(count);
    assert!(field.accumulate(&bodies, &crushed, 1.0, &mut Wrenches::zeros(count)).is_err());
    let builds = field.list().builds();
    field.accumulate(&bodies, &state, 1.0, &mut Wrenches::zeros(count)).unwrap();
    assert_eq!((field.list().builds(), field.list().pairs().len()), (builds + 1, count - 1));
}

#[test]
fn readings_refuse_what_forces_refuse() {
    let field = open(hooke(), Frictionless).with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
    let read = |centers: &[DVec3]| {
        let (bodies, state) = spheres(centers);
        field.elastic_energy(&bodies, &state).unwrap_err()
    };
    assert_matches!(read(&[DVec3::Z; 2]), DemError::Contact(ContactError::OverlapTooLarge { bodies: [0, 1], .. }));
    assert_matches!(read(&[DVec3::NEG_Z]), DemError::Contact(ContactError::BehindWall { body: 0, wall: 0, .. }));
}

#[test]
fn all_that_reads_states_refuses_columns_that_do_not_fit() {
    let data = |bodies: &Bodies, state: &State| LammpsData {
        bodies: bodies.clone(),
        state: state.clone(),
        low: DVec3::ZERO,
        high: DVec3::splat(9.0),
        id: vec![1, 2],
        kind: vec![1; 2],
        image: vec![[0; 3]; 2],
        left_out: Vec::new(),
    };
    let outcomes = |bodies: &Bodies, state: &State| {
        let mut field = open(hooke(), Frictionless);
        let mut ties = Ties::new(Domain::OPEN, 2, [[0, 1]], 1.0).unwrap();
        let forces = |field: &mut dyn ForceField| {
            let outcome = field.accumulate(bodies, state, 0.0, &mut Wrenches::zeros(2));
            outcome.map_err(|error| *error.downcast::<DemError>().unwrap())
        };
        [
            field.contacts(bodies, state).map(|_| ()),
            Ledger::read(&field, &NoForce, bodies, state).map(|_| ()),
            VtpFrame::new(bodies, state).map(|_| ()),
            data(bodies, state).write(Vec::new()),
            forces(&mut field),
            forces(&mut ties),
        ]
    };
    let (bodies, good) = spheres(&[DVec3::Z, DVec3::Z * 3.0]);
    assert!(outcomes(&bodies, &good).iter().all(Result::is_ok));
    let short = || [DVec3::ZERO].into_iter().collect::<VectorColumn>();
    for column in ["position", "velocity", "angular momentum"] {
        let mut state = good.clone();
        match column {
            "position" => *state.position_mut() = short(),
            "velocity" => *state.velocity_mut() = short(),
            _ => *state.angular_momentum_mut() = short(),
        }
        for (k, outcome) in outcomes(&bodies, &state).into_iter().enumerate() {
            let Err(DemError::Integrate(IntegrateError::LengthMismatch { column: named, expected: 2, found: 1 })) =
                outcome
            else {
                panic!("{column}, {k}: {outcome:?}")
            };
            assert_eq!(named, column);
        }
    }
    // Without attitudes the spins of bodies that are not spheres are unknown.
    let bricks = Bodies::new([Body { radius: 0.5, ..Body::rigid(1.0, DVec3::new(1.0, 2.0, 2.5)) }; 2]).unwrap();
    for outcome in outcomes(&bricks, &good.clone().without_attitudes()) {
        assert_matches!(outcome, Err(DemError::Integrate(IntegrateError::NoAttitudes)));
    }
    // Another field has made one column of the wrenches shorter.
    let mut wrenches = Wrenches::zeros(2);
    wrenches.torque = LoadColumn::zeros(1);
    let error = open(hooke(), Frictionless).accumulate(&bodies, &good, 0.0, &mut wrenches).unwrap_err();
    assert!(error.to_string().contains("torque"), "{error}");
}

#[test]
fn an_elapsed_time_that_is_none_and_radii_that_are_none() {
    let (bodies, state) = spheres(&[DVec3::ZERO, DVec3::X * 0.9]);
    for elapsed in [f64::NAN, f64::INFINITY] {
        let outcome = open(hooke(), Frictionless).accumulate(&bodies, &state, elapsed, &mut Wrenches::zeros(2));
        let error = outcome.unwrap_err();
        assert_matches!(error.downcast_ref(), Some(DemError::InvalidParameter { .. }), "{error}");
    }
    let mut list = NeighborList::new(Domain::OPEN, 0.1).unwrap();
    for radius in [f64::NAN, f64::INFINITY, -0.5] {
        for radii in [[0.5, radius], [radius; 2]] {
            let first = radii.iter().position(|&other| other.to_bits() == radius.to_bits());
            let outcome = list.update(&radii.into_iter().collect(), state.position());
            let Err(DemError::Integrate(IntegrateError::InvalidRadius { body, .. })) = outcome else {
                panic!("{radii:?}: {outcome:?}")
            };
            assert_eq!(Some(body), first);
        }
    }
    assert!(list.spatial_order(&[f64::NAN; 2].into_iter().collect(), state.position()).is_err());
    assert!(list.update(bodies.radius(), state.position()).unwrap());
    // Messages show short numbers, and counts without a decimal point.
    let message = |radius| Hooke::new(radius, Damping::NONE).unwrap_err().to_string();
    assert!(message(-3.0).ends_with("is -3") && message(-1e300).ends_with("is -1e300"), "{}", message(-1e300));
    let mut wall = ElasticWall::new(DVec3::ZERO, DVec3::Z, 1.0).unwrap();
    assert!(wall.accumulate(&bodies, &state, f64::NAN, &mut Wrenches::zeros(2)).is_err());
}

#[test]
fn ties_of_bodies_at_one_point_push_nowhere() {
    let (bodies, state) = spheres(&[DVec3::ZERO, DVec3::X, DVec3::X]);
    let mut ties = Ties::new(Domain::OPEN, 3, [[0, 1], [1, 2]], 1.0).unwrap();
    let error =
        cause(IntegrateError::Field(ties.accumulate(&bodies, &state, 0.0, &mut Wrenches::zeros(3)).unwrap_err()));
    assert_matches!(error, DemError::Contact(ContactError::OverlapTooLarge { bodies: [1, 2], .. }));
    assert!(ties.energy(&bodies, &State::at_rest(2)).is_nan());
}
