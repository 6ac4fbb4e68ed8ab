//! Figure of rigid spheres that are poured into a box by contact dynamics, and the overlaps that remain.
use anyhow::{Context as _, Result};
use cd_solve::{Apgd, Options};
use dem_contact::contact_dynamics::ContactDynamics;
use dem_contact::neighbor::{Domain, NeighborList};
use dem_contact::wall::Wall;
use grains_pages::number::larger;
use grains_pages::plot::{Plot, Series};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Gravity, Integrator, State};
use serde_json::json;

use crate::figures::shot::Shot;
use crate::model::{Artifact, Claim, Context, View, edges};

/// Diameter d of the largest spheres in m; the smallest have 0.6 d.
const DIAMETER: f64 = 0.01;
/// Density of the spheres in kg/m³.
const DENSITY: f64 = 2400.0;
/// Acceleration of gravity in m/s².
const GRAVITY: f64 = 9.81;
/// Time step of contact dynamics in s.
const DT: f64 = 1e-3;
/// Initial distance in d between neighbouring sites of the lattice on which the spheres start.
const SPACING: f64 = 1.15;
/// Relative residual at which the solver of the complementarity problems stops.
const TOLERANCE: f64 = 2e-9;
/// Largest overlap in d of spheres or walls that the claim of the figure accepts.
const ACCEPTED: f64 = 1e-9;

/// Seed of the random generator for the sizes, positions and velocities of the spheres.
const SEED: u64 = 3;

/// Returns a random vector with components between −½ and ½.
fn vector(random: &mut ChaCha8Rng) -> DVec3 {
    DVec3::from_array(random.random()) - 0.5
}

/// Makes `count` spheres of random sizes on a lattice of `side` × `side` columns in a box without lid, and the five
/// walls of the box.
fn scene(count: usize, side: usize) -> Result<(Bodies, State, Vec<Wall>)> {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let radii: Vec<f64> = (0..count).map(|_| 0.5 * DIAMETER * (0.6 + 0.4 * random.random::<f64>())).collect();
    let mass = |radius: f64| DENSITY * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let bodies = Bodies::new(radii.iter().map(|&radius| Body::sphere(mass(radius), radius)))?;
    let mut state = State::at_rest(count);
    for i in 0..count {
        let cell = DVec3::from_array([i % side, i / side % side, i / side / side].map(|k| k as f64 + 0.5));
        state.position_mut().set(i, SPACING * DIAMETER * (cell + 0.1 * vector(&mut random)));
        state.velocity_mut().set(i, 0.2 * vector(&mut random));
    }
    let width = SPACING * DIAMETER * side as f64;
    let walls = Wall::inside_of_box(DVec3::ZERO, DVec3::new(width, width, 1e3)).into_iter().take(5).collect();
    Ok((bodies, state, walls))
}

/// Returns the largest overlap in m between two spheres or a sphere and a wall, found by `list`, which contact dynamics
/// does not use.
fn deepest(list: &mut NeighborList, bodies: &Bodies, state: &State, walls: &[Wall]) -> Result<f64> {
    list.update(bodies.radius(), state.position())?;
    let (position, radius) = (|i: usize| state.position().get(i), bodies.radius());
    let pairs = list.pairs().into_iter().map(|[a, b]| radius[a] + radius[b] - position(a).distance(position(b)));
    let below =
        |wall: &Wall, i: usize| radius[i] - wall.distance(position(i), state.time(), f64::INFINITY).unwrap_or(f64::NAN);
    let on_walls = walls.iter().flat_map(|wall| (0..bodies.len()).map(move |i| below(wall, i)));
    Ok(pairs.chain(on_walls).fold(0.0, larger))
}

/// Makes the figure of the pour, in which many contacts close and open in each step.
pub(super) fn box_of_spheres(context: &Context) -> Result<Artifact> {
    let (count, side, steps) = context.pick((1000, 8, 800), (200, 5, 250));
    let (bodies, mut state, walls) = scene(count, side)?;
    let [width, height] = [side, count.div_ceil(side * side)].map(|cells| SPACING * DIAMETER * cells as f64);
    let mut gravity = Gravity { acceleration: DVec3::NEG_Z * GRAVITY };
    let list = || NeighborList::new(Domain::OPEN, 0.1 * DIAMETER);
    let solver = Apgd::new(Options::new(TOLERANCE, 200_000));
    let mut dynamics = ContactDynamics::new(DT, list()?, solver)?.with_walls(walls.clone())?;
    let mut own_list = list()?;
    let mut worst = 0.0;
    let mut touching = 0.0;
    let mut overlaps = Vec::new();
    let mut per_sphere = Vec::new();
    let mut heights = Vec::new();
    let mut view = View::grains("pour-view", "The pour", 0.5 * DIAMETER, 0)
        .radii(&(0..count).map(|i| bodies.radius()[i]).collect::<Vec<f64>>())
        .scale("speed [m/s]", 0.5)
        .seen_from(DVec3::new(1.0, -1.4, 0.5), DVec3::Z)
        .edges(edges::of_box(DVec3::ZERO, DVec3::new(width, width, height)));
    context.progress.total(steps as u64);
    for step in 1..=steps {
        dynamics.step(&bodies, &mut gravity, &mut state).with_context(|| format!("step {step}"))?;
        let overlap = deepest(&mut own_list, &bodies, &state, &walls)? / DIAMETER;
        worst = larger(worst, overlap);
        let contacts = dynamics.contacts().iter().filter(|contact| contact.force > 0.0);
        touching = contacts.map(|contact| if contact.with_wall { 1.0 } else { 2.0 }).sum::<f64>() / count as f64;
        let time = state.time();
        overlaps.push((time, overlap));
        per_sphere.push((time, touching));
        heights.push((time, state.position().iter().map(|x| x.z).sum::<f64>() / count as f64 / DIAMETER));
        if step % (steps / 50) == 0 {
            view = view.frame(Shot::of(&state).frame(format!("t = {time:.2} s")));
        }
        context.progress.advance(1);
    }
    let start = heights[0].1;
    let end = heights[steps - 1].1;
    let cut = context.pick(None, Some("200 of 1000 spheres, 250 of 800 steps"));
    let plots = [
        Plot::semilog("overlap", "Deepest overlap", ("time", "s"), ("overlap", "d"))
            .series(Series::line("spheres and walls", overlaps))
            .level(ACCEPTED, "accepted"),
        Plot::linear("contacts", "Contacts that push", ("time", "s"), ("contacts per sphere", ""))
            .series(Series::line("with spheres and walls", per_sphere)),
        Plot::linear("height", "Mean height", ("time", "s"), ("height", "d")).series(Series::line("centres", heights)),
    ];
    let artifact = Artifact::new(
        "Spheres of diameters from 0.6 to 1 d fall from a loose lattice into a box with smooth walls; impacts are plastic, \
         and a step lasts as long as half a hundred contacts of glass beads would. Overlaps are those at the ends of the \
         steps, found by a neighbour list that contact dynamics does not use.",
    )
    .view(view)
    .claims([
        Claim::ours("deepest overlap in all steps", worst, 0.0..=ACCEPTED).unit("d"),
        Claim::ours("mean height at the end over that at the start", end / start, 0.3..=0.9),
        Claim::ours("contacts per sphere at the end, isostatic is six", touching, 3.0..=6.1),
    ])
    .shortened(cut)
    .parameters(json!({
        "spheres": count, "steps": steps, "dt_s": DT, "largest diameter_m": DIAMETER, "density_kg/m³": DENSITY,
        "g_m/s²": GRAVITY, "relative residual": TOLERANCE, "seed of ChaCha8": SEED,
    }));
    Ok(artifact.plots(plots))
}
