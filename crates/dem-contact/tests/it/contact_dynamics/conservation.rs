//! Tests of the conservation of momenta in free space.

use crate::contact_dynamics::support::pgs;
use crate::prelude::*;

/// Makes spheres of different sizes, and perhaps a spinning cuboid, which all move to the middle.
fn cloud(with_cuboid: bool) -> (Bodies, State, Vec<Cuboid>) {
    let mut random = Random::new(7);
    let half_extents = DVec3::new(1.4, 0.6, 0.15);
    let mut rows: Vec<Body> = (0..64)
        .map(|_| {
            let radius = 0.2 + 0.2 * random.next();
            Body::sphere(8.0 * radius.powi(3), radius)
        })
        .collect();
    let mut cuboids = Vec::new();
    if with_cuboid {
        cuboids.push(Cuboid { body: rows.len(), half_extents });
        rows.push(Cuboid::homogeneous(2.0, half_extents));
    }
    let bodies = Bodies::new(rows).unwrap();
    let mut state = State::at_rest(bodies.len());
    for i in 0..64 {
        let cell = DVec3::from_array([i % 4, i / 4 % 4, i / 16].map(|k| k as f64 - 1.5));
        let place = 1.3 * cell + 0.2 * (random.vector() - 0.5) + DVec3::Z * if cell.z > 0.0 { 1.0 } else { -1.0 };
        state.position_mut().set(i, place);
        state.velocity_mut().set(i, -place + 0.3 * (random.vector() - 0.5) + DVec3::new(3.0, 1.0, -2.0));
        state.set_spin(&bodies, i, random.vector());
    }
    if with_cuboid {
        state.velocity_mut().set(64, DVec3::new(3.0, 1.0, -2.0));
        state.set_spin(&bodies, 64, DVec3::new(0.8, -0.5, 1.1));
    }
    (bodies, state, cuboids)
}

#[test]
fn linear_and_angular_momentum_are_kept() {
    for (with_cuboid, restitution) in [(false, 0.0), (false, 0.7), (true, 0.0), (true, 0.5)] {
        let (bodies, mut state, cuboids) = cloud(with_cuboid);
        let dynamics = ContactDynamics::new(0.02, open_list(0.2), pgs(1e-10)).unwrap();
        let mut dynamics = dynamics.with_cuboids(cuboids).unwrap().with_restitution(restitution).unwrap();
        let start = (linear_momentum(&bodies, &state), angular_momentum(&bodies, &state));
        let size = state.position().iter().map(|x| x.length()).fold(1.0, f64::max);
        let mut touched = 0;
        let mut energy = kinetic_energy(&bodies, &state).total();
        for _ in 0..150 {
            dynamics.step(&bodies, &mut NoForce, &mut state).unwrap();
            touched += dynamics.contacts().iter().filter(|contact| contact.force > 0.0).count();
            let now = kinetic_energy(&bodies, &state).total();
            assert!(with_cuboid || now <= energy * (1.0 + 1e-12), "spheres without load gain {}", now - energy);
            energy = now;
        }
        let scale: f64 = bodies.mass().iter().zip(state.velocity().iter()).map(|(m, v)| m * v.length()).sum();
        let linear = (linear_momentum(&bodies, &state) - start.0).length() / scale;
        let angular = (angular_momentum(&bodies, &state) - start.1).length() / (scale * size);
        println!("cuboid {with_cuboid}, e {restitution}: {touched} contacts, {linear:e}, {angular:e}");
        assert!(touched > 100 && linear < 1e-12 && angular < 1e-12, "{touched}, {linear:e}, {angular:e}");
    }
}
