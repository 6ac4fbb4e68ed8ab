//! A ball in a wedge narrower than the friction angle, where sticking contacts can press each other with any force.

use super::*;
use crate::contact_dynamics::rigid_contact::RigidContact;

const LONGEST: f64 = 2.0;

/// Returns the angle in degrees at which a ball leaves two touching fixed balls that are larger by `ratio`, after a
/// start one degree off the vertical, and its largest contact force over its weight.
fn rolled_off(ratio: f64, dt: f64, friction: f64) -> [f64; 2] {
    let large = 5e-3;
    let small = 5e-3 / ratio;
    let gravity = 9.81;
    let mass = 1e4 * small.powi(3);
    let bodies = Bodies::new([Body::fixed(large), Body::fixed(large), Body::sphere(mass, small)]).unwrap();
    let mut state = State::at_rest(3);
    state.position_mut().set(0, large * DVec3::X);
    state.position_mut().set(1, large * DVec3::NEG_X);
    let (sine, cosine) = 1.0_f64.to_radians().sin_cos();
    let height = ((large + small).powi(2) - large * large).sqrt();
    state.position_mut().set(2, height * DVec3::new(0.0, sine, cosine));
    let list = NeighborList::new(Domain::OPEN, 0.1 * small).unwrap();
    let materials = RigidMaterials::uniform(ContactCoefficients::new(friction, 0.5)).unwrap();
    let mut dynamics = MoreauJean::new(dt, list, materials, CoulombSolver::default()).unwrap();
    let mut field = Gravity { acceleration: gravity * DVec3::NEG_Z };
    let mut angle = 0.0;
    let mut largest = 0.0_f64;
    while state.time() < LONGEST {
        let place = state.position().get(2);
        let taken = dynamics.step(&bodies, &mut field, &mut state);
        taken.unwrap_or_else(|error| panic!("1:{ratio}, dt {dt}, after {} s: {error}", state.time()));
        let force = dynamics.contacts().iter().map(|contact: &RigidContact| contact.force).fold(0.0, f64::max);
        largest = largest.max(force / (mass * gravity));
        if force > 0.0 {
            angle = place.y.atan2(place.z).to_degrees();
        } else if place.z < 0.0 || (place - large * DVec3::X).length() > large + 1.2 * small {
            return [angle, largest];
        }
    }
    panic!("1:{ratio}, dt {dt}: the ball is on the pair after {LONGEST} s, at {angle} degrees");
}

/// Without friction a ball leaves at cos θ = 2/3 cos θ₀; rolling without slip at cos θ = 2/(3 + k) cos θ₀ with the
/// inertia term k = 2/(5 sin² α), where α is the angle between the normals and the axis of the fixed pair. Expected
/// angles: docs/decisions/0027.
#[test]
fn a_small_ball_rolls_off_two_fixed_ones() {
    let cosine = 1.0_f64.to_radians().cos();
    for (ratio, dt, friction, expected) in [
        (3.0, 1e-3, 0.5, 55.76),
        (3.0, 1e-4, 0.5, 56.38),
        (10.0, 1e-3, 0.5, 61.39),
        (10.0, 1e-4, 0.5, 62.29),
        (20.0, 1e-3, 0.5, 63.91),
        (50.0, 1e-3, 1.0, 74.47),
    ] {
        let [angle, largest] = rolled_off(ratio, dt, friction);
        let sine_squared: f64 = 1.0 - (ratio / (1.0 + ratio)).powi(2);
        let [sliding, rolling] =
            [0.0, 0.4 / sine_squared].map(|part| (2.0 * cosine / (3.0 + part)).acos().to_degrees());
        assert!(sliding < angle && angle < rolling, "1:{ratio}, dt {dt}: {sliding} {angle} {rolling}");
        assert!((angle - expected).abs() < 0.5, "1:{ratio}, dt {dt}: {angle} instead of {expected} degrees");
        assert!(largest < 10.0, "1:{ratio}, dt {dt}: {largest} m g");
    }
}

/// Two walls at 20 degrees to the vertical hold a falling ball of μ = 1: sliding out would pull the ball in, so no
/// velocities obey the law of restitution. Walls at 60 degrees let the ball rebound.
#[test]
fn a_ball_that_strikes_a_narrow_wedge_stays_in_it() {
    for (degrees, restitution) in [(20.0_f64, 0.5), (20.0, 1.0), (60.0, 0.5)] {
        let cosine = degrees.to_radians().cos();
        let sine = degrees.to_radians().sin();
        let walls = [1.0, -1.0].map(|side| Wall::plane(DVec3::ZERO, DVec3::new(side * cosine, 0.0, sine)));
        let coefficients = ContactCoefficients::new(1.0, restitution);
        let place = (RADIUS / sine + 0.01) * DVec3::Z;
        let mut scene = spheres(1e-3, coefficients, &[place], 10.0 * DVec3::NEG_Z).with_walls(walls);
        scene.set(0, DVec3::NEG_Z, DVec3::ZERO);
        let mut struck = 0;
        let mut fastest = f64::NEG_INFINITY;
        for _ in 0..60 {
            scene.steps(1);
            struck += scene.dynamics.report().without_restitution;
            fastest = fastest.max(scene.velocity(0).z);
        }
        let is_narrow = degrees < 45.0;
        assert_eq!(struck > 0, is_narrow, "{degrees} degrees, e = {restitution}");
        assert_eq!(fastest < 1e-9, is_narrow, "{degrees} degrees, e = {restitution}: {fastest} m/s");
        assert!(!is_narrow || scene.kinetic() < 1e-18, "{}", scene.kinetic());
    }
}

/// A ball hits a narrow wedge while two other balls, metres away, collide: these rebound by Newton's law.
#[test]
fn a_narrow_wedge_takes_no_restitution_from_other_islands() {
    let (sine, cosine) = 20.0_f64.to_radians().sin_cos();
    let walls = [1.0, -1.0].map(|side| Wall::plane(DVec3::ZERO, DVec3::new(side * cosine, 0.0, sine)));
    let lowest = (RADIUS / sine + 0.0105) * DVec3::Z;
    let half = (RADIUS + 0.0105) * DVec3::X;
    let places = [lowest, 20.0 * DVec3::Z - half, 20.0 * DVec3::Z + half];
    let mut scene = spheres(1e-3, ContactCoefficients::new(1.0, 0.5), &places, DVec3::ZERO).with_walls(walls);
    let velocities = [DVec3::NEG_Z, DVec3::X, DVec3::NEG_X];
    velocities.iter().enumerate().for_each(|(i, &velocity)| scene.set(i, velocity, DVec3::ZERO));
    let mut dropped = Vec::new();
    for _ in 0..15 {
        scene.steps(1);
        dropped.push(scene.dynamics.report().without_restitution);
    }
    assert_eq!(dropped.iter().find(|&&count| count > 0), Some(&2), "{dropped:?}");
    for (i, expected) in [DVec3::ZERO, -0.5 * DVec3::X, 0.5 * DVec3::X].into_iter().enumerate() {
        assert_near(scene.velocity(i), expected, 1e-8);
    }
}
