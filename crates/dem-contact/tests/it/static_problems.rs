//! Tests of static equilibria with known solutions, and of what the minimiser refuses.

use cd_solve::conformance::{Pyramid, Species};
use cd_solve::{CompatibilitySolver, CompatibleForces};
use dem_contact::error::StaticsError;
use dem_contact::statics::Equilibrium;

use crate::prelude::*;

fn rest(contacts: &ContactForce, (bodies, state): &mut (Bodies, State)) -> Equilibrium {
    let load = gravity_load(bodies, DVec3::NEG_Z);
    EnergyMinimizer::default().minimize(bodies, contacts, &load, state).unwrap()
}

fn floor(law: impl ContactLaw + 'static) -> ContactForce {
    open(law, Frictionless).with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap()
}

#[test]
fn a_column_bears_its_weight() {
    // The column starts far from equilibrium, with the topmost sphere high in the air.
    let mut column = spheres(&[1.0, 2.02, 3.03, 4.0, 6.5].map(|z| DVec3::new(3.0, -2.0, z)));
    let hooke = rest(&floor(Hooke::new(1e5, Damping::restitution(0.5).unwrap()).unwrap()), &mut column);
    assert!(hooke.residual <= 1e-12 && hooke.rattlers == 0 && hooke.contacts.len() == 5, "{hooke:?}");
    let modulus = 1e5;
    let mut again = spheres(&[0.5, 1.5, 2.5, 3.5, 4.5].map(|z| DVec3::new(3.0, -2.0, z)));
    let hertz = rest(&floor(Hertz::new(modulus, Damping::NONE).unwrap()), &mut again);
    for k in 0..4 {
        // Contacts of pairs come first, then the contact with the floor.
        let load = 4.0 - k as f64;
        for (found, overlap) in
            [(&hooke.contacts[k], load / 1e5), (&hertz.contacts[k], (load / (modulus * 0.5)).powf(2.0 / 3.0))]
        {
            assert_eq!((found.a, found.b), (k, Partner::Body(k + 1)));
            assert!((found.normal_force - load).abs() < 1e-11, "{found:?}");
            assert!((found.overlap / overlap - 1.0).abs() < 1e-11, "{found:?}");
        }
    }
    assert!(hooke.contacts[4].b.wall().is_some() && (hooke.contacts[4].normal_force - 5.0).abs() < 1e-11);
    assert!((hooke.mean_force - 3.0).abs() < 1e-11 && hooke.energy_change < 0.0);
    assert!((column.1.position().get(0).z - (0.5 - 5e-5)).abs() < 1e-15);
}

#[test]
fn a_sphere_rolls_into_its_pit() {
    let corner = |k: usize| DVec3::new((2.1 * k as f64).cos(), (2.1 * k as f64).sin(), 0.0) * 0.6;
    let rows = [0, 1, 2, 3].map(|k| if k < 3 { Body::fixed(0.5) } else { Body::sphere(1.0, 0.5) });
    for start in [DVec3::new(0.3, 0.1, 1.2), DVec3::new(-0.3, 0.3, 0.9)] {
        let mut scene = placed(rows, (0..3).map(corner).chain([start]));
        let found = rest(&open(Hooke::new(1e5, Damping::NONE).unwrap(), Frictionless), &mut scene);
        assert_eq!(found.contacts.len(), 3, "{start}: {found:?}");
        let up: DVec3 = found.contacts.iter().map(|contact| contact.normal_force * contact.normal).sum();
        assert!((up - DVec3::Z).length() < 1e-12, "{start}: {up}");
    }
}

/// Balances the pyramid of `[OK18]` of stiff spheres, which start without overlaps.
fn stiff(pyramid: &Pyramid, stiffness: f64) -> Equilibrium {
    let count = pyramid.centre().len();
    let row = |i| if i < pyramid.fixed() { Body::fixed(0.5) } else { Body::sphere(1.0, 0.5) };
    let mut scene = placed((0..count).map(row), pyramid.centre().iter().copied());
    let found = rest(&open(Hooke::new(stiffness, Damping::NONE).unwrap(), Frictionless), &mut scene);
    assert!(found.residual <= 1e-12);
    found
}

#[test]
fn forces_of_stiff_spheres_tend_to_the_compatible_ones() {
    let pyramid = Pyramid::new(4);
    let assembly = pyramid.assembly(Species::Uniform);
    let map = assembly.jacobian().unwrap();
    let mut compatible = vec![0.0; assembly.contacts()];
    let problem = assembly.problem(&map, 2.0).unwrap();
    assert!(CompatibleForces::new(Options::new(1e-13, 100)).solve(&problem, &mut compatible).unwrap().converged());
    let largest = compatible.iter().fold(0.0_f64, |most, &force| most.max(force));
    let errors = [1e4, 1e6, 1e8].map(|stiffness| {
        let found = stiff(&pyramid, stiffness);
        let mut error = 0.0_f64;
        for (pair, &expected) in pyramid.pairs().iter().zip(&compatible) {
            let contact =
                found.contacts.iter().find(|contact| (contact.a, contact.b) == (pair[0], Partner::Body(pair[1])));
            error = error.max((contact.map_or(0.0, |contact| contact.normal_force) - expected).abs() / largest);
        }
        error
    });
    println!("difference from the compatible forces: {errors:?}");
    // The difference is of first order in the compliance.
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1] / 100.0 - 1.0).abs() < 0.1, "{errors:?}");
    }
    assert!(errors[2] < 1e-6);
    assert_eq!(stiff(&Pyramid::new(6), 1e6).rattlers, 0);
}

#[test]
fn a_damped_run_ends_in_the_same_state() {
    // A heap between walls, whose spheres lie in the pits of the layer below.
    let mut centers = Vec::new();
    for (k, side) in [4, 3, 2].into_iter().enumerate() {
        for cell in 0..side * side {
            let [x, y] = [cell % side, cell / side].map(|c| c as f64 + 0.5 + 0.5 * k as f64);
            centers.push(DVec3::new(x, y, 0.5 + 0.7072 * k as f64));
        }
    }
    let (bodies, mut found) = spheres(&centers);
    let box_walls = Wall::inside_of_box(DVec3::ZERO, DVec3::new(4.0, 4.0, 10.0));
    let law = |damping| Hooke::new(1e4, damping).unwrap();
    let make = |damping| open(law(damping), Frictionless).with_walls(box_walls.clone()).unwrap();
    let load = gravity_load(&bodies, DVec3::NEG_Z);
    let minimum = EnergyMinimizer::default().minimize(&bodies, &make(Damping::NONE), &load, &mut found).unwrap();
    assert!(minimum.residual <= 1e-12 && minimum.rattlers == 0);
    // Another start and slow dynamics end in the same state.
    let mut run = found.clone();
    for i in 0..bodies.len() {
        let sign = |k: usize| if (i + k).is_multiple_of(3) { 1e-3 } else { -1e-3 };
        run.position_mut().add(i, DVec3::new(sign(0), sign(1), sign(2)));
    }
    let mut other = run.clone();
    let again = EnergyMinimizer::default().minimize(&bodies, &make(Damping::NONE), &load, &mut other).unwrap();
    let mut field = Both(make(Damping::coefficient(60.0).unwrap()), Gravity { acceleration: DVec3::NEG_Z });
    advance(&bodies, &mut field, &mut run, 2e-3, 60_000);
    let furthest = |state: &State| apart(state.position(), found.position());
    println!("another start ends {:e} away, the damped run {:e}", furthest(&other), furthest(&run));
    assert!(furthest(&other) < 1e-12 && furthest(&run) < 1e-9, "{:e} {:e}", furthest(&other), furthest(&run));
    for (a, b) in minimum.contacts.iter().zip(&again.contacts) {
        assert!((a.a, a.b) == (b.a, b.b) && (a.normal_force - b.normal_force).abs() < 1e-10, "{a:?} {b:?}");
    }
}

/// The force on a body far lighter than another is accurate, too. The light body starts in the air.
#[test]
fn a_light_body_bears_its_own_weight() {
    let mut scene = placed([1.0, 1e-9].map(|mass| Body::sphere(mass, 0.5)), [[0.0, 0.0, 0.5], [3.0, 0.0, 0.501]]);
    let found = rest(&floor(Hooke::new(1e5, Damping::NONE).unwrap()), &mut scene);
    for (contact, weight) in found.contacts.iter().zip([1.0, 1e-9]) {
        assert!((contact.normal_force / weight - 1.0).abs() < 1e-8, "{contact:?}");
    }
    assert!(found.contacts.len() == 2 && found.body_residual < 1e-8 && found.energy_change < 0.0, "{found:?}");
}

/// Columns in which masses differ by up to 1e12. Overlaps of the light ones are far below the last digit of a position.
#[test]
fn columns_of_heavy_and_light_bodies_bear_their_weights() {
    let masses: [&[f64]; 4] =
        [&[1.0, 1e-12], &[1e-12, 1.0, 1e-6], &[1.0, 1e-12, 1e-12, 1e-12], &[1.0, 1e-5, 1e-12, 1e-3, 1e-10]];
    for mass in masses {
        let centers = (0..mass.len()).map(|i| DVec3::Z * (0.5 + i as f64));
        let scene = placed(mass.iter().map(|&mass| Body::sphere(mass, 0.5)), centers);
        let hooke = Hooke::new(1e5, Damping::NONE).unwrap();
        let hertz = Hertz::new(1e5, Damping::NONE).unwrap();
        for contacts in [floor(hooke), floor(hertz)] {
            let found = rest(&contacts, &mut scene.clone());
            assert_eq!(found.contacts.len(), mass.len());
            for contact in &found.contacts {
                let above = contact.b.body().map_or(0, |b| b.max(contact.a));
                let weight: f64 = mass[above..].iter().rev().sum();
                assert!((contact.normal_force / weight - 1.0).abs() < 1e-8, "{mass:?}: {contact:?} for {weight}");
            }
            assert!(found.body_residual < 1e-8, "{mass:?}: {found:?}");
        }
    }
}

fn refuse(contacts: &ContactForce, (bodies, mut state): (Bodies, State), load: &VectorColumn) -> DemError {
    let before = bits(&state);
    let error =
        EnergyMinimizer::new(1e-12, 200_000).unwrap().minimize(&bodies, contacts, load, &mut state).unwrap_err();
    assert_eq!(bits(&state), before, "{error}");
    error
}

fn law() -> Hooke {
    Hooke::new(1e4, Damping::NONE).unwrap()
}

fn down(count: usize) -> VectorColumn {
    (0..count).map(|_| DVec3::NEG_Z).collect()
}

#[test]
fn loads_that_nothing_holds_are_refused() {
    let wall = |normal| open(law(), Frictionless).with_walls([Wall::plane(DVec3::ZERO, normal)]).unwrap();
    let pair = || spheres(&[DVec3::new(0.0, 0.0, 2.0), DVec3::new(0.3, 0.0, 3.0)]);
    for contacts in [open(law(), Frictionless), wall(DVec3::NEG_Z), wall(DVec3::X), wall(DVec3::new(0.1, 0.0, 1.0))] {
        assert_matches!(refuse(&contacts, pair(), &down(2)), DemError::Statics(StaticsError::Unsupported { .. }));
    }
    // In a periodic domain without walls bodies would fall for ever.
    let domain = Domain::new(DVec3::ZERO, DVec3::splat(5.0), [Boundary::Periodic; 3]).unwrap();
    let endless = contacts(NeighborList::new(domain, 0.1).unwrap(), law(), Frictionless);
    assert_matches!(refuse(&endless, pair(), &down(2)), DemError::Statics(StaticsError::Unsupported { .. }));
    // A sphere rolls off its support.
    let scene = placed([Body::fixed(0.5), Body::sphere(1.0, 0.5)], [[0.0; 3], [0.1, 0.0, 1.0]]);
    let error = refuse(&open(law(), Frictionless), scene, &down(2));
    assert_matches!(error, DemError::Statics(StaticsError::Unsupported { body: 1, .. }));
}

#[test]
fn nonsense_is_refused() {
    for tolerance in [0.0, -1.0, f64::NAN] {
        assert_matches!(EnergyMinimizer::new(tolerance, 1), Err(DemError::InvalidParameter { .. }));
    }
    let contacts = open(law(), Frictionless).with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
    let one = || spheres(&[DVec3::new(0.0, 0.0, 0.7)]);
    assert_matches!(refuse(&contacts, one(), &down(2)), DemError::LengthMismatch { what: "loads", .. });
    let endless: VectorColumn = [DVec3::new(0.0, f64::NAN, 0.0)].into_iter().collect();
    assert_matches!(refuse(&contacts, one(), &endless), DemError::Statics(StaticsError::InvalidLoad { body: 0, .. }));
    let sunk = spheres(&[DVec3::new(0.0, 0.0, -0.7)]);
    assert_matches!(
        refuse(&contacts, sunk, &down(1)),
        DemError::Contact(ContactError::BehindWall { body: 0, wall: 0, .. })
    );
    let deep = spheres(&[DVec3::Z, DVec3::new(0.1, 0.0, 1.0)]);
    assert_matches!(refuse(&contacts, deep, &down(2)), DemError::Contact(ContactError::OverlapTooLarge { .. }));
    let (bodies, mut state) = spheres(&[DVec3::new(0.0, 0.0, 9.0)]);
    let error = EnergyMinimizer::new(1e-12, 3).unwrap().minimize(&bodies, &contacts, &down(1), &mut state).unwrap_err();
    assert_matches!(error, DemError::Statics(StaticsError::NoEquilibrium { steps: 3, .. }));
}

#[test]
fn a_precision_beyond_reach_ends() {
    let contacts = open(law(), Frictionless).with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
    let (bodies, mut state) =
        spheres(&[DVec3::new(0.0, 0.0, 0.5), DVec3::new(0.3, 0.0, 2.0), DVec3::new(3.0, 0.1, 0.5)]);
    let before = bits(&state);
    match EnergyMinimizer::new(1e-300, 1_000_000).unwrap().minimize(&bodies, &contacts, &down(3), &mut state) {
        Err(DemError::Statics(StaticsError::NoEquilibrium { residual, .. })) => {
            assert!(residual < 1e-6 && bits(&state) == before)
        }
        // Sums of two numbers can balance to the last bit.
        Ok(found) => assert!(found.residual <= 1e-300),
        Err(error) => panic!("{error}"),
    }
}
