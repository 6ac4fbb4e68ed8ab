//! Tests of restitution: two spheres, rows of spheres, stacks.

use crate::contact_dynamics::support::{advance, classic, distance, on_floor, pgs};
use crate::prelude::*;

/// Spheres along `axis` with these masses, radii, places of centres and speeds.
fn row(axis: DVec3, spheres: &[[f64; 4]]) -> (Bodies, State) {
    let rows = spheres.iter().map(|[mass, radius, ..]| Body::sphere(*mass, *radius));
    let (bodies, mut state) = placed(rows, spheres.iter().map(|row| row[2] * axis));
    spheres.iter().enumerate().for_each(|(i, row)| state.velocity_mut().set(i, row[3] * axis));
    (bodies, state)
}

/// Spheres separate at the requested speed for any gap at the start of the step.
#[test]
fn two_spheres_part_as_requested() {
    let axis = DVec3::new(2.0, -1.0, 2.0) / 3.0;
    for restitution in [0.0, 0.25, 0.5, 0.9, 1.0] {
        for gap in [0.0, 1e-6, 0.0123, 0.31] {
            for (name, solver) in classic(1e-14) {
                let (bodies, mut state) = row(axis, &[[1.0, 0.5, 0.0, 1.5], [3.0, 0.2, 0.7 + gap, -0.5]]);
                let dynamics = ContactDynamics::new(0.01, open_list(0.05), solver).unwrap();
                let mut dynamics = dynamics.with_restitution(restitution).unwrap();
                advance(&mut dynamics, &bodies, &mut NoForce, &mut state, 30);
                let velocity = [0, 1].map(|i| state.velocity().get(i).dot(axis));
                let relative = velocity[1] - velocity[0];
                let error = (relative - 2.0 * restitution).abs() / 2.0;
                assert!(error < 1e-12, "{name}, e = {restitution}, gap {gap}: {relative}, off by {error:e}");
                assert!((velocity[0] + 3.0 * velocity[1]).abs() < 1e-14);
            }
        }
    }
}

/// With gaps that take longer than a step, impacts come one after the other and the last ball flies off alone.
#[test]
fn newtons_cradle_with_gaps() {
    let spheres: Vec<[f64; 4]> =
        (0..5).map(|i| [2.0, 0.5, 1.03 * f64::from(i), if i == 0 { 1.0 } else { 0.0 }]).collect();
    let (bodies, mut state) = row(DVec3::X, &spheres);
    let mut dynamics = ContactDynamics::new(0.01, open_list(0.1), pgs(1e-14)).unwrap().with_restitution(1.0).unwrap();
    advance(&mut dynamics, &bodies, &mut NoForce, &mut state, 60);
    for i in 0..5 {
        let expected = if i == 4 { DVec3::X } else { DVec3::ZERO };
        assert!((state.velocity().get(i) - expected).length() < 1e-12, "ball {i}: {}", state.velocity().get(i));
    }
}

/// Impacts at touching balls are simultaneous. Newton's law at all contacts of a row of n lets the other balls move on
/// together at 2/n, and conserves momentum and energy. Steel balls behave differently: their impacts follow each other
/// as those above.
#[test]
fn a_touching_row_is_one_impact() {
    for count in [3, 5, 8] {
        let spheres: Vec<[f64; 4]> =
            (0..count).map(|i| [2.0, 0.5, f64::from(i), if i == 0 { 1.0 } else { 0.0 }]).collect();
        let (bodies, mut state) = row(DVec3::X, &spheres);
        let dynamics = ContactDynamics::new(0.01, open_list(0.1), pgs(1e-14)).unwrap();
        let mut dynamics = dynamics.with_restitution(1.0).unwrap();
        advance(&mut dynamics, &bodies, &mut NoForce, &mut state, 1);
        let share = 2.0 / f64::from(count);
        for (i, velocity) in state.velocity().iter().enumerate() {
            let expected = if i == 0 { share - 1.0 } else { share };
            assert!((velocity.x - expected).abs() < 1e-11, "{count} balls, ball {i}: {velocity}");
        }
    }
}

/// A light ball falls on top of a heavy one: the floor turns the heavy one around, which throws the light one.
#[test]
fn a_falling_stack_throws_the_ball_on_top() {
    for restitution in [1.0, 0.8, 0.3] {
        let heavy = 3.0;
        let light = 0.5;
        let (bodies, mut state) = row(DVec3::Z, &[[heavy, 0.5, 0.61, -1.0], [light, 0.2, 1.36, -1.0]]);
        let mut dynamics = on_floor(0.01, 1e-14, restitution);
        advance(&mut dynamics, &bodies, &mut NoForce, &mut state, 25);
        // There are two impacts: with the floor, then at the relative speed 1 + e.
        let mean = (heavy * restitution - light) / (heavy + light);
        let apart = restitution * (1.0 + restitution);
        let expected = [mean - light / (heavy + light) * apart, mean + heavy / (heavy + light) * apart];
        let velocity = [0, 1].map(|i| state.velocity().get(i).z);
        if expected[0] > 0.0 {
            assert!((velocity[0] - expected[0]).abs() < 1e-12, "{velocity:?} for {expected:?}");
        }
        assert!((velocity[1] - expected[1]).abs() < 1e-12, "e = {restitution}: {velocity:?} for {expected:?}");
    }
}

/// Speeds after bounces under gravity are eᵏ times the first one, up to the effect of gravity within two steps.
#[test]
fn a_ball_bounces_at_powers_of_the_restitution() {
    let restitution = 0.8;
    let weight = Gravity { acceleration: DVec3::NEG_Z };
    for dt in [1e-3, 1e-4] {
        let (bodies, mut state) = row(DVec3::Z, &[[1.0, 0.5, 1.5, 0.0]]);
        let mut dynamics = on_floor(dt, 1e-14, restitution);
        let mut bounces = Vec::new();
        let mut before = 0.0;
        while bounces.len() < 6 {
            dynamics.step(&bodies, &mut weight.clone(), &mut state).unwrap();
            let speed = state.velocity().get(0).z;
            if speed > 0.0 && before < 0.0 {
                bounces.push(speed);
            }
            before = speed;
        }
        for (k, speed) in bounces.iter().enumerate() {
            let expected = 2.0_f64.sqrt() * restitution.powi(k as i32 + 1);
            assert!((speed - expected).abs() < 6.0 * dt, "dt = {dt}, bounce {k}: {speed} for {expected}");
        }
    }
}

/// A stack of three comes to rest with the weights of the balls above on each contact.
#[test]
fn a_bouncing_stack_comes_to_rest() {
    let mut weight = Gravity { acceleration: DVec3::NEG_Z };
    let (bodies, mut state) = row(DVec3::Z, &[[1.0, 0.5, 0.6, 0.0], [2.0, 0.5, 1.7, 0.0], [3.0, 0.5, 2.9, 0.0]]);
    let mut dynamics = on_floor(1e-2, 1e-12, 0.6);
    advance(&mut dynamics, &bodies, &mut weight, &mut state, 2000);
    let force: Vec<f64> = dynamics.contacts().iter().map(|contact| contact.force).collect();
    assert!(distance(&force, &[5.0, 3.0, 6.0]) < 1e-9, "{force:?}");
    assert!(state.velocity().iter().all(|velocity| velocity.length() < 1e-9));
    assert!((0..3).all(|i| (state.position().get(i).z - 0.5 - i as f64).abs() < 1e-9));
}

/// Returns the ratio of kinetic energies after and before a step, the state, and the number of impact passes.
fn energy_kept(spheres: &[[f64; 4]], dt: f64) -> (f64, State, usize) {
    let (bodies, mut state) = row(DVec3::X, spheres);
    let before = kinetic_energy(&bodies, &state).total();
    let mut dynamics = ContactDynamics::new(dt, open_list(0.1), pgs(1e-10)).unwrap().with_restitution(1.0).unwrap();
    advance(&mut dynamics, &bodies, &mut NoForce, &mut state, 1);
    assert!(!dynamics.report().unfinished_impacts);
    (kinetic_energy(&bodies, &state).total() / before, state, dynamics.report().impact_passes)
}

/// Impacts follow each other within a step, and no impact loses energy.
#[test]
fn rows_that_meet_within_a_step_keep_their_energy() {
    for count in [2_u32, 5, 12] {
        for gap in [1e-3, 1e-5, 3e-4] {
            let place = |i: u32| (1.0 + gap) * f64::from(i);
            let spheres: Vec<[f64; 4]> =
                (0..count).map(|i| [1.0, 0.5, place(i), if i == 0 { 1.0 } else { 0.0 }]).collect();
            let (kept, state, passes) = energy_kept(&spheres, 0.02);
            assert!((kept - 1.0).abs() < 1e-14, "{count} at {gap}: {kept}");
            assert!((state.velocity().get(count as usize - 1).x - 1.0).abs() < 1e-14 && passes == count as usize - 1);
        }
    }
    // Masses and gaps differ, and balls come from both ends. At the end the balls are in their order and move apart.
    for masses in [[1.0, 2.0, 0.3, 5.0, 1.0], [1e-3, 1.0, 1e3, 1.0, 1e-3], [3.0, 1.0, 4.0, 1.0, 5.0]] {
        let places = [0.0, 1.001, 2.0015, 3.002, 4.004];
        let speeds = [1.0, 0.2, 0.0, -0.1, -0.7];
        let spheres: Vec<[f64; 4]> = (0..5).map(|i| [masses[i], 0.5, places[i], speeds[i]]).collect();
        let (kept, state, _) = energy_kept(&spheres, 0.01);
        assert!((kept - 1.0).abs() < 1e-13, "{masses:?}: {kept}");
        let momentum: f64 = (0..5).map(|i| masses[i] * (state.velocity().get(i).x - speeds[i])).sum();
        assert!(momentum.abs() < 1e-12 * masses.iter().sum::<f64>());
        for i in 0..4 {
            let gap = state.position().get(i + 1).x - state.position().get(i).x - 1.0;
            assert!(gap > -1e-12 && state.velocity().get(i).x < state.velocity().get(i + 1).x + 1e-9, "{i}: {gap}");
        }
    }
}

/// A ball strikes a triangle of balls in the plane, off its axis, at gaps and touching.
#[test]
fn a_triangle_of_balls_keeps_energy_and_momentum() {
    for gap in [0.0, 1e-3] {
        let height = 0.75_f64.sqrt() * (1.0 + gap);
        let mut places = vec![DVec3::new(-1.0 - gap, 0.3, 0.0)];
        for (row, column) in [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)] {
            let along = f64::from(column) - 0.5 * f64::from(row);
            places.push(DVec3::new(height * f64::from(row), (1.0 + gap) * along, 0.0));
        }
        let (bodies, mut state) = spheres(&places);
        state.velocity_mut().set(0, DVec3::X);
        let dynamics = ContactDynamics::new(0.1, open_list(0.1), pgs(1e-14)).unwrap();
        let mut dynamics = dynamics.with_restitution(1.0).unwrap();
        for _ in 0..30 {
            dynamics.step(&bodies, &mut NoForce, &mut state).unwrap();
            assert!(dynamics.report().overlap < 1e-9 && !dynamics.report().unfinished_impacts);
        }
        let kept = 2.0 * kinetic_energy(&bodies, &state).total();
        let momentum = state.velocity().iter().sum::<DVec3>();
        assert!((kept - 1.0).abs() < 1e-13 && (momentum - DVec3::X).length() < 1e-12, "{gap}: {kept} {momentum}");
        assert!(state.velocity().get(0).x < 0.5, "{}", state.velocity().get(0));
    }
}

/// A wedge multiplies the load on its floors, and with it the overlap of a compliant step.
#[test]
fn a_compliant_step_reports_its_overlap_in_a_wedge() {
    let overlap = |half_angle: f64| {
        let (sine, cosine) = half_angle.sin_cos();
        let walls = [1.0, -1.0].map(|side| Wall::plane(DVec3::ZERO, DVec3::new(side * cosine, 0.0, sine)));
        let (bodies, mut state) = row(DVec3::Z, &[[1.0, 0.5, 0.5 / sine, 0.0]]);
        let dynamics = ContactDynamics::new(0.01, open_list(0.1), pgs(1e-12)).unwrap().with_walls(walls).unwrap();
        let mut dynamics = dynamics.with_compliant_step(CompatibleLaw::hooke(), 1e-6).unwrap();
        let mut weight = Gravity { acceleration: DVec3::NEG_Z };
        advance(&mut dynamics, &bodies, &mut weight, &mut state, 1);
        let depth = 0.5 - state.position().get(0).z * sine;
        assert!((dynamics.report().overlap - depth).abs() < 1e-3 * depth + 1e-15, "{:?}", dynamics.report());
        depth
    };
    let flat = overlap(1.4);
    let steep = overlap(0.02);
    assert!(flat > 0.0 && steep > 10.0 * flat, "{flat} {steep}");
}
