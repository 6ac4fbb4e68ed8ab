//! Tests of ties: a tied pair that a third sphere hits, `[DK21]` section 3.3, against LAMMPS, and misuse.

use rrp_integrate::StepReport;
use rrp_integrate::field::Sum;

use crate::prelude::*;

/// Largest differences from LAMMPS of forces, in terms of the peak force, and of positions, in diameters.
fn differences(
    rows: &[&std::collections::HashMap<String, String>],
    bodies: &Bodies,
    ties: &Ties,
    mut to_step: impl FnMut(usize) -> (State, Vec<Contact>),
) -> [f64; 2] {
    let peak = rows.iter().map(|row| number(row, "contact_force_13").abs()).fold(0.0, f64::max);
    let mut worst = [0.0_f64; 2];
    for row in rows {
        let (state, contacts) = to_step(number(row, "step") as usize);
        let normal = |a: usize, b: usize| {
            contacts.iter().find(|c| (c.a, c.b) == (a, Partner::Body(b))).map_or(0.0, |contact| contact.normal_force)
        };
        for (ours, theirs) in [
            (ties.force(bodies, &state, 0), "bond_force"),
            (normal(0, 2), "contact_force_13"),
            (normal(1, 2), "contact_force_23"),
        ] {
            worst[0] = worst[0].max((ours - number(row, theirs)).abs() / peak);
        }
        for (i, [x, y]) in [["x1", "y1"], ["x2", "y2"], ["x3", "y3"]].into_iter().enumerate() {
            let theirs = DVec3::new(number(row, x), number(row, y), 0.0);
            worst[1] = worst[1].max((state.position().get(i) - theirs).length());
        }
    }
    assert!(peak > 500.0, "{peak}");
    worst
}

#[test]
fn a_tied_pair_moves_as_in_lammps() {
    let data = csv("bonded.csv");
    for geometry in ["collinear", "oblique45"] {
        for ratio in [1.0, 4.0] {
            let rows: Vec<_> = data
                .iter()
                .filter(|row| row["geometry"] == geometry && (number(row, "kB_over_k") - ratio).abs() < 0.1)
                .collect();
            let at = |x: &str, y: &str| DVec3::new(number(rows[0], x), number(rows[0], y), 0.0);
            let (bodies, mut start) = spheres(&[at("x1", "y1"), at("x2", "y2"), at("x3", "y3")]);
            for (i, v) in [1.0, 1.0, -1.0].into_iter().enumerate() {
                start.velocity_mut().set(i, DVec3::X * v);
            }
            let ties = Ties::of_contacts(&bodies, &start, Domain::OPEN, ratio * STIFFNESS).unwrap();
            assert_eq!(ties.pairs(), [[0, 1]]);
            let law = Hooke::new(STIFFNESS, Damping::NONE).unwrap();
            let dt = number(rows[0], "dt");
            let mut found = Vec::new();
            for form in
                [DiscreteForm::SECOND_ORDER, DiscreteForm::MarsdenWest { alpha: 0.0 }, DiscreteForm::ExactEnergy]
            {
                let mut map = ImplicitDem::new(open(law, Frictionless), dt).unwrap().with_form(form).unwrap();
                map = map.with_ties(ties.clone());
                let mut state = start.clone();
                let mut step = 0;
                found.push(differences(&rows, &bodies, &ties, |until| {
                    while step < until {
                        map.step(&bodies, &mut NoForce, &mut state).unwrap();
                        step += 1;
                    }
                    (state.clone(), map.contacts().contacts(&bodies, &state).unwrap())
                }));
            }
            // Ties are also a field of explicit steps.
            let list = NeighborList::new(Domain::OPEN, 0.1).unwrap().without_pairs(ties.pairs().iter().copied());
            let mut field = Both(contacts(list, law, Frictionless), ties.clone());
            let mut state = start.clone();
            let mut step = 0;
            found.push(differences(&rows, &bodies, &ties, |until| {
                advance(&bodies, &mut field, &mut state, dt, until - step);
                step = until;
                (state.clone(), field.0.contacts(&bodies, &state).unwrap())
            }));
            println!("{geometry}, k_B = {ratio} k: {found:?}");
            assert!(found.iter().all(|[force, place]| *force < 0.01 && *place < 1e-3), "{geometry} {ratio}: {found:?}");
        }
    }
}

#[test]
fn what_is_no_tie_is_refused() {
    for pairs in [vec![[0, 0]], vec![[0, 3]], vec![[0, 1], [1, 0]]] {
        let error = Ties::new(Domain::OPEN, 3, pairs.clone(), 1.0);
        assert_matches!(error, Err(DemError::Bond(BondError::InvalidLink { what: "tie", .. })), "{pairs:?}");
    }
    for stiffness in [0.0, -1.0, f64::NAN] {
        assert_matches!(Ties::new(Domain::OPEN, 3, [], stiffness), Err(DemError::InvalidParameter { .. }));
    }
    let cube = Domain::new(DVec3::ZERO, DVec3::ONE, [Boundary::Periodic; 3]).unwrap();
    let shear = rrp_geom::glam::DMat3::from_cols(DVec3::ZERO, DVec3::X, DVec3::ZERO);
    assert!(Ties::new(cube.deforming(0.0, shear).unwrap(), 2, [[0, 1]], 1.0).is_err());
}

#[test]
fn pairs_within_a_hundredth_of_a_diameter_are_tied() {
    for (distance, count) in [(1.0095, 1), (0.9905, 1), (1.0105, 0), (0.9895, 0)] {
        let (bodies, state) = spheres(&[DVec3::ZERO, DVec3::X * distance]);
        let ties = Ties::of_contacts(&bodies, &state, Domain::OPEN, 1.0).unwrap();
        assert_eq!(ties.pairs().len(), count, "{distance}");
    }
}

/// A tie replaces the contact of its pair, since both together would push twice.
#[test]
fn a_tied_pair_with_a_contact_is_refused() {
    let (bodies, start) = spheres(&[DVec3::ZERO, DVec3::X * 0.999, DVec3::X * 1.998]);
    let ties = || Ties::new(Domain::OPEN, 3, [[0, 1]], 1e3).unwrap();
    let law = Hooke::new(1e3, Damping::NONE).unwrap();
    let left_out = |pairs: &[[usize; 2]]| {
        let list = NeighborList::new(Domain::OPEN, 0.1).unwrap().without_pairs(pairs.iter().copied());
        ContactForce::new(list, Laws::of(law, Frictionless))
    };
    let step = |field: &mut dyn ForceField| {
        let mut state = start.clone();
        let outcome = Explicit::new(Map::Verlet, 1e-3).unwrap().step(&bodies, field, &mut state);
        assert!(outcome.is_ok() || state == start);
        outcome
    };
    let is_refused = |outcome: Result<StepReport, IntegrateError>| {
        let error = outcome.unwrap_err();
        assert!(error.to_string().contains("bodies 0 and 1 have a contact and a tie"), "{error}");
    };
    is_refused(step(&mut Both(left_out(&[[1, 2]]), ties())));
    is_refused(step(&mut Both(ties(), Both(Gravity { acceleration: DVec3::Z }, left_out(&[])))));
    is_refused(step(&mut Both(Both(NoForce, ties()), EnergyGuard::new(left_out(&[]), 0.5, 10).unwrap())));
    let fields: Vec<Box<dyn ForceField>> = vec![Box::new(NoForce), Box::new(ties()), Box::new(left_out(&[]))];
    is_refused(step(&mut Sum(fields)));
    assert!(step(&mut Both(left_out(&[[1, 0]]), ties())).is_ok());
    // Contacts of an implicit step count, too.
    let mut state = start.clone();
    let mut map = ImplicitDem::new(left_out(&[]), 1e-3).unwrap();
    assert_matches!(
        map.step(&bodies, &mut ties(), &mut state),
        Err(IntegrateError::ContactReplacedTwice { pair: [0, 1] })
    );
}
