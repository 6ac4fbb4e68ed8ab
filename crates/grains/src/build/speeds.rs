//! Speeds of bodies, walls and driven groups, and times between turning points of driven motions.

use std::f64::consts::{PI, TAU};

use rrp_geom::glam::DVec3;
use rrp_integrate::State;

use super::bodies::smallest_radius;
use super::situation::{Driven, Situation};
use crate::scene::Scene;
use crate::scene::bodies::BodyMotion;
use crate::scene::space::{BoxMotion, SimulationBox};
use crate::scene::walls::motion::{
    AngleOscillation, AngleRows, MotionRows, Oscillation, TurnByAngle, WallDrive, WallMotion,
};
use crate::scene::walls::{WallGroup, WallShape};

/// Smallest change of a value in a table of motion, relative to the largest value, that counts as motion; smaller ones
/// are measurement noise.
const NOISE: f64 = 0.05;
/// Largest sine of the angle between two axes that count as parallel.
const ALONG: f64 = 1e-9;

/// Estimates the speed in m/s of the fastest impact: of the fastest body, driven group or wall, or of a fall through
/// the scene.
pub(super) fn speed(scene: &Scene, situation: &Situation<'_>) -> f64 {
    let &Situation { bodies, state, driven, .. } = situation;
    let fastest = state.velocity().iter().map(DVec3::length).fold(0.0, f64::max);
    let gravity = DVec3::from_array(scene.gravity);
    let heights = || state.position().iter().map(|position| position.dot(gravity));
    let fall = heights().fold(f64::NEG_INFINITY, f64::max) - heights().fold(f64::INFINITY, f64::min);
    let small = gravity.length() * smallest_radius(bodies);
    // A turning wall meets bodies at their present distance from its pivot at most.
    let of_wall = |wall: &WallGroup| {
        let motion = wall.motion();
        let velocity = DVec3::from_array(motion.velocity).length();
        let spin = rate_of_turning(&motion);
        let point = DVec3::from_array(wall.shape.pivot());
        let distances =
            state.position().iter().zip(bodies.radius().iter()).map(|(at, radius)| (at - point).length() + radius);
        velocity + driven_speed(&motion.drive()) + if spin > 0.0 { spin * distances.fold(0.0, f64::max) } else { 0.0 }
    };
    let walls = scene.walls.iter().map(of_wall).fold(0.0, f64::max);
    let images = scene.simulation_box.as_ref().map_or(0.0, image_speed);
    (2.0 * fastest.max(driven.speed).max(walls)).max((2.0 * (fall + small)).sqrt()).max(images)
}

/// Bounds speed and period of driven groups of fixed bodies with these motions. The members of a group are unknown
/// here, so the lever arm of a turning group is the largest distance of any body from the pivot. A bound that is too
/// large only gives shorter steps.
pub(crate) fn driven_groups(motions: &[BodyMotion], state: &State) -> Driven {
    let drive =
        |one: &BodyMotion| WallDrive { oscillation: one.oscillation, table: one.table.clone(), ..WallDrive::default() };
    let speed = |motion: &BodyMotion| {
        let turning = motion.pivot.map_or(0.0, |pivot| {
            let distances = state.position().iter().map(|at| (at - DVec3::from_array(pivot)).length());
            DVec3::from_array(motion.spin).length() * distances.fold(0.0, f64::max)
        });
        DVec3::from_array(motion.velocity).length() + turning + driven_speed(&drive(motion))
    };
    let half_period = |motion: &BodyMotion| half_period_of_drive(&drive(motion)).min(half_turn(motion.spin));
    Driven {
        speed: motions.iter().map(speed).fold(0.0, f64::max),
        half_period: motions.iter().map(half_period).fold(f64::INFINITY, f64::min),
    }
}

/// Returns the shortest time in s from one turning point of a wall's motion to the next, or of half a rotation;
/// infinite without turning points.
pub(super) fn half_period_of_walls(scene: &Scene) -> f64 {
    let half_period = |wall: &WallGroup| {
        let motion = wall.motion();
        let rotation = if turns_in_itself(wall) { f64::INFINITY } else { PI / rate_of_turning(&motion) };
        half_period_of_drive(&motion.drive()).min(rotation)
    };
    scene.walls.iter().map(half_period).fold(f64::INFINITY, f64::min)
}

/// Returns whether a turning wall keeps its surface in place: a plane about its normal, or a cylinder or turned profile
/// about its axis.
fn turns_in_itself(wall: &WallGroup) -> bool {
    let motion = wall.motion();
    let pivot = DVec3::from_array(wall.shape.pivot());
    let (axis, arm) = match wall.shape {
        WallShape::Plane { normal, .. } => (normal, DVec3::ZERO),
        WallShape::Cylinder { point, axis, .. } | WallShape::Revolution { point, axis, .. } => {
            (axis, pivot - DVec3::from_array(point))
        }
        _ => return false,
    };
    let axis = DVec3::from_array(axis).normalize_or_zero();
    let of_turn = motion.turn.map_or(DVec3::ZERO, |turn| DVec3::from_array(turn.axis));
    let is_along = |vector: DVec3| axis.cross(vector).length() <= ALONG * vector.length();
    [DVec3::from_array(motion.spin), of_turn, arm].into_iter().all(is_along)
}

/// Returns an upper bound of the angular velocity in rad/s of a wall with this motion.
fn rate_of_turning(motion: &WallMotion) -> f64 {
    let of_turn = motion.turn.as_ref().map_or(0.0, |turn| driven_speed(&along_x(turn)));
    DVec3::from_array(motion.spin).length() + of_turn
}

/// Converts angles over time into displacements along x, so that the functions for displacements serve both.
fn along_x(turn: &TurnByAngle) -> WallDrive {
    let oscillation = turn.oscillation.map(|AngleOscillation { amplitude, frequency, phase }| Oscillation {
        amplitude: [amplitude, 0.0, 0.0],
        frequency,
        phase,
    });
    let rows = |rows: &[[f64; 2]]| rows.iter().map(|&[time, value]| [time, value, 0.0, 0.0]).collect();
    let table = turn.table.as_ref().map(|table| match table {
        AngleRows::Rates(given) => MotionRows::Velocities(rows(given)),
        AngleRows::Angles(given) => MotionRows::Positions(rows(given)),
    });
    WallDrive { oscillation, table, ..WallDrive::default() }
}

fn half_turn(spin: [f64; 3]) -> f64 {
    PI / DVec3::from_array(spin).length()
}

/// Returns the shortest time in s from one turning point of a drive to the next: half the period of an oscillation. At
/// a turning point of a table, it is half the time between the rows before and after, as if both ways made a period: a
/// sudden start before a slow way back is no fast motion. Ramps up to a constant speed have no turning point.
fn half_period_of_drive(drive: &WallDrive) -> f64 {
    let swings = |amplitude: [f64; 3]| amplitude.iter().any(|component| component.abs() > 0.0);
    let oscillation = drive.oscillation.filter(|oscillation| swings(oscillation.amplitude));
    let displaced = oscillation.map_or(f64::INFINITY, |oscillation| 0.5 / oscillation.frequency);
    let turned = drive.turn.as_ref().map_or(f64::INFINITY, |turn| half_period_of_drive(&along_x(turn)));
    let swinging = displaced.min(turned);
    let Some(MotionRows::Velocities(rows) | MotionRows::Positions(rows)) = &drive.table else {
        return swinging;
    };
    let vector = |&[_, x, y, z]: &[f64; 4]| DVec3::new(x, y, z);
    let range = rows.iter().map(|row| (vector(row) - vector(&rows[0])).length()).fold(0.0, f64::max);
    let turn = |rows: &[[f64; 4]]| {
        let before = vector(&rows[1]) - vector(&rows[0]);
        let after = vector(&rows[2]) - vector(&rows[1]);
        let turns = before.dot(after) < 0.0 && before.length().min(after.length()) > NOISE * range;
        if turns { 0.5 * (rows[2][0] - rows[0][0]) } else { f64::INFINITY }
    };
    rows.windows(3).map(turn).fold(swinging, f64::min)
}

/// Returns an upper bound of the speed in m/s at which periodic images of bodies move when the box starts to deform.
fn image_speed(space: &SimulationBox) -> f64 {
    let edges = DVec3::from_array(space.high) - DVec3::from_array(space.low);
    let BoxMotion { strain_rate, shear, servo } = space.motion();
    let strained = strain_rate.map_or(DVec3::ZERO, |rate| DVec3::from_array(rate) * edges);
    let sheared = shear.map_or(0.0, |shear| (shear.rate * edges[shear.across as usize]).abs());
    let pressed = servo.map_or(0.0, |servo| servo.rate * edges.max_element());
    strained.length() + sheared + pressed
}

/// Returns an upper bound of the speed in m/s that an oscillation, a table, a running surface or a servo adds. The
/// largest speed of a spline is taken as 1.5 times the mean speed between two rows, as in a motion from rest to rest.
fn driven_speed(drive: &WallDrive) -> f64 {
    let oscillating = drive
        .oscillation
        .map_or(0.0, |oscillation| TAU * oscillation.frequency * DVec3::from_array(oscillation.amplitude).length());
    let length = |[_, x, y, z]: [f64; 4]| DVec3::new(x, y, z).length();
    let tabulated = match &drive.table {
        None => 0.0,
        Some(MotionRows::Velocities(rows)) => rows.iter().map(|&row| length(row)).fold(0.0, f64::max),
        Some(MotionRows::Positions(rows)) => {
            let way = |pair: &[[f64; 4]]| {
                let [_, x, y, z] = pair[1];
                let [before, u, v, w] = pair[0];
                1.5 * length([0.0, x - u, y - v, z - w]) / (pair[1][0] - before)
            };
            rows.windows(2).map(way).fold(0.0, f64::max)
        }
    };
    let running = drive.surface_velocity.map_or(0.0, |velocity| DVec3::from_array(velocity).length());
    oscillating + tabulated + running + drive.servo.as_ref().and_then(|servo| servo.speed).unwrap_or(0.0)
}
