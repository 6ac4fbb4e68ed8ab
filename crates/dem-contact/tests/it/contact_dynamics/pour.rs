//! Tests of spheres poured into a box: nothing overlaps.

use crate::contact_dynamics::support::{apgd, gravity};
use crate::prelude::*;

const DIAMETER: f64 = 0.01;

/// Makes `count` spheres of different sizes above the floor of a box `side` diameters wide.
pub(crate) fn scene(count: usize, side: usize, mixed: bool) -> (Bodies, State, Vec<Wall>) {
    // Beds of other seeds may jam so far that the solver stalls at the tolerance of these tests.
    let mut random = Random::new(6);
    let radius = move |random: &mut Random| 0.5 * DIAMETER * if mixed { 0.6 + 0.4 * random.next() } else { 1.0 };
    let radii: Vec<f64> = (0..count).map(|_| radius(&mut random)).collect();
    let bodies = Bodies::new(radii.iter().map(|r| Body::sphere(1e4 * r.powi(3), *r))).unwrap();
    let mut state = State::at_rest(count);
    for i in 0..count {
        let cell = DVec3::from_array([i % side, i / side % side, i / side / side].map(|k| k as f64 + 0.5));
        let shift = 0.1 * (random.vector() - 0.5);
        state.position_mut().set(i, 1.15 * DIAMETER * (cell + shift));
        state.velocity_mut().set(i, 0.2 * (random.vector() - 0.5));
    }
    let width = 1.15 * DIAMETER * side as f64;
    let walls = Wall::inside_of_box(DVec3::ZERO, DVec3::new(width, width, 1e3)).into_iter().take(5).collect();
    (bodies, state, walls)
}

/// Returns the deepest overlap of spheres and walls in m.
pub(crate) fn deepest(list: &mut NeighborList, bodies: &Bodies, state: &State, walls: &[Wall]) -> f64 {
    list.update(bodies.radius(), state.position()).unwrap();
    let position = |i: usize| state.position().get(i);
    let pairs = list.pairs().into_iter().map(|[a, b]| {
        let distance = list.domain().separation(position(a), position(b)).length();
        bodies.radius()[a] + bodies.radius()[b] - distance
    });
    let on_wall = |wall: &Wall, i: usize| {
        bodies.radius()[i] - (position(i) - wall.point_at(state.time())).dot(wall.normal_at(0.0).unwrap())
    };
    let on_walls = walls.iter().flat_map(|wall| (0..bodies.len()).map(move |i| on_wall(wall, i)));
    pairs.chain(on_walls).fold(0.0, f64::max)
}

/// Returns the deepest overlap in diameters over a run, and the mean height at its end.
fn pour(count: usize, side: usize, steps: usize, mixed: bool, restitution: f64) -> (f64, f64) {
    let (bodies, mut state, walls) = scene(count, side, mixed);
    let dynamics = ContactDynamics::new(1e-3, open_list(0.1 * DIAMETER), apgd(2e-9)).unwrap();
    let mut dynamics = dynamics.with_walls(walls.clone()).unwrap().with_restitution(restitution).unwrap();
    let mut list = open_list(0.1 * DIAMETER);
    let mut worst = 0.0_f64;
    let mut most = 0;
    for step in 0..steps {
        dynamics.step(&bodies, &mut gravity(), &mut state).unwrap_or_else(|error| panic!("step {step}: {error:?}"));
        worst = worst.max(deepest(&mut list, &bodies, &state, &walls));
        most = most.max(dynamics.report().searches);
    }
    let height = state.position().iter().map(|x| x.z).sum::<f64>() / count as f64;
    println!(
        "{count} spheres, {steps} steps: overlap {:e} d, searches {most}, contacts {}",
        worst / DIAMETER,
        dynamics.contacts().len()
    );
    (worst / DIAMETER, height)
}

#[test]
fn nothing_overlaps_in_a_pour() {
    for (mixed, restitution) in [(false, 0.0), (true, 0.0), (false, 0.5), (true, 0.5)] {
        let (_, start, _) = scene(200, 5, mixed);
        let height = start.position().iter().map(|x| x.z).sum::<f64>() / 200.0;
        // The spheres come to rest in the first half of the run.
        let (overlap, end) = pour(200, 5, 125, mixed, restitution);
        assert!(overlap < 1e-9, "{overlap:e}");
        assert!(end < 0.9 * height, "they fell from {height} to {end}");
    }
}
