//! Tests of cuboids: faces, edges and corners against spheres and walls, in contact dynamics and under penalty forces.

use crate::contact_dynamics::support::{advance, distance, pgs};
use crate::prelude::*;

const HALF: DVec3 = DVec3::new(0.9, 0.5, 0.2);
const RADIUS: f64 = 0.3;

/// Returns a sphere next to a turned cuboid, body 1, at this gap from a point of its surface, and the normal there.
fn pair([point, normal]: [DVec3; 2], gap: f64) -> (Bodies, State, Cuboid, DVec3) {
    let centre = DVec3::new(0.1, 0.2, -0.3);
    let normal = normal.normalize();
    let attitude = Attitude::from_rotation_vector(DVec3::new(0.4, -0.8, 0.3)).unwrap();
    let beside = centre + attitude.rotate(point * HALF + (RADIUS + gap) * normal);
    let (bodies, mut state) = placed([Body::sphere(1.5, RADIUS), Cuboid::homogeneous(2.5, HALF)], [beside, centre]);
    state.attitude_mut().set(1, attitude);
    (bodies, state, Cuboid { body: 1, half_extents: HALF }, attitude.rotate(normal))
}

/// Points in units of the half extents and normals of a face, an edge, a corner.
const PLACES: [[DVec3; 2]; 3] = [
    [DVec3::new(0.3, -0.2, 1.0), DVec3::Z],
    [DVec3::new(1.0, 0.4, -1.0), DVec3::new(2.0, 0.0, -1.0)],
    [DVec3::new(-1.0, 1.0, 1.0), DVec3::new(-1.0, 2.0, 2.0)],
];

/// Computes the rate of the gap by a small displacement of both bodies.
fn gap_rate(bodies: &Bodies, state: &State, cuboid: Cuboid) -> f64 {
    let gap = |time: f64| {
        let turn = Attitude::from_rotation_vector(time * state.spin(bodies, 1)).unwrap();
        let attitude = state.attitude().get(1).then(turn);
        let place = |i: usize| state.position().get(i) + time * state.velocity().get(i);
        let local = attitude.rotate_inverse(place(0) - place(1));
        (local - local.clamp(-cuboid.half_extents, cuboid.half_extents)).length() - RADIUS
    };
    (gap(1e-5) - gap(-1e-5)) / 2e-5
}

#[test]
fn impacts_on_faces_edges_and_corners() {
    for place in PLACES {
        for restitution in [0.0, 0.6, 1.0] {
            let (bodies, mut state, cuboid, normal) = pair(place, 0.0);
            state.velocity_mut().set(0, -2.0 * normal + 0.3 * normal.any_orthonormal_vector());
            state.set_spin(&bodies, 0, DVec3::new(1.0, 2.0, 3.0));
            state.set_spin(&bodies, 1, DVec3::new(0.2, -0.1, 0.15));
            let start = (linear_momentum(&bodies, &state), angular_momentum(&bodies, &state));
            let before = gap_rate(&bodies, &state, cuboid);
            let energy = kinetic_energy(&bodies, &state).total();
            assert!(before < -1.0);
            let dynamics = ContactDynamics::new(1e-4, open_list(0.1), pgs(1e-14)).unwrap();
            let mut dynamics = dynamics.with_cuboids([cuboid]).unwrap().with_restitution(restitution).unwrap();
            let at_start = state.clone();
            dynamics.step(&bodies, &mut NoForce, &mut state).unwrap();
            assert_eq!(dynamics.contacts().len(), 1);
            let contact = dynamics.contacts()[0];
            assert!((contact.normal + normal).length() < 1e-14 && contact.force > 0.0, "{contact:?}");
            // The rate is that of the new velocities at the old positions.
            let mut after = at_start.clone();
            *after.velocity_mut() = state.velocity().clone();
            *after.angular_momentum_mut() = state.angular_momentum().clone();
            let found = gap_rate(&bodies, &after, cuboid);
            assert!((found + restitution * before).abs() < 1e-8, "{place:?}, e = {restitution}: {found}, {before}");
            assert!((linear_momentum(&bodies, &state) - start.0).length() < 1e-14);
            assert!((angular_momentum(&bodies, &state) - start.1).length() < 1e-14);
            let lost = energy - kinetic_energy(&bodies, &after).total();
            assert!(if restitution < 1.0 { lost > 1e-3 } else { lost.abs() < 1e-13 }, "{lost}");
            assert!((after.spin(&bodies, 0) - DVec3::new(1.0, 2.0, 3.0)).length() < 1e-14, "no friction");
        }
    }
}

/// A plate on four supports carries a sphere off the centre: forces follow the lever rule.
#[test]
fn a_plate_on_four_supports_carries_a_sphere() {
    let half_extents = DVec3::new(1.5, 1.2, 0.1);
    let support = DVec3::new(1.2, 0.9, 0.0);
    let load = DVec3::new(0.35, -0.5, 0.0);
    let mut rows = vec![Body::fixed(0.1); 4];
    rows.extend([Cuboid::homogeneous(2.0, half_extents), Body::sphere(3.0, 0.25)]);
    let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)].map(|(x, y)| support * DVec3::new(x, y, 0.0));
    let upper = [DVec3::Z * (0.2 + 1e-3), load + DVec3::Z * (0.3 + 0.25 + 3e-3)];
    let (bodies, mut state) = placed(rows, corners.into_iter().chain(upper));
    let dynamics = ContactDynamics::new(1e-3, open_list(0.01), pgs(1e-10)).unwrap();
    let mut dynamics =
        dynamics.with_cuboids([Cuboid { body: 4, half_extents }]).unwrap().with_compatible(CompatibleLaw::hooke());
    advance(&mut dynamics, &bodies, &mut Gravity { acceleration: DVec3::NEG_Z }, &mut state, 120);
    let force: Vec<f64> = dynamics.contacts().iter().filter_map(|contact| contact.compatible_force).collect();
    let lever = |corner: &DVec3| {
        let x = corner.x * load.x / support.x.powi(2);
        let y = corner.y * load.y / support.y.powi(2);
        0.25 * (2.0 + 3.0 * (1.0 + x + y))
    };
    let expected: Vec<f64> = corners.iter().map(lever).chain([3.0]).collect();
    assert!(distance(&force, &expected) < 1e-6, "{force:?} for {expected:?}");
}

/// A cuboid that is dropped askew onto a floor lies flat on its corners in the end.
#[test]
fn a_cuboid_comes_to_rest_on_a_floor() {
    let (bodies, mut state) = placed([Cuboid::homogeneous(1.0, HALF)], [DVec3::Z]);
    state.attitude_mut().set(0, Attitude::from_rotation_vector(DVec3::new(0.3, 0.2, 0.5)).unwrap());
    let dynamics = ContactDynamics::new(2e-3, open_list(0.05), pgs(1e-9)).unwrap();
    let dynamics = dynamics.with_cuboids([Cuboid { body: 0, half_extents: HALF }]).unwrap();
    let mut dynamics = dynamics.with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
    dynamics = dynamics.with_compatible(CompatibleLaw::hooke());
    advance(&mut dynamics, &bodies, &mut Gravity { acceleration: DVec3::NEG_Z * 10.0 }, &mut state, 2000);
    assert!((state.position().get(0).z - HALF.z).abs() < 1e-6, "{}", state.position().get(0));
    let load = dynamics.wall_loads()[0];
    assert!((load.force + 10.0 * DVec3::Z).length() < 1e-6 && load.contacts == 4, "{load:?}");
    let force: Vec<f64> =
        dynamics.contacts().iter().filter_map(|contact| contact.compatible_force).filter(|f| *f > 0.0).collect();
    assert!(distance(&force, &[2.5; 4]) < 1e-5, "{force:?}");
}

/// Without friction a sphere slides down a fixed cuboid at g sin θ, step by step, and leaves it over the edge.
#[test]
fn a_sphere_slides_down_a_fixed_cuboid() {
    let angle = 0.4_f64;
    let dt = 2e-3;
    let attitude = Attitude::from_rotation_vector(DVec3::Y * angle).unwrap();
    let upper = attitude.rotate(DVec3::new(-0.5, 0.0, HALF.z + RADIUS));
    let (bodies, mut state) = placed([Body::fixed(0.0), Body::sphere(1.0, RADIUS)], [DVec3::ZERO, upper]);
    state.attitude_mut().set(0, attitude);
    let dynamics = ContactDynamics::new(dt, open_list(0.05), pgs(1e-13)).unwrap();
    let mut dynamics = dynamics.with_cuboids([Cuboid { body: 0, half_extents: HALF }]).unwrap();
    let mut weight = Gravity { acceleration: DVec3::NEG_Z };
    for step in 1..=500 {
        dynamics.step(&bodies, &mut weight, &mut state).unwrap();
        let velocity = attitude.rotate_inverse(state.velocity().get(1));
        let expected = DVec3::X * (f64::from(step) * dt * angle.sin());
        assert!((velocity - expected).length() < 1e-12, "step {step}: {velocity} for {expected}");
    }
    advance(&mut dynamics, &bodies, &mut weight, &mut state, 2000);
    let local = attitude.rotate_inverse(state.position().get(1));
    assert!(local.x > HALF.x && dynamics.contacts().is_empty(), "{local}");
}

/// Penalty forces are minus the gradient of their energy, opposite on both bodies, and keep angular momentum.
#[test]
fn penalty_forces_are_a_gradient() {
    let mut random = Random::new(5);
    let law = Hertz::new(1e4, Damping::NONE).unwrap();
    for place in PLACES {
        let (bodies, state, cuboid, _) = pair(place, -0.05);
        let mut field = CuboidForce::new(Domain::OPEN, [cuboid], law).unwrap();
        let wrenches = wrenches(&bodies, &mut field, &state);
        let force = wrenches.force.get(0);
        let torque = wrenches.torque.get(1);
        assert!(force.length() > 1.0 && (force + wrenches.force.get(1)).length() < 1e-12);
        let arm = state.position().get(0) - state.position().get(1);
        assert!((arm.cross(force) + torque).length() < 1e-12 * force.length(), "angular momentum is not kept");
        for _ in 0..5 {
            let shift = random.vector() - 0.5;
            let turn = random.vector() - 0.5;
            let energy = |step: f64| {
                let mut moved = state.clone();
                moved.position_mut().add(1, step * shift);
                let attitude = state.attitude().get(1).then(Attitude::from_rotation_vector(step * turn).unwrap());
                moved.attitude_mut().set(1, attitude);
                field.energy(&bodies, &moved)
            };
            let slope = (energy(1e-6) - energy(-1e-6)) / 2e-6;
            let work = wrenches.force.get(1).dot(shift) + torque.dot(turn);
            assert!((slope + work).abs() < 1e-5 * force.length(), "{place:?}: {slope} {work}");
        }
    }
}

/// In a head-on impact the reduced mass is exact, so that damping by restitution gives this restitution.
#[test]
fn penalty_impacts_part_at_the_restitution() {
    let (bodies, mut state, cuboid, normal) = pair([DVec3::Z, DVec3::Z], 0.001);
    state.velocity_mut().set(0, -normal);
    let law = Hooke::new(1e6, Damping::restitution(0.5).unwrap()).unwrap();
    let mut field = CuboidForce::new(Domain::OPEN, [cuboid], law).unwrap();
    let mut map = Explicit::new(Map::MoserVeselov, 1e-6).unwrap();
    map.run(&bodies, &mut field, &mut state, 8_000).unwrap();
    let relative = (state.velocity().get(0) - state.velocity().get(1)).dot(normal);
    assert!((relative - 0.5).abs() < 1e-3, "{relative}");
}
