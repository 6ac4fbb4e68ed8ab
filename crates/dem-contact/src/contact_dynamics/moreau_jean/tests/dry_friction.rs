//! Bodies that cannot roll: on a turntable, on a spring, and a block on four corners.

use rrp_integrate::{FieldError, ForceField, Wrenches};

use super::*;
use crate::cuboid::shape::Cuboid;

const G: f64 = 10.0;

/// Makes a sphere on the floor of nearly infinite inertia, which slides without turning.
fn block(dt: f64, friction: f64, place: f64, velocity: DVec3) -> Scene {
    let coefficients = ContactCoefficients::new(friction, 0.0);
    let mut scene = on_floor(dt, coefficients, DVec3::NEG_Z * G, velocity, DVec3::ZERO);
    scene.bodies = Bodies::new([Body { mass: 1.0, inertia: DVec3::splat(1e30), radius: RADIUS }]).unwrap();
    scene.state.position_mut().set(0, DVec3::new(place, 0.0, RADIUS));
    scene
}

/// Least friction with which a [`block`] turns with a table of this rate in steps of `dt`: Ω² r/g for short steps. A
/// step moves the block along the chord of its circle, at the speed 2 r sin(Ω dt/2)/dt, and turns the velocity by Ω dt.
fn least_friction(dt: f64, rate: f64, place: f64) -> f64 {
    4.0 * place * (0.5 * rate * dt).sin().powi(2) / (dt * dt * G)
}

/// Makes a scene of a [`block`] on a turntable of this `rate` (rad/s), at the distance `place` (m) from its axis.
fn on_turntable(dt: f64, friction: f64, rate: f64, place: f64) -> Scene {
    let table = Wall::plane(DVec3::ZERO, DVec3::Z).rotating(rate * DVec3::Z);
    let (sine, cosine) = (rate * dt).sin_cos();
    let chord = place / dt * DVec3::new(1.0 - cosine, sine, 0.0);
    block(dt, friction, place, chord).with_walls([table])
}

/// A block that sticks to a turntable does not creep, at any step: contact points of the wall move along chords. With
/// the wall velocity at the start of the step the block would creep outwards as r₀ exp(Ω² dt t/2).
#[test]
fn a_block_that_sticks_to_a_turntable_does_not_creep() {
    let rate = 2.0_f64;
    let place = 0.8_f64;
    let time = 1.0_f64;
    for dt in [0.1_f64, 0.02, 0.005] {
        let steps = (time / dt).round() as usize;
        let mut scene = on_turntable(dt, 1.01 * rate * rate * place / G, rate, place);
        scene.steps(steps);
        let (sine, cosine) = (rate * dt * steps as f64).sin_cos();
        assert_near(scene.place(0), DVec3::new(place * cosine, place * sine, RADIUS), 1e-12);
        let mut sliding = on_turntable(dt, 0.9 * rate * rate * place / G, rate, place);
        sliding.steps(steps);
        assert!(sliding.place(0).truncate().length() > 1.01 * place, "{}", sliding.place(0));
    }
}

/// A block on a turntable slips iff Ω² r > μ g, to the last digits.
#[test]
fn the_threshold_of_a_turntable() {
    let rate = 2.0_f64;
    let place = 0.8_f64;
    let dt = 0.1_f64;
    let least = least_friction(dt, rate, place);
    assert!((least * G / (rate * rate * place) - 1.0).abs() < (rate * dt).powi(2) / 12.0);
    for (factor, slips) in [(1.0 + 1e-12, 0.0), (1.0 - 1e-12, 1e-12)] {
        let mut scene = on_turntable(dt, factor * least, rate, place);
        scene.steps(1);
        let (sine, cosine) = (rate * dt).sin_cos();
        let chord = place / dt * DVec3::new(cosine - 1.0, sine, 0.0);
        let over = (scene.velocity(0) - chord).length() / (least * G * dt);
        assert!((over - slips).abs() < 2e-14, "{over:e} at {factor}");
    }
}

struct Spring {
    stiffness: f64,
}

impl ForceField for Spring {
    fn accumulate(&mut self, bodies: &Bodies, state: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        for (i, mass) in bodies.mass().iter().enumerate() {
            out.force.add(i, DVec3::new(-self.stiffness * state.position().get(i).x, 0.0, -mass * G));
        }
        Ok(())
    }
}

/// Dry friction reduces the turning points of an oscillator by 2 μ m g/k each, and it stops within |x| ≤ μ m g/k.
#[test]
fn a_spring_with_dry_friction_comes_to_rest_within_its_band() {
    const AT_REST: f64 = 1e-12;
    let friction = 0.2;
    let stiffness = 40.0;
    let place = 0.53;
    let band = friction * G / stiffness;
    for dt in [4e-3, 1e-3] {
        let mut scene = block(dt, friction, place, DVec3::ZERO);
        let mut spring = Spring { stiffness };
        let mut turns = Vec::new();
        let mut last = scene.velocity(0).x;
        for _ in 0..(8.0 / dt) as usize {
            scene.dynamics.step(&scene.bodies, &mut spring, &mut scene.state).unwrap();
            let now = scene.velocity(0).x;
            if last.abs() > AT_REST && now * last.signum() < AT_REST {
                turns.push(scene.place(0).x);
            }
            last = now;
        }
        // The start is at 10.6 bands, so that the turning points are at 8.6, 6.6, 4.6, 2.6 and 0.6 bands.
        assert_eq!(turns.len(), 5, "{turns:?}");
        for (turn, count) in turns.iter().zip(1..) {
            let expected = place - 2.0 * band * f64::from(count);
            assert!((turn.abs() - expected.abs()).abs() < 0.2 * dt * place, "{turns:?} {expected}");
        }
        assert!(scene.velocity(0).length() < AT_REST && scene.place(0).x.abs() <= band, "{}", scene.place(0));
    }
}

/// A flat block on four corners rests on an incline iff tan θ ≤ μ, but for a small speed that does not grow.
#[test]
fn the_threshold_of_a_block_on_four_corners() {
    let (sine, cosine) = 0.4_f64.sin_cos();
    let tan = sine / cosine;
    let flat = Cuboid { body: 0, half_extents: DVec3::new(1.0, 0.7, 0.1) };
    for (factor, over) in [(1.0 + 1e-7, 0.0), (1.0 - 1e-7, 1e-7)] {
        let coefficients = ContactCoefficients::new(tan * factor, 0.0);
        let mut scene = spheres(0.01, coefficients, &[0.1 * DVec3::Z], G * DVec3::new(sine, 0.0, -cosine));
        scene.bodies = Bodies::new([Cuboid::homogeneous(1.0, flat.half_extents)]).unwrap();
        let dynamics = above_floor(0.01, RigidMaterials::uniform(coefficients).unwrap(), 1e-10);
        scene.dynamics = dynamics.with_cuboids([flat]).unwrap();
        scene.steps(400);
        let found = scene.velocity(0).x / (G * 4.0 * sine);
        assert!((found - over).abs() < 5e-9, "{found:e} at {factor}");
        assert_eq!(scene.dynamics.contacts().len(), 4);
    }
}
