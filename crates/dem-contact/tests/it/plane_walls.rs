//! Tests of plane walls: loads, and motion.

use crate::prelude::*;

#[test]
fn loads_balance_and_have_the_right_torque() {
    let low = DVec3::ZERO;
    let high = DVec3::splat(1.0 - 1e-3);
    let law = Hooke::new(1e4, Damping::coefficient(10.0).unwrap()).unwrap();
    let mut field = open(law, Viscous::new(30.0).unwrap()).with_walls(Wall::inside_of_box(low, high)).unwrap();
    let (bodies, mut state) = spheres(&[DVec3::new(0.4997, 0.4993, 0.4995)]);
    state.velocity_mut().set(0, DVec3::new(0.1, -0.2, 0.3));
    state.set_spin(&bodies, 0, DVec3::new(1.0, 2.0, -3.0));
    let out = wrenches(&bodies, &mut field, &state);
    let loads = field.wall_loads();
    assert!(loads.iter().all(|load| load.contacts == 1));
    let sum: DVec3 = loads.iter().map(|load| load.force).sum();
    assert!((sum + out.force.get(0)).length() < 1e-12 * loads[0].force.length());
    // About the centre of the sphere the total torque vanishes.
    let torque: DVec3 = loads
        .iter()
        .zip(field.walls())
        .map(|(load, wall)| load.torque + (wall.point() - state.position().get(0)).cross(load.force))
        .sum();
    assert!((torque + out.torque.get(0)).length() < 1e-12, "{torque} {}", out.torque.get(0));
    // The sphere pushes the lower x wall to −x.
    assert!(loads[0].force.x < 0.0 && loads[1].force.x > 0.0);
}

#[test]
fn a_wall_is_a_body_of_infinite_mass() {
    // Contact with the mirror image acts as a wall of twice the stiffness in the centre plane.
    let law = Hooke::new(1e4, Damping::NONE).unwrap();
    let mut wall = open(law, Frictionless).with_walls([Wall::plane(DVec3::ZERO, DVec3::X)]).unwrap();
    let (bodies, state) = spheres(&[DVec3::X * 0.49]);
    let from_wall = wrenches(&bodies, &mut wall, &state).force.get(0);
    let (bodies, state) = spheres(&[DVec3::X * 0.49, DVec3::X * -0.49]);
    let from_pair = wrenches(&bodies, &mut open(law, Frictionless), &state).force.get(0);
    assert!((2.0 * from_wall - from_pair).length() < 1e-10);
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
