//! Impacts with friction, and their energy.

use rrp_geom::Attitude;

use super::*;
use crate::cuboid::shape::Cuboid;

/// An impact on a wall sticks iff |s| ≤ 7/2 μ (1+e) |vₙ|: Δvₜ = −2/7 s; else Δvₜ = −μ (1+e) |vₙ| s/|s|.
#[test]
fn a_sphere_bounces_with_spin() {
    let velocity = DVec3::new(1.0, 0.3, -2.0);
    let spin = DVec3::new(3.0, -4.0, 5.0);
    let slip = (velocity + spin.cross(-RADIUS * DVec3::Z)).reject_from(DVec3::Z);
    for restitution in [0.0, 0.5, 1.0] {
        let sticks_from = slip.length() / (3.5 * (1.0 + restitution) * 2.0);
        for friction in [0.0, 0.4, 0.999, 1.001, 2.0].map(|part| part * sticks_from) {
            for gap in [0.0, 0.005] {
                let coefficients = ContactCoefficients::new(friction, restitution);
                let mut scene = on_floor(0.01, coefficients, DVec3::ZERO, velocity, spin);
                scene.state.position_mut().set(0, (RADIUS + gap) * DVec3::Z);
                scene.steps(3);
                let normal_impulse = (1.0 + restitution) * 2.0;
                let least = (2.0 / 7.0 * slip.length()).min(friction * normal_impulse);
                // Without restitution the sphere first lands, and stops in the next step.
                let change = DVec3::Z * normal_impulse - least * slip.normalize();
                assert_near(scene.velocity(0), velocity + change, 1e-12);
                let expected = spin + 2.5 / (RADIUS * RADIUS) * (-RADIUS * DVec3::Z).cross(change);
                assert_near(scene.spin(0), expected, 1e-11);
            }
        }
    }
}

/// Two equal spheres that strike each other: the normal impulse is m (1+e) |vₙ|/2, and m s/7 stops the slip s.
#[test]
fn two_spheres_strike_each_other() {
    let normal = DVec3::new(2.0, -1.0, 2.0) / 3.0;
    let velocity = DVec3::new(1.0, 2.0, 0.5);
    let spins = [DVec3::new(0.3, -1.0, 2.0), DVec3::new(-2.0, 0.4, 0.1)];
    for (friction, restitution) in [(0.05, 0.8), (5.0, 0.3), (0.3, 1.0)] {
        let places = [DVec3::ZERO, (1.0 + 1e-3) * normal].map(|place| place + 10.0 * DVec3::Z);
        let mut scene = spheres(0.01, ContactCoefficients::new(friction, restitution), &places, DVec3::ZERO);
        let approach = velocity.reject_from(normal) - 1.5 * normal;
        scene.set(0, -0.5 * approach, spins[0]);
        scene.set(1, 0.5 * approach, spins[1]);
        scene.steps(1);
        let slip = (approach + (spins[0] + spins[1]).cross(-RADIUS * normal)).reject_from(normal);
        let normal_impulse = 0.5 * (1.0 + restitution) * 1.5;
        let along = (slip.length() / 7.0).min(friction * normal_impulse);
        let impulse = normal_impulse * normal - along * slip.normalize();
        assert_near(scene.velocity(1), 0.5 * approach + impulse, 1e-12);
        assert_near(scene.velocity(0), -0.5 * approach - impulse, 1e-12);
        let turn = 2.5 / (RADIUS * RADIUS) * (-RADIUS * normal).cross(impulse);
        assert_near(scene.spin(0), spins[0] + turn, 1e-11);
        assert_near(scene.spin(1), spins[1] + turn, 1e-11);
        assert!((scene.dynamics.contacts()[0].force * 0.01 - normal_impulse).abs() < 1e-12);
    }
}

/// Between moving walls the kinetic energy changes by the work of the walls less the energy that contacts dissipate.
#[test]
fn the_ledger_of_impacts_is_exact() {
    let places = [DVec3::new(0.0, 0.0, 0.7), DVec3::new(0.3, 0.1, 1.9), DVec3::new(-0.2, 0.6, 3.1)];
    let walls = [
        Wall::plane(DVec3::ZERO, DVec3::Z).moving(DVec3::new(0.5, 0.0, 1.0)),
        Wall::plane(4.0 * DVec3::Z, -DVec3::Z).rotating(DVec3::new(0.0, 0.0, 2.0)),
    ];
    let scene = spheres(0.01, ContactCoefficients::new(0.4, 0.7), &places, DVec3::ZERO);
    let mut scene = scene.with_walls(walls);
    scene.set(0, DVec3::new(0.2, 0.0, 1.0), DVec3::new(1.0, 2.0, 3.0));
    scene.set(1, DVec3::new(0.0, -0.1, -2.0), DVec3::ZERO);
    scene.set(2, DVec3::new(0.0, 0.3, 1.0), DVec3::NEG_X);
    let mut dissipated = 0.0;
    let mut worked = 0.0;
    for _ in 0..60 {
        let before = scene.kinetic();
        scene.steps(1);
        let report = scene.dynamics.report();
        let change = scene.kinetic() - before;
        assert!((change - report.wall_work + report.dissipated).abs() < 1e-13 * before, "{change}");
        assert!(report.dissipated >= -1e-12 && report.separations == 0, "{report:?}");
        (dissipated, worked) = (dissipated + report.dissipated, worked + report.wall_work.abs());
    }
    assert!(dissipated > 0.1 && worked > 0.1, "{dissipated} {worked}");
}

/// Kane's example: a plank hits the floor with two corners, and friction stops their slip. Newton's law with e = 1
/// would gain half of the energy, so the impact is repeated without restitution; without friction it is not.
#[test]
fn an_impact_that_would_gain_energy_is_repeated() {
    for (friction, dropped) in [(1.0, 2), (0.0, 0)] {
        let plank = Cuboid { body: 0, half_extents: DVec3::new(1.0, 0.1, 0.1) };
        let mut scene = spheres(0.01, ContactCoefficients::new(friction, 1.0), &[DVec3::ZERO], DVec3::ZERO);
        scene.bodies = Bodies::new([Cuboid::homogeneous(1.0, plank.half_extents)]).unwrap();
        let (sine, cosine) = 0.78_f64.sin_cos();
        let attitude = Attitude::from_rotation_vector(0.78 * DVec3::Y).unwrap();
        scene.state.attitude_mut().set(0, attitude);
        scene.state.position_mut().set(0, (sine + 0.1 * cosine + 1e-4) * DVec3::Z);
        scene.set(0, DVec3::NEG_Z, 2.4 * DVec3::Y);
        scene.dynamics = scene.dynamics.with_cuboids([plank]).unwrap();
        let before = scene.kinetic();
        scene.steps(1);
        let report = *scene.dynamics.report();
        assert_eq!((report.without_restitution, report.problems), (dropped, 1 + dropped.min(1)), "{report:?}");
        let part = scene.kinetic() / before;
        if dropped > 0 {
            assert!(part < 0.999 && report.dissipated > 0.0, "{part}");
        } else {
            assert!((part - 1.0).abs() < 1e-9, "{part}");
        }
    }
}

/// The powers of the contacts add up to the dissipation of the step.
#[test]
fn powers_of_contacts_add_up() {
    let coefficients = ContactCoefficients { rolling: 0.04, twisting: 0.02, ..ContactCoefficients::new(0.3, 0.4) };
    let places = [RADIUS * DVec3::Z, DVec3::new(0.3, 0.1, 3.0 * RADIUS), DVec3::new(3.0, 0.0, RADIUS)];
    let mut scene = spheres(0.01, coefficients, &places, DVec3::NEG_Z * 10.0);
    scene.set(1, DVec3::new(0.5, -0.2, -3.0), DVec3::new(1.0, 2.0, 3.0));
    scene.set(2, 2.0 * DVec3::X, 4.0 * DVec3::Z);
    for _ in 0..10 {
        scene.steps(1);
        let power: f64 = scene.dynamics.contacts().iter().map(|contact| contact.power_by_motion.total()).sum();
        let dissipated = scene.dynamics.report().dissipated;
        assert!((0.01 * power - dissipated).abs() < 1e-12 * dissipated.abs().max(1.0), "{power} {dissipated}");
    }
    // The third sphere slides at 2 − μ g t; its spin about the normal is slowed by μ_w g/0.1.
    let last = *scene.dynamics.contacts().iter().find(|contact| contact.a == 2).unwrap();
    let slip = 2.0 - 3.5 * 0.3 * 10.0 * 0.095 + 2.5 * 0.04 * 10.0 * 0.095;
    assert!(last.power_by_motion.normal.abs() < 1e-11 && last.power_by_motion.rolling > 0.0, "{last:?}");
    assert!((last.power_by_motion.sliding - 3.0 * slip).abs() < 1e-7, "{last:?} {slip}");
    assert!((last.power_by_motion.twisting - 0.2 * (4.0 - 2.0 * 0.095)).abs() < 1e-7, "{last:?}");
}

/// Takes one step of a row of balls in the air. Returns the ratio of kinetic energies after and before, and the scene.
fn struck_row(friction: f64, restitution: f64, masses: &[f64], places: &[f64], speeds: &[f64]) -> (f64, Scene) {
    let at: Vec<DVec3> = places.iter().map(|&x| DVec3::new(x, 0.0, 9.0)).collect();
    let mut scene = spheres(0.02, ContactCoefficients::new(friction, restitution), &at, DVec3::ZERO);
    scene.bodies = Bodies::new(masses.iter().map(|&mass| Body::sphere(mass, RADIUS))).unwrap();
    speeds.iter().enumerate().for_each(|(i, &speed)| scene.set(i, speed * DVec3::X, DVec3::ZERO));
    let before = scene.kinetic();
    scene.steps(1);
    (scene.kinetic() / before, scene)
}

/// Elastic impacts follow each other within a step: only the last ball of a row moves on.
#[test]
fn rows_that_meet_within_a_step_keep_their_energy() {
    for (count, gap) in [(2, 1e-3), (5, 1e-3), (5, 1e-5), (12, 3e-4)] {
        let places: Vec<f64> = (0..count).map(|i| (1.0 + gap) * f64::from(i)).collect();
        let mut speeds = vec![0.0; places.len()];
        speeds[0] = 1.0;
        for friction in [0.0, 0.3] {
            let (kept, scene) = struck_row(friction, 1.0, &vec![1.0; places.len()], &places, &speeds);
            assert!((kept - 1.0).abs() < 1e-12, "{count} at {gap}: {kept}");
            let last = scene.velocity(places.len() - 1);
            assert!((last - DVec3::X).length() < 1e-12, "{count} at {gap}: {last}");
            let report = scene.dynamics.report();
            let passes = if count == 2 { 0 } else { places.len() - 1 };
            assert!(report.impact_passes == passes && report.dissipated.abs() < 1e-12, "{report:?}");
        }
    }
    // Different masses and gaps, with balls moving from both ends.
    let places = [0.0, 1.001, 2.0015, 3.002, 4.004];
    let speeds = [1.0, 0.2, 0.0, -0.1, -0.7];
    for masses in [[1.0, 2.0, 0.3, 5.0, 1.0], [3.0, 1.0, 4.0, 1.0, 5.0]] {
        let (kept, scene) = struck_row(0.3, 1.0, &masses, &places, &speeds);
        // Each pass is solved to the tolerance of the solver.
        assert!((kept - 1.0).abs() < 1e-11, "{masses:?}: {kept}");
        let moved: f64 = (0..5).map(|i| masses[i] * (scene.velocity(i).x - speeds[i])).sum();
        assert!(moved.abs() < 1e-11 && !scene.dynamics.report().unfinished_impacts, "{moved}");
        let apart = |i: usize| scene.velocity(i + 1).x - scene.velocity(i).x;
        assert!((0..4).all(|i| apart(i) > -1e-9), "{:?}", [0, 1, 2, 3].map(apart));
    }
}

/// In a row of balls each impact passes (1 + e)/2 of the speed to the next ball, also on a floor with friction.
#[test]
fn impacts_of_a_row_follow_newtons_law() {
    let places = [0.0, 1.001, 2.002, 3.003];
    let (_, scene) = struck_row(0.3, 0.8, &[1.0; 4], &places, &[1.0, 0.0, 0.0, 0.0]);
    assert!((scene.velocity(3).x - 0.9_f64.powi(3)).abs() < 1e-12, "{}", scene.velocity(3));
    let at = places.map(|x| DVec3::new(x, 0.0, RADIUS));
    let mut scene = spheres(0.02, ContactCoefficients::new(0.3, 0.8), &at, DVec3::NEG_Z * 10.0);
    scene.set(0, DVec3::X, 2.0 * DVec3::Y);
    scene.steps(1);
    let last = scene.velocity(3);
    let report = scene.dynamics.report();
    assert!(last.x > 0.6 && last.x < 0.73 && last.z.abs() < 1e-9 && report.impact_passes >= 3, "{last} {report:?}");
    assert!(report.dissipated > 0.0 && report.overlap < 1e-9, "{report:?}");
}
