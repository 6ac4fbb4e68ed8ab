//! One sphere that slides, rolls and spins; a plank on balls.

use super::*;
use crate::cuboid::shape::Cuboid;

const G: f64 = 10.0;

fn sliding(friction: f64) -> ContactCoefficients {
    ContactCoefficients::new(friction, 0.0)
}

/// Sliding friction makes the slip fall by 7/2 μ g t along its direction, and the velocity by 2/7 of this loss.
#[test]
fn a_sphere_slides_and_then_rolls() {
    let thrown = [DVec3::new(1.2, -0.5, 0.0), DVec3::new(0.4, 0.8, 3.0)];
    // With backspin a sphere comes back if R ω > 5/2 v₀.
    let returning = [DVec3::X, -2.51 / RADIUS * DVec3::Y];
    for (friction, dt, [velocity, spin]) in [
        (0.1, 0.01, thrown),
        (0.3, 0.003, thrown),
        (0.5, 0.037, thrown),
        (0.2, 0.001, [DVec3::X, DVec3::ZERO]),
        (0.3, 0.01, returning),
    ] {
        let slip = velocity + spin.cross(-RADIUS * DVec3::Z);
        let mut scene = on_floor(dt, sliding(friction), DVec3::NEG_Z * G, velocity, spin);
        let until = 2.0 * slip.length() / (7.0 * friction * G);
        let sliding_steps = (until / dt).floor() as usize;
        scene.steps(sliding_steps);
        let expected = velocity - friction * G * dt * sliding_steps as f64 * slip.normalize();
        assert_near(scene.velocity(0), expected, 1e-12);
        let after = 5;
        scene.steps(after);
        let rolling = velocity - 2.0 / 7.0 * slip;
        assert_near(scene.velocity(0), rolling, 1e-12);
        assert_near(scene.velocity(0) + scene.spin(0).cross(-RADIUS * DVec3::Z), DVec3::ZERO, 1e-12);
        assert!((scene.spin(0).z - spin.z).abs() < 1e-15, "nothing resists a spin about the normal");
        // Positions are of first order.
        let time = dt * (sliding_steps + after) as f64;
        let way = velocity * until - 0.5 * friction * G * until.powi(2) * slip.normalize() + (time - until) * rolling;
        let error = (scene.place(0) - RADIUS * DVec3::Z - way).length();
        assert!(error < 0.75 * dt * slip.length(), "{error} at dt = {dt}");
        assert!((scene.place(0).z - RADIUS).abs() < 1e-12);
    }
}

/// A sphere on an incline rolls iff tan θ ≤ 7/2 μ, at 5/7 g sin θ, and else slides at g (sin θ − μ cos θ).
#[test]
fn an_incline() {
    let (sine, cosine) = 0.54_f64.sin_cos();
    let gravity = G * DVec3::new(sine, 0.0, -cosine);
    let least = 2.0 / 7.0 * sine / cosine;
    let dt = 0.01;
    let steps = 40;
    let time = dt * steps as f64;
    for friction in [1.5 * least, (1.0 + 1e-9) * least] {
        let mut scene = on_floor(dt, sliding(friction), gravity, DVec3::ZERO, DVec3::ZERO);
        scene.steps(steps);
        assert!((scene.velocity(0).x - 5.0 / 7.0 * G * sine * time).abs() < 1e-12, "{}", scene.velocity(0));
        assert!((scene.spin(0).y * RADIUS - scene.velocity(0).x).abs() < 1e-12);
    }
    for friction in [0.5 * least, 0.0] {
        let mut scene = on_floor(dt, sliding(friction), gravity, DVec3::ZERO, DVec3::ZERO);
        scene.steps(steps);
        let expected = G * (sine - friction * cosine) * time;
        assert!((scene.velocity(0).x - expected).abs() < 1e-12, "{} {expected}", scene.velocity(0));
        assert!((scene.spin(0).y * RADIUS - 2.5 * friction * G * cosine * time).abs() < 1e-12);
    }
}

/// A plank rolls down an incline on balls at twice their speed: the balls count half as load and 7/20 as inertia.
#[test]
fn a_plank_rolls_on_balls() {
    let mass = 2.0;
    let balls = 4;
    let half_extents = DVec3::new(1.0, 0.7, 0.1);
    let (sine, cosine) = 0.2_f64.sin_cos();
    let corners = [(-0.6, -0.5), (-0.6, 0.5), (0.6, -0.5), (0.6, 0.5)].map(|(x, y)| DVec3::new(x, y, RADIUS));
    let places: Vec<DVec3> = corners.into_iter().chain([(2.0 * RADIUS + half_extents.z) * DVec3::Z]).collect();
    let dt = 0.01;
    let steps = 20;
    let mut scene = spheres(dt, sliding(0.5), &places, G * DVec3::new(sine, 0.0, -cosine));
    let all = (0..balls).map(|_| Body::sphere(1.0, RADIUS)).chain([Cuboid::homogeneous(mass, half_extents)]);
    scene.bodies = Bodies::new(all).unwrap();
    scene.dynamics = scene.dynamics.with_cuboids([Cuboid { body: balls, half_extents }]).unwrap();
    scene.steps(steps);
    let balls_mass = balls as f64;
    let acceleration = G * sine * (mass + 0.5 * balls_mass) / (mass + 0.35 * balls_mass);
    let speed = acceleration * dt * steps as f64;
    assert_near(scene.velocity(balls), speed * DVec3::X, 1e-10);
    for ball in 0..balls {
        assert_near(scene.velocity(ball), 0.5 * speed * DVec3::X, 1e-10);
        assert_near(scene.spin(ball), 0.5 * speed / RADIUS * DVec3::Y, 1e-10);
    }
}

/// A body with infinite inertia rests on an incline iff tan θ ≤ μ, to the last digits.
#[test]
fn the_threshold_of_an_incline() {
    let (sine, cosine) = 0.4_f64.sin_cos();
    let tan = sine / cosine;
    for (factor, rests) in [(1.0 + 1e-12, true), (1.0 - 1e-12, false)] {
        let gravity = G * DVec3::new(sine, 0.0, -cosine);
        let mut scene = on_floor(0.01, sliding(tan * factor), gravity, DVec3::ZERO, DVec3::ZERO);
        scene.bodies = Bodies::new([Body { mass: 1.0, inertia: DVec3::splat(1e30), radius: RADIUS }]).unwrap();
        scene.steps(10);
        let over = scene.velocity(0).x / (G * 0.1 * sine);
        let expected = if rests { 0.0 } else { 1e-12 };
        assert!((over - expected).abs() < 1e-14, "{over:e} at {factor}");
    }
}

/// A ball that rolls on a turntable of rate Ω circles at 2/7 Ω; its positions have errors of first order in the step.
#[test]
fn a_ball_on_a_turntable_circles() {
    let rate = 3.0;
    let place = DVec3::new(0.7, 0.1, RADIUS);
    let velocity = DVec3::new(-0.2, 0.4, 0.0);
    let time = 1.2;
    let circling = 2.0 / 7.0 * rate;
    let error = |dt: f64| {
        let wall = Wall::plane(DVec3::ZERO, DVec3::Z).rotating(rate * DVec3::Z);
        let table = rate * DVec3::Z.cross(place - RADIUS * DVec3::Z);
        let spin = DVec3::Z.cross(velocity - table) / RADIUS;
        let mut scene = on_floor(dt, sliding(1.0), DVec3::NEG_Z * G, velocity, spin).with_walls([wall]);
        scene.state.position_mut().set(0, place);
        scene.steps((time / dt).round() as usize);
        // The centre of the circle lies at a right angle to the velocity.
        let centre = place + DVec3::Z.cross(velocity) / circling;
        let (sine, cosine) = (circling * time).sin_cos();
        let from = place - centre;
        let expected = centre + cosine * from + sine * DVec3::Z.cross(from);
        (scene.place(0) - expected).length()
    };
    let errors = [0.02, 0.01, 0.005].map(error);
    assert!(errors[0] < 0.02, "{errors:?}");
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1] - 2.0).abs() < 0.1, "{errors:?}");
    }
}

/// Rolling friction slows a rolling sphere by 5/7 μᵣ g, twisting friction its spin by `μ_w` m g/J, until both stop.
#[test]
fn rolling_and_twisting_friction() {
    let coefficients = ContactCoefficients { rolling: 0.02, twisting: 0.01, ..sliding(0.5) };
    let velocity = DVec3::X;
    let spin = DVec3::new(0.0, 1.0 / RADIUS, 2.0);
    let mut scene = on_floor(0.01, coefficients, DVec3::NEG_Z * G, velocity, spin);
    scene.steps(20);
    assert!((scene.velocity(0).x - (1.0 - 5.0 / 7.0 * 0.02 * G * 0.2)).abs() < 1e-9, "{}", scene.velocity(0));
    let inertia = 0.4 * RADIUS * RADIUS;
    assert!((scene.spin(0).z - (2.0 - 0.01 * G / inertia * 0.2)).abs() < 1e-9, "{}", scene.spin(0));
    let couple = scene.dynamics.contacts()[0].couple;
    assert_near(couple, DVec3::new(0.0, 0.02 * RADIUS * G, 0.01 * G), 1e-9);
    scene.steps(800);
    assert!(scene.kinetic() < 1e-18, "{}", scene.kinetic());
}
