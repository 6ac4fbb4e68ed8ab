//! Cost of a floor of triangles relative to a plane: explicit steps of 4096 spheres on the floor.
//!
//! `cargo bench --bench mesh_floor`: time of a step relative to that with a plane, as median of alternating rounds; for
//! floors of about 100, 10 000 and 100 000 triangles, a rotating floor, and a disc. The spheres stand in columns, so
//! there are fewer contacts than in a bed, and the floor has a larger share of the cost.

#![allow(clippy::print_stdout, reason = "a bench reports")]

use std::time::Instant;

use dem_contact::error::DemError;
use dem_contact::force::ContactForce;
use dem_contact::law::{Damping, Frictionless, Hooke, Laws};
use dem_contact::neighbor::{Boundary, Domain, NeighborList};
use dem_contact::wall::{Revolution, TriangleMesh, Wall};
use rrp_geom::glam::DVec3;
use rrp_integrate::Both;
use rrp_integrate::{Bodies, Body, Explicit, Gravity, Integrator, Map, State};

const SIDE: usize = 16;
const SPACING: f64 = 1.002;
const ROUNDS: usize = 15;
const STEPS: usize = 200;

type Field = Both<Gravity, ContactForce>;

/// A floor of 2 n² triangles that extends beyond the periodic sides.
fn floor(n: usize) -> Result<TriangleMesh, DemError> {
    let place = |k: usize| -1.0 + (SIDE as f64 * SPACING + 2.0) * k as f64 / n as f64;
    let points = (0..(n + 1) * (n + 1)).map(|k| DVec3::new(place(k % (n + 1)), place(k / (n + 1)), 0.0)).collect();
    let corner = |i: usize, j: usize| (j * (n + 1) + i) as u32;
    let cell = |k: usize| {
        let i = k % n;
        let j = k / n;
        let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        [[a, b, c], [a, c, d]]
    };
    TriangleMesh::open(points, (0..n * n).flat_map(cell).collect())
}

fn scene(wall: Wall) -> Result<(Bodies, State, Field), DemError> {
    let length = SIDE as f64 * SPACING;
    let boundary = [Boundary::Periodic, Boundary::Periodic, Boundary::Open];
    let domain = Domain::new(DVec3::ZERO, DVec3::new(length, length, 40.0), boundary)?;
    let bodies = Bodies::new((0..SIDE * SIDE * SIDE).map(|_| Body::sphere(1.0, 0.5)))?;
    let mut state = State::at_rest(bodies.len()).without_attitudes();
    for i in 0..bodies.len() {
        let cell = [i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE].map(|k| k as f64);
        state
            .position_mut()
            .set(i, DVec3::new(SPACING * (cell[0] + 0.5), SPACING * (cell[1] + 0.5), 0.4999 + 0.9999 * cell[2]));
    }
    let law = Hooke::new(195_000.0, Damping::coefficient(30.0)?)?;
    let laws = Laws::of(law, Frictionless);
    let contacts = ContactForce::new(NeighborList::new(domain, 0.1)?, laws).with_walls([wall])?;
    Ok((bodies, state, Both(Gravity { acceleration: DVec3::NEG_Z }, contacts)))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plane = || Wall::plane(DVec3::ZERO, DVec3::Z);
    let middle = DVec3::new(8.0, 8.0, 0.0);
    let others = [
        ("a plane again", plane()),
        ("98 triangles", Wall::new(floor(7)?, DVec3::ZERO)),
        ("10082 triangles", Wall::new(floor(71)?, DVec3::ZERO)),
        ("10082 triangles, turning", Wall::new(floor(71)?, DVec3::ZERO).about(middle).rotating(DVec3::Z)),
        ("99458 triangles", Wall::new(floor(223)?, DVec3::ZERO)),
        ("a disc", Wall::new(Revolution::disc(DVec3::Z, 14.0, 0.0)?, middle)),
    ];
    for (name, other) in others {
        let mut runs = [scene(plane())?, scene(other)?].map(|scene| (scene, Explicit::new(Map::Verlet, 1e-4)));
        let mut ratios = Vec::new();
        for _ in 0..ROUNDS {
            let mut times = [0.0; 2];
            for (((bodies, state, field), map), time) in runs.iter_mut().zip(&mut times) {
                let map = map.as_mut().map_err(|error| error.to_string())?;
                let start = Instant::now();
                for _ in 0..STEPS {
                    map.step(bodies, field, state)?;
                }
                *time = start.elapsed().as_secs_f64() / STEPS as f64;
            }
            ratios.push((times[1] / times[0], times));
        }
        ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (ratio, times) = ratios[ROUNDS / 2];
        println!(
            "{name}: {ratio:.3} times a plane ({:.0} and {:.0} µs a step; {:.3} to {:.3})",
            1e6 * times[1],
            1e6 * times[0],
            ratios[0].0,
            ratios[ROUNDS - 1].0
        );
    }
    Ok(())
}
