//! Tests of the choice of bonded pairs, and of misuse of bonds, which is refused with the number of the bond.

use proptest::prelude::*;

use crate::prelude::*;

const LAW: BondLaw =
    BondLaw { bending: 1.0, stretching: 1.0, shearing: 1.0, contact: 1.0, strength: Strength::UNBREAKABLE };

/// Makes three unit spheres in a row that just touch.
fn row() -> (Bodies, State) {
    let mut state = State::at_rest(3);
    (0..3).for_each(|i| state.position_mut().set(i, DVec3::X * 2.0 * i as f64));
    (Bodies::new([Body::sphere(1.0, 1.0); 3]).unwrap(), state)
}

/// Returns the error for this bond after a valid one.
fn refuse(state: &State, bond: Bond) -> DemError {
    let (bodies, _) = row();
    Bonds::new(&bodies, state, [Bond::new(0, 1, LAW), bond]).unwrap_err()
}

#[test]
fn states_whose_columns_do_not_fit_are_refused_from_the_start() {
    let (bodies, mut state) = row();
    *state.attitude_mut() = [Attitude::from_rotation_vector(DVec3::X).unwrap()].into_iter().collect();
    let made = Bonds::new(&bodies, &state, [Bond::new(0, 1, LAW)]);
    assert_matches!(made, Err(DemError::Integrate(IntegrateError::LengthMismatch { column: "attitude", .. })));
    let (bodies, state) = row();
    let mut bonds = Bonds::new(&bodies, &state, [Bond::new(0, 1, LAW)]).unwrap();
    let bare = state.without_attitudes();
    let error = bonds.accumulate(&bodies, &bare, 0.0, &mut Wrenches::zeros(bodies.len())).unwrap_err();
    assert_matches!(error.downcast_ref(), Some(DemError::Integrate(IntegrateError::NoAttitudes)), "{error}");
    assert!(bonds.energies(&bodies, &bare).total().is_nan());
}

#[test]
fn bonds_that_are_none_are_refused_by_number() {
    let (_, state) = row();
    for pair in [[2, 2], [1, 3]] {
        let refused = refuse(&state, Bond::new(pair[0], pair[1], LAW));
        assert_matches!(refused, DemError::Bond(BondError::InvalidLink { what: "bond", which: 1, bodies, len: 3 })
            if bodies == pair);
    }
    assert!(refuse(&state, Bond::new(usize::MAX, 0, LAW)).to_string().contains("bond 1"));
    for value in [f64::NAN, f64::INFINITY, -1.0] {
        for law in [
            BondLaw { bending: value, ..LAW },
            BondLaw { stretching: value, ..LAW },
            BondLaw { shearing: value, ..LAW },
            BondLaw { contact: value, ..LAW },
        ] {
            assert_matches!(
                refuse(&state, Bond::new(1, 2, law)),
                DemError::Bond(BondError::InvalidBond { bond: 1, .. })
            );
        }
    }
    let parallel = crate::bonds::parallel::LAW;
    let unbreakable = StressLimits::UNBREAKABLE;
    for law in [
        ParallelBondLaw { radius: 0.0, ..parallel },
        ParallelBondLaw { radius: f64::NAN, ..parallel },
        ParallelBondLaw { radius: 1e200, ..parallel },
        ParallelBondLaw { normal_stiffness: -1.0, ..parallel },
        ParallelBondLaw { shear_stiffness: f64::INFINITY, ..parallel },
        ParallelBondLaw { strength: StressLimits { tension: 0.0, ..unbreakable }, ..parallel },
        ParallelBondLaw { strength: StressLimits { shear: f64::NAN, ..unbreakable }, ..parallel },
    ] {
        assert_matches!(
            refuse(&state, Bond::new(1, 2, law)),
            DemError::Bond(BondError::InvalidBond { bond: 1, .. }),
            "{law:?}"
        );
    }
    for value in [f64::NAN, 0.0, -1.0] {
        for strength in [Strength::of_stretch(value), Strength::of_force(value)] {
            let error = refuse(&state, Bond::new(1, 2, BondLaw { strength, ..LAW }));
            assert_matches!(error, DemError::Bond(BondError::InvalidBond { bond: 1, .. }));
        }
    }
}

#[test]
fn references_without_length_or_with_overlap_are_refused_by_number() {
    let (bodies, state) = row();
    let bond = Bond::new(1, 2, LAW);
    for place in [
        DVec3::X * 2.0,
        DVec3::NAN,
        DVec3::X * f64::INFINITY,
        DVec3::new(2.0, 1e-320, 0.0),
        DVec3::new(2.0, 1e-160, 0.0),
    ] {
        let mut state = state.clone();
        state.position_mut().set(2, place);
        let error = refuse(&state, bond);
        assert_matches!(error, DemError::Bond(BondError::BondWithoutLength { bond: 1, bodies: [1, 2], .. }));
    }
    let mut close = state.clone();
    close.position_mut().set(2, DVec3::X * 3.9);
    let error = refuse(&close, bond);
    assert_matches!(error, DemError::Bond(BondError::BondOverlap { bond: 1, bodies: [1, 2], .. }));
    assert!(error.to_string().contains("1.9"), "{error}");
    // Without a contact stiffness nothing pushes; `prestressed` accepts an overlap explicitly.
    assert!(Bonds::new(&bodies, &close, [Bond::new(1, 2, BondLaw { contact: 0.0, ..LAW })]).is_ok());
    assert!(Bonds::prestressed(&bodies, &close, [bond]).is_ok());
    // Touching up to rounding is no overlap.
    close.position_mut().set(2, DVec3::X * (4.0 - 1e-12));
    assert!(Bonds::new(&bodies, &close, [bond]).is_ok());
}

#[test]
fn bodies_that_meet_in_one_point_stop_the_run_and_name_the_bond() {
    let (bodies, mut state) = row();
    let mut bonds = Bonds::new(&bodies, &state, [Bond::new(0, 1, LAW), Bond::new(1, 2, LAW)]).unwrap();
    state.position_mut().set(2, DVec3::X * 2.0);
    let before = state.clone();
    let error = Explicit::new(Map::Rodrigues25, 0.1).unwrap().step(&bodies, &mut bonds, &mut state).unwrap_err();
    assert_matches!(cause(error), DemError::Bond(BondError::BondWithoutLength { bond: 1, bodies: [1, 2], .. }));
    assert_eq!(before.position(), state.position());
}

#[test]
fn other_numbers_of_bodies_are_errors_or_nan() {
    let (bodies, state) = row();
    let mut bonds = Bonds::new(&bodies, &state, [Bond::new(0, 1, LAW)]).unwrap();
    let four = Bodies::new([Body::sphere(1.0, 1.0); 4]).unwrap();
    assert!(Bonds::new(&four, &state, []).is_err());
    assert!(bonds.energies(&four, &State::at_rest(4)).total().is_nan());
    let mut state = State::at_rest(4);
    assert!(Explicit::new(Map::Rodrigues25, 0.1).unwrap().step(&four, &mut bonds, &mut state).is_err());
}

#[test]
fn walls_and_gaps_are_checked() {
    assert!(ElasticWall::new(DVec3::ZERO, DVec3::ZERO, 1.0).is_err());
    assert!(ElasticWall::new(DVec3::NAN, DVec3::X, 1.0).is_err());
    for stiffness in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(ElasticWall::new(DVec3::ZERO, DVec3::X, stiffness).is_err());
    }
    assert!(ElasticWall::new(DVec3::ZERO, DVec3::X, 1.0).unwrap().with_old_force_weight(1.1).is_err());
    let (bodies, mut state) = row();
    let mut lost = state.clone();
    lost.position_mut().set(1, DVec3::NAN);
    assert!(ElasticWall::new(DVec3::ZERO, DVec3::X, 1.0).unwrap().energy(&bodies, &lost).is_nan());
    for gap in [-1.0, f64::NAN, f64::INFINITY] {
        assert_matches!(bonded_pairs(&bodies, &state, gap), Err(DemError::InvalidParameter { .. }));
    }
    state.position_mut().set(1, DVec3::NAN);
    assert_matches!(
        bonded_pairs(&bodies, &state, 0.0),
        Err(DemError::List(ListError::PositionNotFinite { body: 1, .. }))
    );
}

fn packing(rows: &[([f64; 3], f64)]) -> (Bodies, State) {
    let body = |&(_, radius): &([f64; 3], f64)| Body { radius, ..Body::spherical(1.0, 1.0) };
    placed(rows.iter().map(body), rows.iter().map(|row| row.0))
}

proptest! {
    #[test]
    fn pairs_are_those_of_a_search_through_all(
        rows in prop::collection::vec(([-5.0..5.0, -1.0..1.0, 3.0..9.0_f64], 0.0..0.6_f64), 0..60),
        stretch in prop::sample::select(vec![1.0, 1e-3, 1e3]),
        gap in 0.0..0.5_f64,
    ) {
        let rows: Vec<_> = rows.into_iter().map(|(x, radius)| (x.map(|c| c * stretch), radius)).collect();
        let (bodies, state) = packing(&rows);
        let close = |&[i, j]: &[usize; 2]| {
            let apart = (state.position().get(i) - state.position().get(j)).length();
            apart <= rows[i].1 + rows[j].1 + gap
        };
        let all = (0..rows.len()).flat_map(|i| (i + 1..rows.len()).map(move |j| [i, j]));
        prop_assert_eq!(bonded_pairs(&bodies, &state, gap).unwrap(), all.filter(close).collect::<Vec<_>>());
    }
}

#[test]
fn far_apart_bodies_need_no_memory() {
    let (bodies, mut state) = packing(&[([0.0; 3], 0.5), ([1.0, 0.0, 0.0], 0.5), ([1e300, -1e300, 1e300], 0.5)]);
    assert_eq!(bonded_pairs(&bodies, &state, 1e-9).unwrap(), [[0, 1]]);
    // The extent of the packing overflows, and so may the reach.
    state.position_mut().set(1, DVec3::X * -1.7e308);
    state.position_mut().set(2, DVec3::splat(1.7e308));
    assert!(bonded_pairs(&bodies, &state, 1e-9).unwrap().is_empty());
    state.position_mut().set(1, DVec3::X);
    assert!(bonded_pairs(&bodies, &state, f64::MAX).unwrap().contains(&[0, 1]));
    state.position_mut().set(2, DVec3::ZERO);
    let law = BondLaw { stretching: 1.0, ..BondLaw::default() };
    assert!(Bonds::of_packing(&bodies, &state, 0.0, law).unwrap_err().to_string().contains("bond 1"));
}

#[test]
fn a_lattice_is_bonded_to_its_nearest_neighbours() {
    let rows: Vec<_> = (0..27).map(|k| ([k % 3, k / 3 % 3, k / 9].map(f64::from), 0.49)).collect();
    let (bodies, state) = packing(&rows);
    let law = BondLaw { stretching: 1.0, ..BondLaw::default() };
    let bonds = Bonds::of_packing(&bodies, &state, 0.03, law).unwrap();
    assert_eq!(bonds.len(), 54);
    assert!(bonds.lengths().all(|length| (length - 1.0).abs() < 1e-15));
    assert!(bonds.iter().all(|bond| bond.bodies[0] < bond.bodies[1]));
}
