//! Restitution: two spheres, rows of spheres, stacks.

use dem_contact::contact_dynamics::ContactDynamics;
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Gravity, Integrator, NoForce, State};

use crate::contact_dynamics::support::{advance, classic, open_list, pgs};

/// Spheres along `axis` with these masses, radii, places of centres and speeds.
fn row(axis: DVec3, spheres: &[[f64; 4]]) -> (Bodies, State) {
    let bodies = Bodies::new(spheres.iter().map(|[mass, radius, ..]| Body::sphere(*mass, *radius))).unwrap();
    let mut state = State::at_rest(spheres.len());
    for (i, &[_, _, place, speed]) in spheres.iter().enumerate() {
        state.position_mut().set(i, place * axis);
        state.velocity_mut().set(i, speed * axis);
    }
    (bodies, state)
}

/// Whatever the gap is when they meet, and from the first touch on.
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

/// Touching balls are struck at once: Newton's law for all contacts of a row of n has the others move on together at 2/n, and
/// keeps momentum and energy, but it is not what balls of steel do, whose impacts follow each other like those above.
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

/// A light ball on a heavy one, both falling: the floor turns the heavy one around, which throws the light one.
#[test]
fn a_falling_stack_throws_the_ball_on_top() {
    for restitution in [1.0, 0.8, 0.3] {
        let (heavy, light) = (3.0, 0.5);
        let (bodies, mut state) = row(DVec3::Z, &[[heavy, 0.5, 0.61, -1.0], [light, 0.2, 1.36, -1.0]]);
        let dynamics = ContactDynamics::new(0.01, open_list(0.1), pgs(1e-14)).unwrap();
        let walls = [Wall::plane(DVec3::ZERO, DVec3::Z)];
        let mut dynamics = dynamics.with_walls(walls).unwrap().with_restitution(restitution).unwrap();
        advance(&mut dynamics, &bodies, &mut NoForce, &mut state, 25);
        // Two impacts: with the floor, then at the relative speed 1 + e.
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

/// Speeds after bounces under gravity are eᵏ times the first one, up to what gravity does within two steps.
#[test]
fn a_ball_bounces_at_powers_of_the_restitution() {
    let (restitution, weight) = (0.8, Gravity { acceleration: DVec3::NEG_Z });
    for dt in [1e-3, 1e-4] {
        let (bodies, mut state) = row(DVec3::Z, &[[1.0, 0.5, 1.5, 0.0]]);
        let dynamics = ContactDynamics::new(dt, open_list(0.1), pgs(1e-14)).unwrap();
        let walls = [Wall::plane(DVec3::ZERO, DVec3::Z)];
        let mut dynamics = dynamics.with_walls(walls).unwrap().with_restitution(restitution).unwrap();
        let (mut bounces, mut before) = (Vec::new(), 0.0);
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

/// A stack of three comes to rest with the weights of those above on each contact.
#[test]
fn a_bouncing_stack_comes_to_rest() {
    let mut weight = Gravity { acceleration: DVec3::NEG_Z };
    let (bodies, mut state) = row(DVec3::Z, &[[1.0, 0.5, 0.6, 0.0], [2.0, 0.5, 1.7, 0.0], [3.0, 0.5, 2.9, 0.0]]);
    let dynamics = ContactDynamics::new(1e-2, open_list(0.1), pgs(1e-12)).unwrap();
    let walls = [Wall::plane(DVec3::ZERO, DVec3::Z)];
    let mut dynamics = dynamics.with_walls(walls).unwrap().with_restitution(0.6).unwrap();
    advance(&mut dynamics, &bodies, &mut weight, &mut state, 2000);
    let force: Vec<f64> = dynamics.contacts().iter().map(|contact| contact.force).collect();
    assert!(crate::contact_dynamics::support::distance(&force, &[5.0, 3.0, 6.0]) < 1e-9, "{force:?}");
    assert!(state.velocity().iter().all(|velocity| velocity.length() < 1e-9));
    assert!((0..3).all(|i| (state.position().get(i).z - 0.5 - i as f64).abs() < 1e-9));
}
