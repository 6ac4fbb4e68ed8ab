//! Cost of neighbour lists and steps for bodies of different sizes, and of equal sizes for comparison.
//!
//! `cargo bench --bench neighbor_list -- [--data FILE | --mix N --ratio R --fraction F] [--closed] [--repeat N]
//! [--steps N] [--threads N]` with a LAMMPS data file FILE. Without it the bed is a random packing of N small spheres
//! (10 000) and an equal volume of spheres R times (10) as large, at the solid fraction F (0.59). Then all radii grow
//! by a hundredth of the small radius, so that neighbours touch. R = 1 is a bed of equal spheres; mixes have as many
//! contacts at F = 0.64 (R = 2) to 0.7 (R = 10). `--closed` replaces periodic sides by closed ones, for boxes not much
//! larger than the largest spheres.
//!
//! - `build_ns`: the fastest list, per body; `build_cpu_ns`: mean CPU time of a list, per body; `pair_cpu_ns`: per
//!   listed pair.
//! - `contacts`: pairs that touch at the start.
//! - `step_cpu_ns`: CPU time of the run with its `builds` lists, per contact and step; `best_ns`: the fastest step.
//! - `bytes_per_body`: peak of resident memory, less the memory of the bed.

#![allow(clippy::print_stdout, reason = "a bench reports")]

use std::time::Instant;

use dem_contact::error::DemError;
use dem_contact::force::ContactForce;
use dem_contact::io::LammpsData;
use dem_contact::law::{Damping, Frictionless, Hooke, Laws};
use dem_contact::neighbor::{Boundary, Domain, NeighborList};
use dem_contact::packing::random_packing;
use dem_contact::wall::Wall;
use rrp_benches::{flag, memory, running_time, value};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Explicit, FieldError, Integrator, Map, ScalarColumn, State, VectorColumn};

/// Skin of the list: a tenth of the diameter of the small spheres, whatever the size of the large ones.
const SKIN: f64 = 0.1;

fn build(
    name: &str,
    domain: Domain,
    radius: &ScalarColumn,
    position: &VectorColumn,
    repeat: usize,
) -> Result<(), DemError> {
    let mut list = NeighborList::new(domain, SKIN)?;
    let mut moved = position.clone();
    let mut best = f64::INFINITY;
    let running = running_time();
    for k in 0..repeat {
        // Body 0 moves back and forth by more than the skin, so that each update makes a new list.
        moved.set(0, position.get(0) + DVec3::X * SKIN * if k % 2 == 0 { 1.6 } else { 0.0 });
        let start = Instant::now();
        list.update(radius, &moved)?;
        best = best.min(start.elapsed().as_secs_f64() * 1e9);
    }
    let mean = (running_time() - running) * 1e9 / repeat as f64;
    let bodies = radius.len();
    let pairs = list.pairs().len();
    println!(
        "{name} bodies={bodies} pairs={pairs} builds={} build_ns={:.1} build_cpu_ns={:.1} pair_cpu_ns={:.1}",
        list.builds(),
        best / bodies as f64,
        mean / bodies as f64,
        mean / pairs as f64
    );
    Ok(())
}

fn mix(small: usize, ratio: f64, fraction: f64, (repeat, steps): (usize, usize)) -> Result<(), FieldError> {
    let large = if ratio > 1.0 { (small as f64 / ratio.powi(3)).round().max(1.0) as usize } else { 0 };
    let radius = |i: usize| if i < large { 0.5 * ratio } else { 0.5 };
    let radii: Vec<f64> = (0..large + small).map(radius).collect();
    let volume: f64 = radii.iter().map(|r| 4.0 / 3.0 * std::f64::consts::PI * r.powi(3)).sum();
    let side = (volume / fraction).cbrt();
    let kind = if flag("--closed") { Boundary::Closed } else { Boundary::Periodic };
    let domain = Domain::new(DVec3::ZERO, DVec3::splat(side), [kind; 3])?;
    let start = Instant::now();
    let position: VectorColumn = random_packing(&domain, &radii, 1)?.into_iter().collect();
    println!("packed {} spheres in {:.1} s", radii.len(), start.elapsed().as_secs_f64());
    let bodies = Bodies::new(radii.iter().map(|r| Body::sphere((2.0 * r).powi(3), r + 0.005)))?;
    build(&format!("mix_{ratio}"), domain, bodies.radius(), &position, repeat)?;
    let mut list = NeighborList::new(domain, 1e-9)?;
    list.update(bodies.radius(), &position)?;
    let contacts = list.pairs().len() as f64;
    drop(list);

    let mut state = State::at_rest(bodies.len()).without_attitudes();
    *state.position_mut() = position;
    for i in large..bodies.len() {
        let way = DVec3::new((i % 7) as f64 - 3.0, (i % 11) as f64 - 5.0, (i % 13) as f64 - 6.0);
        state.velocity_mut().set(i, 0.2 * way);
    }
    let before = memory("VmHWM");
    let laws = Laws::of(Hooke::new(2.0e5, Damping::NONE)?, Frictionless);
    let field = ContactForce::new(NeighborList::new(domain, SKIN)?, laws);
    let walls = Wall::inside_of_box(DVec3::ZERO, DVec3::splat(side));
    let mut field = field.with_walls(walls.into_iter().filter(|_| kind == Boundary::Closed))?;
    let mut map = Explicit::new(Map::Rodrigues25, 1e-4)?;
    let mut best = f64::INFINITY;
    let running = running_time();
    for _ in 0..steps {
        let start = Instant::now();
        map.step(&bodies, &mut field, &mut state)?;
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / contacts);
    }
    let mean = (running_time() - running) * 1e9 / steps as f64 / contacts;
    println!(
        "mix_{ratio} contacts={contacts} step_cpu_ns={mean:.2} best_ns={best:.2} builds={} bytes_per_body={:.0}",
        field.list().builds(),
        (memory("VmHWM") - before) / bodies.len() as f64
    );
    Ok(())
}

fn measure_all() -> Result<(), FieldError> {
    let number = |name: &str, default: f64| value(name).map_or(Ok(default), |number| number.parse());
    let repeat = number("--repeat", 100.0)? as usize;
    if let Some(file) = value("--data") {
        let data = LammpsData::read_path(std::path::Path::new(&file))?;
        let domain = Domain::new(data.low, data.high, [Boundary::Periodic; 3])?;
        build("bed", domain, data.bodies.radius(), data.state.position(), repeat)?;
        return Ok(());
    }
    let times = (repeat, number("--steps", 1000.0)? as usize);
    mix(number("--mix", 1e4)? as usize, number("--ratio", 10.0)?, number("--fraction", 0.59)?, times)
}

fn main() -> Result<(), FieldError> {
    let threads = value("--threads").map_or(Ok(1), |threads| threads.parse())?;
    rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(measure_all)
}
