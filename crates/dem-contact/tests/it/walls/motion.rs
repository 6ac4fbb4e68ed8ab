//! Walls that move and turn: their poses, loads and work.

use std::f64::consts::PI;

use dem_contact::wall::Turn;

use crate::prelude::*;
use crate::walls::support::{Own, block, floor};

/// A motion of the user's own: rotation about the z axis, and oscillation up and down.
const OWN: Own = Own(|time| WallPose {
    displacement: DVec3::Z * 0.1 * (3.0 * time).sin(),
    rotation: DQuat::from_rotation_z(2.0 * time),
    velocity: DVec3::Z * 0.3 * (3.0 * time).cos(),
    spin: DVec3::Z * 2.0,
});

fn motions() -> Vec<Wall> {
    let wall = || Wall::new(block(DVec3::ZERO, DVec3::ONE), DVec3::new(1.0, 2.0, 3.0)).about(DVec3::X);
    vec![
        wall().moving(DVec3::new(0.1, -0.2, 0.3)),
        wall().rotating(DVec3::new(1.0, 2.0, -1.0)),
        wall().oscillating(DVec3::new(0.1, 0.0, 0.2), 1.5, 0.7),
        wall().moving(DVec3::X).rotating(DVec3::Z).oscillating(DVec3::Y * 0.3, 0.5, 1.0),
        wall().turning(Turn::about(DVec3::new(1.0, 2.0, -1.0)).unwrap().oscillating(0.8, 1.5, 0.7)),
        wall()
            .rotating(DVec3::Y * 3.0)
            .turning(Turn::about(DVec3::Y * 0.2).unwrap().by_angles([(0.0, 0.2), (30.0, 1.2), (100.0, -0.4)]).unwrap()),
        wall().moving(DVec3::X).turning(
            Turn::about(DVec3::X).unwrap().oscillating(0.1, 2.0, 0.0).by_rates([(0.0, 1.0), (50.0, -2.0)]).unwrap(),
        ),
        wall().driven(OWN),
    ]
}

#[test]
fn velocities_are_the_derivatives_of_poses() {
    for wall in motions() {
        for time in [0.0, 0.37, 12.0] {
            let h = 1e-6;
            let [before, now, after] = [time - h, time, time + h].map(|time| wall.pose(time));
            let velocity = (after.displacement - before.displacement) / (2.0 * h);
            assert!((velocity - now.velocity).length() < 1e-7, "{wall:?} {time}");
            let arm = DVec3::new(0.3, -1.0, 0.6);
            let turned = (after.rotation * arm - before.rotation * arm) / (2.0 * h);
            assert!((turned - now.spin.cross(now.rotation * arm)).length() < 1e-7, "{wall:?} {time}");
        }
    }
    // Moving the point leaves the shape in place; the shape then turns about the new point.
    let wall = Wall::new(block(DVec3::ZERO, DVec3::ONE), DVec3::X).about(DVec3::ZERO).rotating(DVec3::Z * PI);
    let near = |at: DVec3, time| wall.distance(at, time, 1.0).unwrap();
    assert!((near(DVec3::new(2.25, 0.5, 0.5), 0.0) - 0.25).abs() < 1e-15);
    assert!((near(DVec3::new(-2.25, -0.5, 0.5), 1.0) - 0.25).abs() < 1e-14);
    assert!((near(DVec3::new(-0.5, 2.25, 0.5), 0.5) - 0.25).abs() < 1e-14);
    // After a million turns the error is still round-off of the angle.
    assert!((near(DVec3::new(2.25, 0.5, 0.5), 2e6) - 0.25).abs() < 1e-8);
    let plane = Wall::plane(DVec3::ZERO, DVec3::X).rotating(DVec3::Z * PI);
    assert!((plane.normal_at(0.5).unwrap() - DVec3::Y).length() < 1e-15);
    assert_matches!(plane.shape(), Shape::Plane(_));
}

#[test]
fn turns_without_meaning_are_refused() {
    assert!(Turn::about(DVec3::ZERO).is_err() && Turn::about(DVec3::X * f64::NAN).is_err());
    assert!(Turn::about(DVec3::X).unwrap().by_angles([(1.0, 0.0)]).is_err());
    assert!(Turn::about(DVec3::X).unwrap().by_rates([(0.0, f64::INFINITY)]).is_err());
    let law = Hooke::new(1e4, Damping::NONE).unwrap();
    let flap = |turn: Turn| Wall::plane(DVec3::ZERO, DVec3::Z).turning(turn);
    let is_refused = |wall: Wall| open(law, Frictionless).with_walls([wall]).is_err();
    let about_y = || Turn::about(DVec3::Y).unwrap().oscillating(0.1, 1.0, 0.0);
    assert!(is_refused(flap(about_y().oscillating(f64::NAN, 1.0, 0.0))));
    // Angles about different axes do not add up.
    assert!(is_refused(flap(about_y()).rotating(DVec3::X)));
    assert!(!is_refused(flap(about_y()).rotating(DVec3::Y * -3.0)) && !is_refused(flap(about_y())));
}

#[test]
fn wall_torques_balance_those_on_the_bodies() {
    let law = Hooke::new(1e4, Damping::coefficient(10.0).unwrap()).unwrap();
    let point = DVec3::new(0.3, -0.2, 0.1);
    let silo = [[0.4, -1.0], [1.2, -0.2], [1.2, 2.0]];
    let drum = Wall::new(Revolution::new(DVec3::Z, silo).unwrap(), DVec3::Z * 0.6)
        .about(point)
        .rotating(DVec3::new(0.3, 1.0, 2.0));
    let slab = Wall::new(block(DVec3::new(0.4, -1.0, -1.0), DVec3::new(1.0, 1.0, 1.0)), DVec3::ZERO).driven(OWN);
    let pipe = Wall::new(Cylinder::inside(DVec3::X, 0.6).unwrap(), DVec3::Y * 0.05).rotating(DVec3::X * 4.0);
    let sides = Wall::inside_of_box(DVec3::new(-0.4797, -0.4493, -0.6095), DVec3::new(0.5193, 0.5497, 0.3895));
    for walls in [vec![drum], vec![slab], vec![pipe], sides.to_vec()] {
        let (bodies, mut state) = moving(&[[DVec3::new(0.02, 0.05, -0.11), DVec3::new(0.1, -0.2, 0.3)]]);
        state.set_spin(&bodies, 0, DVec3::new(1.0, 2.0, -3.0));
        let mut field = open(law, Viscous::new(30.0).unwrap()).with_walls(walls).unwrap();
        let out = wrenches(&bodies, &mut field, &state);
        let mut force = out.force.get(0);
        let mut torque = out.torque.get(0);
        let mut largest = 1.0_f64;
        for (load, wall) in field.wall_loads().iter().zip(field.walls()) {
            assert!(load.contacts > 0 && wall.normal_at(0.0).is_none_or(|normal| load.force.dot(normal) < 0.0));
            force += load.force;
            // The torque is about the point of the wall, and is added up about the centre of the sphere.
            torque += load.torque + (wall.point() - state.position().get(0)).cross(load.force);
            largest = largest.max(load.force.length()).max(load.torque.length());
        }
        assert!(force.length() < 1e-12 * largest && torque.length() < 1e-12 * largest, "{force} {torque}");
    }
}

#[test]
fn a_moving_wall_carries_a_sphere_along() {
    let law = Hooke::new(1e4, Damping::coefficient(20.0).unwrap()).unwrap();
    let wall = Wall::plane(DVec3::ZERO, DVec3::X).moving(DVec3::X);
    let mut field = open(law, Frictionless).with_walls([wall]).unwrap();
    let (bodies, mut state) = spheres(&[DVec3::X * 3.0]);
    advance(&bodies, &mut field, &mut state, 1e-3, 5000);
    // An undamped wall at speed one throws a sphere off at speed two; with restitution e the speed is 1 + e.
    let speed = state.velocity().get(0).x;
    assert!(speed > 1.5 && speed < 2.0, "{speed}");
}

/// Energy balance of spheres in a drum that turns, beside a shaker and a stirrer: mechanical energy plus dissipated
/// energy minus the work of the walls, at two steps.
fn imbalance(law: Hooke, tangential: impl TangentialLaw + 'static, dt: f64) -> f64 {
    let lid = [[0.0, -1.0], [1.5, -1.0], [1.5, 1.0], [0.0, 1.0]];
    let drum = Wall::new(Revolution::new(DVec3::Y, lid).unwrap(), DVec3::ZERO).rotating(DVec3::Y * 2.0);
    let stirrer = Wall::new(block(DVec3::new(-0.3, -0.9, -0.1), DVec3::new(0.3, 0.9, 0.1)), DVec3::ZERO)
        .rotating(DVec3::Y * -1.5);
    let shaker = Wall::new(floor(3.0, 8), DVec3::NEG_Z * 1.3).oscillating(DVec3::new(0.05, 0.02, 0.1), 1.0, 0.3);
    let places = [[0.8, 0.3, 0.3], [-0.7, -0.4, 0.2], [0.1, 0.4, 0.85], [-0.2, -0.4, -0.75]];
    let (bodies, mut state) = spheres(&places.map(DVec3::from_array));
    (0..4).for_each(|i| state.velocity_mut().set(i, DVec3::new(1.0, 0.5, -1.0) * (i as f64 - 1.5)));
    let contacts = open(law, tangential).with_walls([drum, stirrer, shaker]).unwrap().with_ledger();
    let mut field = Both(Gravity { acceleration: DVec3::NEG_Z * 2.0 }, contacts);
    advance(&bodies, &mut field, &mut state, dt, 1);
    let read =
        |field: &Both<Gravity, ContactForce>, state: &State| Ledger::read(&field.1, &field.0, &bodies, state).unwrap();
    let start = read(&field, &state).balance();
    let mut square = 0.0;
    let steps = (3.0 / dt) as usize;
    for _ in 1..steps {
        advance(&bodies, &mut field, &mut state, dt, 1);
        square += (read(&field, &state).balance() - start).powi(2);
    }
    let end = read(&field, &state);
    assert!(end.wall_work.abs() > 0.5, "{end:?}");
    (square / steps as f64).sqrt()
}

#[test]
fn energy_and_the_work_of_walls_close_to_the_order_of_the_step() {
    let elastic = Hooke::new(2e3, Damping::NONE).unwrap();
    let damped = Hooke::new(2e3, Damping::coefficient(3.0).unwrap()).unwrap();
    let viscous = Viscous::new(20.0).unwrap();
    for (name, [coarse, fine], most, least_order) in [
        ("elastic", [4e-4, 1e-4].map(|dt| imbalance(elastic, Frictionless, dt)), 1e-4, 1.7),
        ("damped", [4e-4, 1e-4].map(|dt| imbalance(damped, viscous, dt)), 5e-3, 1.6),
    ] {
        let order = (coarse / fine).log(4.0);
        println!("{name}: {coarse:e} {fine:e}, order {order:.2}");
        assert!(fine < most && order > least_order, "{name}: {coarse:e} {fine:e}, order {order}");
    }
}

#[test]
fn a_turning_disc_carries_a_sphere_round() {
    // Friction brings the sphere to the speed of the disc below: the sphere then spins with the disc or rolls on it.
    let disc = Wall::new(Revolution::disc(DVec3::Z, 5.0, 0.0).unwrap(), DVec3::ZERO).rotating(DVec3::Z * 0.5);
    let law = Hooke::new(2e4, Damping::restitution(0.5).unwrap()).unwrap();
    let contacts = open(law, FrictionSpring::new(5e3, 50.0, 0.5).unwrap()).with_walls([disc]).unwrap();
    let (bodies, mut state) = spheres(&[DVec3::new(2.0, 0.0, 0.5)]);
    let mut field = Both(Gravity { acceleration: DVec3::NEG_Z * 9.81 }, contacts);
    advance(&bodies, &mut field, &mut state, 2e-4, 5000);
    // A ball that rolls on a turntable moves on circles at 2/7 of the angular velocity of the turntable. Friction ends
    // the slip at the start; then the contact point has the velocity of the disc.
    let arm = DVec3::NEG_Z * 0.5;
    let at_contact = state.velocity().get(0) + state.spin(&bodies, 0).cross(arm);
    let on_disc = (DVec3::Z * 0.5).cross(state.position().get(0));
    assert!((at_contact - on_disc).length() < 0.01 * on_disc.length(), "{at_contact} {on_disc}");
    let before = state.velocity().get(0);
    advance(&bodies, &mut field, &mut state, 2e-4, 5000);
    let angle = before.angle_between(state.velocity().get(0));
    assert!((angle - 2.0 / 7.0 * 0.5).abs() < 0.02 * 2.0 / 7.0 * 0.5, "{angle}");
}

#[test]
fn a_surface_that_runs_carries_a_sphere_and_stays() {
    let law = Hooke::new(2e4, Damping::restitution(0.5).unwrap()).unwrap();
    for wall in [Wall::plane(DVec3::ZERO, DVec3::Z), Wall::new(floor(3.0, 8), DVec3::ZERO)] {
        // The component of the belt velocity normal to the surface does not count.
        let belt = wall.running(DVec3::new(0.7, 0.0, 3.0));
        let contacts = open(law, FrictionSpring::new(5e3, 50.0, 0.5).unwrap()).with_walls([belt.clone()]).unwrap();
        let mut field = Both(Gravity { acceleration: DVec3::NEG_Z * 9.81 }, contacts.with_ledger());
        let (bodies, mut state) = spheres(&[DVec3::new(0.1, 0.2, 0.4996)]);
        advance(&bodies, &mut field, &mut state, 2e-4, 1);
        let start = Ledger::read(&field.1, &field.0, &bodies, &state).unwrap();
        advance(&bodies, &mut field, &mut state, 2e-4, 4999);
        // Friction has brought the contact point to the speed of the belt; the centre has two sevenths of this speed.
        let velocity = state.velocity().get(0);
        assert!((velocity - DVec3::X * 0.2).length() < 1e-3, "{velocity}");
        let end = Ledger::read(&field.1, &field.0, &bodies, &state).unwrap();
        let work = end.wall_work - start.wall_work;
        assert!((work - 0.14).abs() < 2e-3, "{work}");
        assert!((end.balance() - start.balance()).abs() < 1e-3 * work, "{start:?} {end:?}");
        let contact = &field.1.contacts(&bodies, &state).unwrap()[0];
        assert!(contact.dissipated_power.abs() < 1e-3, "{contact:?}");
        let still = open(law, Frictionless).with_walls([belt]).unwrap();
        assert!(ImplicitDem::new(still, 1e-3).is_err());
    }
}

#[test]
fn a_wall_that_spins_in_itself_is_no_work_without_friction() {
    let drum = Wall::new(Cylinder::inside(DVec3::Y, 1.0).unwrap(), DVec3::ZERO).rotating(DVec3::Y * 50.0);
    let law = Hooke::new(2e3, Damping::coefficient(3.0).unwrap()).unwrap();
    let mut field = open(law, Frictionless).with_walls([drum]).unwrap().with_ledger();
    let (bodies, mut state) = moving(&[[DVec3::X * 0.2, DVec3::new(3.0, 0.0, 1.0)]]);
    advance(&bodies, &mut field, &mut state, 1e-3, 2000);
    let ledger = Ledger::read(&field, &NoForce, &bodies, &state).unwrap();
    assert!(ledger.wall_work.abs() < 1e-10 && ledger.dissipated > 0.1, "{ledger:?}");
}
