//! Tests of one sphere between plane walls, and of loads on walls.

use crate::prelude::*;

const STIFFNESS: f64 = 195_000.0;

/// Gap in m between a sphere in the middle and each wall: a few steps of free flight.
const GAP: f64 = 0.0005;

#[test]
fn energy_is_kept_over_hundreds_of_bounces() {
    let contact_time = std::f64::consts::PI * (0.5 / STIFFNESS).sqrt();
    // A bounce takes five times as many fine steps, so there are fewer bounces.
    for (per_contact, allowed, phases, most) in [(32.0, 1.5e-2, 4, 250), (160.0, 3e-4, 2, 50)] {
        let mut ends = Vec::new();
        let mut worst = 0.0_f64;
        for speed in [0.1, 0.5, 1.0, 2.0] {
            for phase in 0..phases {
                let dt = contact_time / per_contact;
                let walls = [-1.0, 1.0].map(|side| Wall::plane(DVec3::X * (0.5 + GAP) * side, -DVec3::X * side));
                let law = Hooke::new(STIFFNESS, Damping::NONE).unwrap();
                let mut field = open(law, Frictionless).with_walls(walls).unwrap();
                let (bodies, mut state) = spheres(&[DVec3::X * (speed * dt * f64::from(phase) / f64::from(phases))]);
                state.velocity_mut().set(0, DVec3::X * speed);
                let start = 0.5 * speed * speed;
                let mut map = Explicit::new(Map::Verlet, dt).unwrap();
                let mut bounces = 0;
                let mut touching = false;
                while bounces < most {
                    map.step(&bodies, &mut field, &mut state).unwrap();
                    let energy = kinetic_energy(&bodies, &state).total() + field.energy(&bodies, &state);
                    worst = worst.max((energy / start - 1.0).abs());
                    let now = state.position().get(0).x.abs() > GAP;
                    bounces += usize::from(touching && !now);
                    touching = now;
                }
                ends.push(kinetic_energy(&bodies, &state).total() / start - 1.0);
            }
        }
        let mean = ends.iter().sum::<f64>() / ends.len() as f64;
        let rms = (ends.iter().map(|e| e * e).sum::<f64>() / ends.len() as f64).sqrt();
        println!("t_c/{per_contact}: worst {worst:e}, final mean {mean:e}, rms {rms:e}");
        assert!(worst <= allowed, "t_c/{per_contact}: {worst:e}");
        let error_of_mean = rms / (ends.len() as f64).sqrt();
        assert!(mean.abs() < 3.0 * error_of_mean, "systematic: mean {mean:e}, of which {error_of_mean:e} is chance");
    }
}

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
    // About the centre of the sphere all torques together vanish.
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
    // A sphere against the mirror image of itself has the centre plane of the pair as its wall: twice the stiffness.
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
    crate::support::advance(&bodies, &mut field, &mut state, 1e-3, 5000);
    // An undamped wall at speed one would throw a sphere at rest off at speed two; with restitution e the speed is 1 +
    // e.
    let speed = state.velocity().get(0).x;
    assert!(speed > 1.5 && speed < 2.0, "{speed}");
}
