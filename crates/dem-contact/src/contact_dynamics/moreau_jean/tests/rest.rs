//! Heaps at rest, overlaps, restarts and failures.

use cd_solve::Status;

use super::*;
use crate::contact_dynamics::RigidContact;
use crate::error::{DemError, LawError, StepError};

const G: f64 = 10.0;

/// Returns the centres (m) of three touching spheres on the floor and of a fourth one on top of them.
fn tetrahedron() -> [DVec3; 4] {
    let across = 3.0_f64.sqrt().recip();
    let up = (2.0_f64 / 3.0).sqrt();
    let base = [0.0, 1.0, 2.0].map(|third: f64| {
        let (sine, cosine) = (third * std::f64::consts::TAU / 3.0).sin_cos();
        DVec3::new(across * cosine, across * sine, RADIUS)
    });
    [base[0], base[1], base[2], DVec3::new(0.0, 0.0, RADIUS + up)]
}

/// Four spheres stand iff μ ≥ √3 − √2 = 0.31784, without creep or energy gain. Forces are not unique, because spheres
/// of the base may press each other by any force; they are within the friction cone and bear the weight.
#[test]
fn four_spheres_stand_or_fall() {
    for (friction, restitution, stands) in [(0.32, 0.0, true), (0.6, 0.5, true), (0.315, 0.0, false)] {
        let places = tetrahedron();
        let coefficients = ContactCoefficients::new(friction, restitution);
        let mut scene = spheres(0.01, coefficients, &places, DVec3::NEG_Z * G);
        scene.steps(if stands { 200 } else { 60 });
        let way = (0..4).map(|i| (scene.place(i) - places[i]).length()).fold(0.0, f64::max);
        assert_eq!(way < 1e-10, stands, "{way} at {friction}");
        if stands {
            assert!(scene.kinetic() < 1e-20, "{}", scene.kinetic());
            for contact in scene.dynamics.contacts() {
                assert!(contact.tangential_force.length() <= friction * contact.force * (1.0 + 1e-12), "{contact:?}");
            }
            assert_near(scene.dynamics.wall_loads()[0].force, -4.0 * G * DVec3::Z, 1e-9);
            assert_eq!(scene.dynamics.report().separations, 0);
        }
    }
}

/// A solver with a warm start has nothing to do at rest. Stored forces turn with their contact.
#[test]
fn the_forces_of_the_last_step_are_the_next_ones() {
    let mut scene = spheres(0.01, ContactCoefficients::new(0.6, 0.0), &tetrahedron(), DVec3::NEG_Z * G);
    scene.steps(2);
    assert_eq!(scene.dynamics.report().iterations, 0, "{:?}", scene.dynamics.report());
    // Turned contacts have the same forces in their own frames.
    let turn = rrp_geom::glam::DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.3);
    let contact = *scene.dynamics.contacts().iter().find(|contact| !contact.with_wall && contact.b == 3).unwrap();
    let turned =
        RigidContact { normal: turn * contact.normal, tangential_force: turn * contact.tangential_force, ..contact };
    let rotation = crate::law::least_rotation::LeastRotation::new(turned.normal, contact.normal);
    let back = rotation.turn(turned.tangential_force);
    assert!(
        back.dot(contact.normal).abs() < 1e-12 && (back.length() - contact.tangential_force.length()).abs() < 1e-12
    );
}

/// A step removes initial overlaps without motion, and reports by how much bodies were lifted.
#[test]
fn overlaps_do_not_become_motion() {
    let places = [RADIUS * DVec3::Z, (3.0 * RADIUS - 0.02) * DVec3::Z];
    let mut scene = spheres(0.01, ContactCoefficients::new(0.5, 0.5), &places, DVec3::NEG_Z * G);
    scene.steps(1);
    let report = *scene.dynamics.report();
    assert!((report.overlap - 0.02).abs() < 1e-12 && report.separations > 0, "{report:?}");
    assert!(scene.kinetic() < 1e-20, "{}", scene.kinetic());
    let gap = scene.place(1).z - scene.place(0).z - 1.0;
    assert!(gap.abs() < 1e-9 && (scene.place(0).z - RADIUS).abs() < 1e-9, "{gap}");
    assert!((report.separation_work + 0.02 * G).abs() < 1e-9 && report.overlap_left <= 0.0, "{report:?}");
    scene.steps(20);
    assert!(scene.kinetic() < 1e-20 && scene.dynamics.report().separations == 0, "{}", scene.kinetic());
}

/// Steps of 1e-3 √(d/g) move spheres at rest by no more than rounding errors.
#[test]
fn spheres_at_rest_do_not_creep() {
    let places = tetrahedron();
    let coefficients = ContactCoefficients::new(0.6, 0.0);
    let mut scene = spheres(1e-3, coefficients, &places, DVec3::NEG_Z);
    scene.dynamics = above_floor(1e-3, RigidMaterials::uniform(coefficients).unwrap(), 1e-10);
    scene.steps(300);
    let way = (0..4).map(|i| (scene.place(i) - places[i]).length()).fold(0.0, f64::max);
    assert!(way < 1e-13 && scene.kinetic() < 1e-24, "{way} {}", scene.kinetic());
    assert_eq!(scene.dynamics.report().separations, 0);
}

fn bits(scene: &Scene) -> Vec<u64> {
    let vectors = (0..scene.bodies.len()).flat_map(|i| [scene.place(i), scene.velocity(i), scene.spin(i)]);
    vectors.flat_map(|vector| vector.to_array().map(f64::to_bits)).collect()
}

/// A run restarted from state and contacts has the same bits as an uninterrupted run.
#[test]
fn a_restart_has_the_same_bits() {
    let start = || {
        let coefficients = ContactCoefficients { rolling: 0.05, ..ContactCoefficients::new(0.3, 0.4) };
        let mut scene = spheres(0.01, coefficients, &tetrahedron(), DVec3::NEG_Z * G);
        scene.set(3, DVec3::new(0.1, 0.3, -1.0), DVec3::X);
        scene
    };
    let mut whole = start();
    whole.steps(25);
    let mut first = start();
    first.steps(12);
    let mut second = start();
    second.state = first.state.clone();
    second.dynamics = second.dynamics.with_contacts(first.dynamics.contacts().to_vec(), first.dynamics.began());
    second.steps(13);
    assert_eq!(bits(&whole), bits(&second));
    assert_eq!(whole.dynamics.contacts(), second.dynamics.contacts());
}

/// Two walls that close on a sphere leave no solution, and the failed step changes nothing.
#[test]
fn walls_that_close_are_refused() {
    let walls =
        [Wall::plane(DVec3::ZERO, DVec3::Z).moving(0.1 * DVec3::Z), Wall::plane(2.0 * RADIUS * DVec3::Z, DVec3::NEG_Z)];
    let scene = spheres(0.01, ContactCoefficients::new(0.3, 0.0), &[RADIUS * DVec3::Z], DVec3::NEG_Z * G);
    let mut scene = scene.with_walls(walls);
    let before = bits(&scene);
    let error = scene.dynamics.step(&scene.bodies, &mut scene.gravity, &mut scene.state).unwrap_err();
    let rrp_integrate::IntegrateError::Method(source) = &error else { panic!("{error:?}") };
    let error: &DemError = source.downcast_ref().unwrap();
    let refused = matches!(error, DemError::Step(StepError::ContactsNotSolved { status: Status::Infeasible, .. }));
    assert!(refused, "{error:?}");
    assert!(before == bits(&scene) && scene.dynamics.contacts().is_empty() && scene.state.time() == 0.0);
}

#[test]
fn coefficients_without_meaning_are_refused() {
    for (friction, restitution) in [(-0.1, 0.0), (f64::NAN, 0.0), (f64::INFINITY, 0.5), (0.1, 1.1), (0.1, -0.1)] {
        let refused = RigidMaterials::uniform(ContactCoefficients::new(friction, restitution));
        assert!(matches!(refused, Err(DemError::InvalidParameter { .. })), "{friction} {restitution}");
    }
    let pairs = |least: f64| RigidMaterials::new(2, |a, b| Ok(ContactCoefficients::new((a + b) as f64 - least, 0.0)));
    let invalid = pairs(1.0).unwrap_err();
    assert!(matches!(invalid, DemError::Law(LawError::InvalidPair { materials: [0, 0], .. })), "{invalid}");
    let materials = pairs(0.0).unwrap();
    assert!(materials.clone().with_numbers(vec![0, 2], Vec::new()).is_err());
    assert!(materials.with_numbers(vec![0, 1], vec![1]).is_ok());
}

/// Two spheres of different materials on one floor have the friction of their own pair of materials.
#[test]
fn friction_by_material() {
    let places = [DVec3::new(0.0, 0.0, RADIUS), DVec3::new(3.0, 0.0, RADIUS)];
    let mut scene = spheres(0.01, ContactCoefficients::default(), &places, DVec3::NEG_Z * G);
    let pairs = RigidMaterials::new(3, |a, b| Ok(ContactCoefficients::new(0.1 * (a + b) as f64, 0.0))).unwrap();
    scene.dynamics = above_floor(0.01, pairs.with_numbers(vec![0, 1], vec![2]).unwrap(), 1e-12);
    scene.set(0, 3.0 * DVec3::X, DVec3::ZERO);
    scene.set(1, 3.0 * DVec3::X, DVec3::ZERO);
    scene.steps(5);
    for (body, friction) in [(0, 0.2), (1, 0.3)] {
        assert!((scene.velocity(body).x - (3.0 - friction * G * 0.05)).abs() < 1e-12, "{}", scene.velocity(body));
    }
    let load = scene.dynamics.wall_loads()[0];
    assert_near(load.force, DVec3::new(0.5 * G, 0.0, -2.0 * G), 1e-11);
    assert_eq!(load.contacts, 2);
}
