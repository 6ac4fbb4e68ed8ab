//! What a new neighbour list costs, for beds of equal spheres and for mixes of sizes.
//!
//! `cargo bench --bench neighbor_list -- [--data FILE] [--repeat N] [--threads N]` with FILE a LAMMPS data file.
//!
//! - `build_ns`: the fastest list, per body; `pair_ns`: the same per listed pair.

#![allow(clippy::print_stdout, reason = "a bench reports")]

use std::time::Instant;

use dem_contact::{Boundary, DemError, Domain, LammpsData, NeighborList};
use rrp_geom::glam::DVec3;
use rrp_integrate::{FieldError, ScalarColumn, VectorColumn};

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
    for k in 0..repeat {
        // There and back again: each time a list has to be made.
        moved.set(0, position.get(0) + DVec3::X * SKIN * if k % 2 == 0 { 0.6 } else { 0.0 });
        let start = Instant::now();
        list.update(radius, &moved)?;
        best = best.min(start.elapsed().as_secs_f64() * 1e9);
    }
    let (bodies, pairs) = (radius.len(), list.pairs().len());
    println!(
        "{name} bodies={bodies} pairs={pairs} builds={} build_ns={:.1} pair_ns={:.1}",
        list.builds(),
        best / bodies as f64,
        best / pairs as f64
    );
    Ok(())
}

/// The argument after `name`.
fn value(name: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != name).nth(1)
}

fn measure_all() -> Result<(), FieldError> {
    let repeat = value("--repeat").map_or(Ok(100), |repeat| repeat.parse())?;
    if let Some(file) = value("--data") {
        let data = LammpsData::read_path(std::path::Path::new(&file))?;
        let domain = Domain::new(data.low, data.high, [Boundary::Periodic; 3])?;
        build("bed", domain, data.bodies.radius(), data.state.position(), repeat)?;
    }
    Ok(())
}

fn main() -> Result<(), FieldError> {
    let threads = value("--threads").map_or(Ok(1), |threads| threads.parse())?;
    rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(measure_all)
}
