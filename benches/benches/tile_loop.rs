//! The loop on tiles beside the loop on blocks, in turns.
//!
//! `cargo bench --bench tile_loop -- --data FILE [--steps N] [--turns N] [--threads N] [--chute]`. FILE is a bed as a LAMMPS data
//! file, or with `--chute` LAMMPS' chute. For each law it prints the fastest and the median time per sphere and step (ns)
//! of both loops, their ratio (above 1: tiles are faster), and how many lists each made. The laws are those of `dem_bed`.

#![allow(clippy::print_stdout, reason = "a bench reports")]

use std::path::Path;
use std::time::Instant;

use dem_contact::force::ContactForce;
use dem_contact::force::tiles::TileForce;
use dem_contact::io::LammpsData;
use dem_contact::law::{ContactLaw, Damping, FrictionSpring, Frictionless, Hertz, Hooke, MindlinSpring, TangentialLaw};
use dem_contact::neighbor::{Boundary, Domain, NeighborList};
use rrp_benches::{flag, value};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Both, Explicit, FieldError, ForceField, Gravity, Map, State};

const SKIN: f64 = 0.1;

/// A bed: its domain, spheres and gravity.
struct Bed {
    domain: Domain,
    bodies: Bodies,
    state: State,
    gravity: Gravity,
}

/// Steps of one field, timed turn by turn.
struct Run<F> {
    field: F,
    map: Explicit,
    state: State,
    /// Of each turn, in ns a sphere and step.
    times: Vec<f64>,
}

impl<F: ForceField> Run<F> {
    fn new(field: F, bed: &Bed) -> Result<Self, FieldError> {
        let mut run =
            Self { field, map: Explicit::new(Map::Rodrigues25, 1e-4)?, state: bed.state.clone(), times: Vec::new() };
        run.map.run(&bed.bodies, &mut run.field, &mut run.state, 20)?;
        Ok(run)
    }

    fn turn(&mut self, bed: &Bed, steps: usize) -> Result<(), FieldError> {
        let start = Instant::now();
        self.map.run(&bed.bodies, &mut self.field, &mut self.state, steps)?;
        self.times.push(start.elapsed().as_secs_f64() * 1e9 / (steps * bed.bodies.len()) as f64);
        Ok(())
    }

    /// The fastest turn and the median one.
    fn fastest_and_median(&self) -> [f64; 2] {
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        [times[0], times[times.len() / 2]]
    }
}

fn compare<L: ContactLaw + Copy, T: TangentialLaw + Copy>(
    bed: &Bed,
    name: &str,
    law: L,
    tangential: T,
) -> Result<(), FieldError> {
    let number = |flag: &str, default: usize| value(flag).map_or(Ok(default), |number| number.parse());
    let (steps, turns) = (number("--steps", 200)?, number("--turns", 7)?);
    let list = NeighborList::new(bed.domain, SKIN)?;
    let tiles = Both(TileForce::new(bed.domain, SKIN, law, tangential)?, bed.gravity);
    let blocks = Both(ContactForce::new(list, law, tangential), bed.gravity);
    let (mut tiles, mut blocks) = (Run::new(tiles, bed)?, Run::new(blocks, bed)?);
    for _ in 0..turns {
        tiles.turn(bed, steps)?;
        blocks.turn(bed, steps)?;
    }
    let ([fast_tiles, tiles_median], [fast_blocks, blocks_median]) =
        (tiles.fastest_and_median(), blocks.fastest_and_median());
    let lists = [tiles.field.0.builds(), blocks.field.0.list().builds()];
    println!(
        "law={name} tiles_ns={fast_tiles:.1} ({tiles_median:.1}) blocks_ns={fast_blocks:.1} ({blocks_median:.1}) \
         ratio={:.2} ({:.2}) lists={lists:?}",
        fast_blocks / fast_tiles,
        blocks_median / tiles_median,
    );
    Ok(())
}

fn compare_all() -> Result<(), FieldError> {
    let path = value("--data").ok_or("--data FILE is missing")?;
    let data = LammpsData::read_path(Path::new(&path))?;
    let is_chute = flag("--chute");
    let rows: Vec<Body> = data.bodies.into();
    let freeze = |(body, kind): (Body, &u32)| if is_chute && *kind == 2 { Body::fixed(body.radius) } else { body };
    let bodies = Bodies::new(rows.into_iter().zip(&data.kind).map(freeze))?;
    let top = if is_chute { Boundary::Open } else { Boundary::Periodic };
    let domain = Domain::new(data.low, data.high, [Boundary::Periodic, Boundary::Periodic, top])?;
    let (sine, cosine) = 26.0_f64.to_radians().sin_cos();
    let acceleration = if is_chute { DVec3::new(sine, 0.0, -cosine) } else { DVec3::ZERO };
    // Numbered by where they are, as both loops would be after a while.
    let list = NeighborList::new(domain, SKIN)?;
    let state = data.state.without_attitudes();
    let numbering = list.spatial_order(bodies.radius(), state.position())?;
    let (bodies, state) = (numbering.bodies(&bodies)?, numbering.state(&state)?);
    let bed = Bed { domain, bodies, state, gravity: Gravity { acceleration } };
    let (stiffness, modulus, gamma, friction) = (2.0e5, 6.0e6, 50.0, 0.5);
    let damped = Hooke::new(stiffness, Damping::coefficient(gamma)?)?;
    if !is_chute {
        compare(&bed, "hooke", Hooke::new(stiffness, Damping::NONE)?, Frictionless)?;
        let hertz = Hertz::new(modulus, Damping::NONE)?.with_growing_damping(gamma)?;
        compare(&bed, "hz", hertz, MindlinSpring::new(2.0 / 7.0 * modulus, 0.0, friction)?)?;
    }
    let spring = FrictionSpring::new(2.0 / 7.0 * stiffness, 0.0, friction)?;
    compare(&bed, "hh", damped, spring)?;
    compare(&bed, "hh as in lammps", damped, spring.as_in_lammps())
}

fn main() -> Result<(), FieldError> {
    let threads = value("--threads").map_or(Ok(1), |threads| threads.parse())?;
    rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(compare_all)
}
