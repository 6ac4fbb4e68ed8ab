//! Dense periodic beds of spheres: time per particle and step, cost of neighbour lists, memory.
//!
//! `cargo bench --bench dem_bed -- --data DIR [--only NAME] [--tile AxBxC] [--threads N] [--law LAW] [--steps N]
//! [--as-numbered] [--turns SECONDS]` with DIR holding `bed_4k.data.gz`, `bed_32k.data.gz`, `bed_256k.data.gz`. Without
//! DIR the bench packs a lattice. `--tile AxBxC` repeats the last bed in each direction. `--chute FILE` runs LAMMPS'
//! `data.chute.gz` instead: 32 000 bodies on a frozen base at 26 degrees. Bodies are numbered by position at the start
//! and after each 1000 steps, as LAMMPS sorts its atoms; `--as-numbered` keeps the numbers of the file. The laws are
//! those of the LAMMPS decks next to the beds, with dt = 1e-4 and a skin of 0.1. Spins are integrated, attitudes are
//! not.
//!
//! - `hooke`, `hertz`: k = 2e5, K = 6e6, without damping and friction.
//! - `hh`, `hz`: `hooke` and `hertz` with friction springs, `gran/hooke/history` and `gran/hertz/history` with γ = 50
//!   and μ = 0.5.
//! - `hr`: `hh` with resistance to rolling and twisting.
//! - `hu`: `hh` with the arithmetic for different radii.
//! - `hm`: `hh` in two equal materials, for the cost of materials.
//!
//! - `step_ns`: time of the whole run per body and step, including `builds` new lists. Each call of `Explicit::run`
//!   takes 20 steps.
//! - `cpu_ns`: CPU time of the whole run per body and step, for comparison while other programs use the cores.
//! - `best_ns`: the fastest call of 20 steps, usually without a new list and least disturbed by other processes.
//! - `force_ns`, `build_ns`: one evaluation of the forces, one new list.
//! - `bytes_per_body`: memory allocated at the end by bodies, state, integrator and contacts, on all threads.
//!
//! After all beds of DIR, the bench measures the gain of two threads from 4000 bodies on, and the growth of the cost
//! from 4000 to a million bodies (the largest bed, tiled). Both sides of a comparison alternate for `--turns` seconds
//! (20). With `--only`, the gain is measured only if `--turns` is given, and the growth is not.

#![allow(clippy::print_stdout, reason = "a bench reports")]

#[path = "dem_bed/contacts.rs"]
mod contacts;
#[path = "dem_bed/turns.rs"]
mod turns;

use std::alloc::System;
use std::time::Instant;

use cap::Cap;
use dem_contact::error::DemError;
use dem_contact::io::LammpsData;
use dem_contact::neighbor::{Boundary, Domain, NeighborList};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rrp_benches::{flag, running_time, value};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Explicit, FieldError, ForceField, Map, State, Wrenches};

use self::contacts::Field;

/// Counts allocated bytes. Resident memory would miss pages reused from reading the file.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

const DT: f64 = 1e-4;
const SKIN: f64 = 0.1;
/// Least number of repetitions of a short measurement. The fastest counts, since other processes only add time.
const REPETITIONS: usize = 15;
/// Steps between renumberings of the bodies; LAMMPS sorts its atoms as often.
const SORT_EVERY: usize = 1000;
/// Steps in a call of `Explicit::run`; a divisor of `SORT_EVERY`.
const STRETCH: usize = 20;
const _: () = assert!(SORT_EVERY.is_multiple_of(STRETCH));

struct Bed {
    name: String,
    bodies: Bodies,
    state: State,
    low: DVec3,
    high: DVec3,
    boundary: [Boundary; 3],
    gravity: DVec3,
}

impl Bed {
    fn read(name: &str, path: &std::path::Path) -> Result<Self, DemError> {
        let data = LammpsData::read_path(path)?;
        Ok(Self {
            name: name.to_owned(),
            bodies: data.bodies,
            state: data.state.without_attitudes(),
            low: data.low,
            high: data.high,
            boundary: [Boundary::Periodic; 3],
            gravity: DVec3::ZERO,
        })
    }

    /// LAMMPS' chute; bodies of the second type are frozen.
    fn chute(path: &std::path::Path) -> Result<Self, DemError> {
        let data = LammpsData::read_path(path)?;
        let rows: Vec<Body> = data.bodies.into();
        let freeze = |(body, kind): (Body, &u32)| if *kind == 2 { Body::fixed(body.radius) } else { body };
        let (sine, cosine) = 26.0_f64.to_radians().sin_cos();
        Ok(Self {
            name: "chute".to_owned(),
            bodies: Bodies::new(rows.into_iter().zip(&data.kind).map(freeze))?,
            state: data.state.without_attitudes(),
            low: data.low,
            high: data.high,
            boundary: [Boundary::Periodic, Boundary::Periodic, Boundary::Open],
            gravity: DVec3::new(sine, 0.0, -cosine),
        })
    }

    fn sorted(self) -> Result<Self, DemError> {
        let list = NeighborList::new(Domain::new(self.low, self.high, self.boundary)?, SKIN)?;
        let numbering = list.spatial_order(self.bodies.radius(), self.state.position())?;
        Ok(Self { bodies: numbering.bodies(&self.bodies)?, state: numbering.state(&self.state)?, ..self })
    }

    /// A jittered cubic lattice of overlapping spheres, with the density and the number of contacts of the beds.
    fn lattice(side: usize) -> Result<Self, DemError> {
        let count = side * side * side;
        let edge = 0.99;
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let bodies = Bodies::new((0..count).map(|_| Body::sphere(1.0, 0.5)))?;
        let mut state = State::at_rest(count).without_attitudes();
        for i in 0..count {
            let at = [i % side, i / side % side, i / side / side].map(|k| edge * (k as f64 + 0.5));
            let jitter = 0.004 * (DVec3::from_array(random.random()) - 0.5);
            state.position_mut().set(i, DVec3::from_array(at) + jitter);
        }
        let name = format!("lattice_{count}");
        let boundary = [Boundary::Periodic; 3];
        let gravity = DVec3::ZERO;
        Ok(Self { name, bodies, state, low: DVec3::ZERO, high: DVec3::splat(edge * side as f64), boundary, gravity })
    }

    fn tiled(&self, times: [usize; 3]) -> Result<Self, DemError> {
        let len = self.bodies.len();
        let copies = times.iter().product::<usize>();
        let rows: Vec<Body> = self.bodies.clone().into();
        let bodies = Bodies::new((0..len * copies).map(|i| rows[i % len]))?;
        let mut state = State::at_rest(len * copies).without_attitudes();
        let length = self.high - self.low;
        for i in 0..len * copies {
            let copy = i / len;
            let cell = [copy % times[0], copy / times[0] % times[1], copy / times[0] / times[1]].map(|k| k as f64);
            state.position_mut().set(i, self.state.position().get(i % len) + DVec3::from_array(cell) * length);
            state.velocity_mut().set(i, self.state.velocity().get(i % len));
        }
        let name = format!("{}x{copies}", self.name);
        let high = DVec3::from_array(times.map(|n| n as f64)) * length;
        let Self { boundary, gravity, low, .. } = *self;
        Ok(Self { name, bodies, state, low, high: low + high, boundary, gravity })
    }
}

fn measure(bed: &Bed, law: &str, steps: Option<usize>) -> Result<(), FieldError> {
    let count = bed.bodies.len();
    let domain = Domain::new(bed.low, bed.high, bed.boundary)?;
    let per_body = |start: Instant| start.elapsed().as_secs_f64() * 1e9 / count as f64;
    // Only the copy of the run is counted: the bed is held all the time.
    let before = ALLOCATOR.allocated();
    let mut bodies = bed.bodies.clone();
    let mut state = bed.state.clone();
    let mut field = Field::of(bed, law)?;
    let mut map = Explicit::new(Map::Rodrigues25, DT)?;
    let steps = steps.unwrap_or((100_000_000 / count).clamp(200, 2000));
    map.run(&bodies, &mut field, &mut state, steps.min(STRETCH))?;
    let mut total = 0.0;
    let mut best = f64::INFINITY;
    let builds = field.contacts.list().builds();
    let running = running_time();
    for step in (0..steps).step_by(STRETCH) {
        let start = Instant::now();
        let stretch = STRETCH.min(steps - step);
        if step > 0 && step % SORT_EVERY == 0 && are_sorted() {
            let numbering = field.contacts.list().spatial_order(bodies.radius(), state.position())?;
            field.contacts.renumber(&numbering)?;
            numbering.apply(&mut state)?;
            numbering.apply_to_bodies(&mut bodies)?;
        }
        map.run(&bodies, &mut field, &mut state, stretch)?;
        let time = per_body(start);
        total += time / steps as f64;
        // Shorter calls are left out, since single steps at both ends weigh more.
        best = if stretch == STRETCH { best.min(time / stretch as f64) } else { best };
    }
    let running = (running_time() - running) * 1e9 / (count * steps) as f64;
    let builds = field.contacts.list().builds() - builds;
    let memory = (ALLOCATOR.allocated() - before) as f64 / count as f64;
    let mut out = Wrenches::zeros(count);
    let mut force = f64::INFINITY;
    for _ in 0..(20_000_000 / count).clamp(REPETITIONS, 2000) {
        out.clear();
        let start = Instant::now();
        field.accumulate(&bodies, &state, DT, &mut out)?;
        force = force.min(per_body(start));
    }
    let mut list = NeighborList::new(domain, SKIN)?;
    let mut build = f64::INFINITY;
    for k in 0..2 * REPETITIONS {
        // Body 0 moves back and forth by more than the skin, so that each update makes a new list.
        let mut moved = state.clone();
        moved.position_mut().add(0, DVec3::X * SKIN * if k % 2 == 0 { 1.6 } else { 0.0 });
        let start = Instant::now();
        if !list.update(bodies.radius(), moved.position())? {
            return Err("the list should have been made anew".into());
        }
        build = build.min(per_body(start));
    }
    println!(
        "{} law={law} bodies={count} step_ns={total:.1} cpu_ns={running:.1} best_ns={best:.1} force_ns={force:.1} build_ns={build:.1} builds={builds} steps={steps} bytes_per_body={memory:.0}",
        bed.name,
    );
    Ok(())
}

fn are_sorted() -> bool {
    !flag("--as-numbered")
}

fn main() -> Result<(), FieldError> {
    let threads = value("--threads").map_or(Ok(0), |threads| threads.parse())?;
    // Called from outside the pool, each parallel loop would be handed over to the pool and waited for.
    rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(measure_all)
}

fn measure_all() -> Result<(), FieldError> {
    let mut beds = Vec::new();
    match (value("--data"), value("--chute")) {
        (_, Some(file)) => beds.push(Bed::chute(std::path::Path::new(&file))?),
        (Some(folder), _) => {
            for name in ["bed_4k", "bed_32k", "bed_256k"] {
                if value("--only").is_none_or(|only| only == name) {
                    let path = std::path::Path::new(&folder).join(format!("{name}.data.gz"));
                    beds.push(Bed::read(name, &path)?);
                }
            }
        }
        _ => beds.extend([16, 32].map(Bed::lattice).into_iter().collect::<Result<Vec<_>, _>>()?),
    }
    if let Some(times) = value("--tile") {
        let last = beds.pop().ok_or("no bed to tile")?;
        let times = times.split('x').map(str::parse).collect::<Result<Vec<usize>, _>>()?;
        beds.push(last.tiled(times.try_into().map_err(|_| "--tile wants AxBxC")?)?);
    }
    if are_sorted() {
        beds = beds.into_iter().map(Bed::sorted).collect::<Result<_, _>>()?;
    }
    let steps = value("--steps").map(|steps| steps.parse()).transpose()?;
    let laws = value("--law").unwrap_or_else(|| "hooke,hertz,hh,hz".to_owned());
    let laws: Vec<&str> = laws.split(',').collect();
    for (bed, law) in beds.iter().flat_map(|bed| laws.iter().map(move |law| (bed, law))) {
        measure(bed, law, steps)?;
    }
    let whole = value("--data").is_some() && value("--only").is_none() && value("--tile").is_none();
    let seconds = value("--turns").map_or(Ok(if whole { 20 } else { 0 }), |seconds| seconds.parse())?;
    if seconds > 0 {
        let many = beds.iter().filter(|bed| bed.bodies.len() >= 4000);
        for (bed, law) in many.flat_map(|bed| laws.iter().map(move |law| (bed, law))) {
            turns::threads(bed, law, seconds)?;
        }
    }
    if let (true, Some(small), Some(large)) = (whole && seconds > 0, beds.first(), beds.last()) {
        turns::growth(small, &large.tiled([2, 2, 1])?.sorted()?, seconds)?;
    }
    Ok(())
}
