//! Dense periodic beds of spheres: time per particle and step, cost of the list, memory.
//!
//! `cargo bench --bench dem_bed -- --data DIR [--only NAME] [--tile N] [--threads N] [--law hooke|hertz] [--steps N]`
//! with DIR holding `bed_4k.data.gz`, `bed_32k.data.gz`, `bed_256k.data.gz`. Without DIR it packs a bed of its own.
//! `--tile N` repeats the last bed N times in each direction. The laws are those of the LAMMPS decks beside the beds:
//! Hooke with k = 2e5, Hertz with K = 6e6, no damping, dt = 1e-4, skin 0.1.

#![allow(clippy::print_stdout, reason = "a bench reports")]

use std::time::Instant;

use dem_contact::{Boundary, ContactForce, ContactLaw, Damping, Domain, Frictionless, Hertz, Hooke, LammpsData};
use dem_contact::{DemError, NeighborList};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Explicit, FieldError, ForceField, Integrator, Map, State, Wrenches};

const DT: f64 = 1e-4;
const SKIN: f64 = 0.1;
/// Timed pieces of a run; the fastest counts, since other processes only ever add time.
const SEGMENTS: usize = 15;

struct Bed {
    name: String,
    bodies: Bodies,
    state: State,
    low: DVec3,
    high: DVec3,
}

impl Bed {
    fn read(name: &str, path: &std::path::Path) -> Result<Self, DemError> {
        let data = LammpsData::read_path(path)?;
        Ok(Self { name: name.to_owned(), bodies: data.bodies, state: data.state, low: data.low, high: data.high })
    }

    /// A jittered cubic lattice of overlapping spheres, as dense as the beds and with as many contacts.
    fn lattice(side: usize) -> Result<Self, DemError> {
        let count = side * side * side;
        let edge = 0.99;
        let mut seed = 1_u64;
        let mut jitter = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            0.004 * ((seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5)
        };
        let bodies = Bodies::new((0..count).map(|_| Body::sphere(1.0, 0.5)))?;
        let mut state = State::at_rest(count);
        for i in 0..count {
            let at = [i % side, i / side % side, i / side / side].map(|k| edge * (k as f64 + 0.5) + jitter());
            state.position_mut().set(i, DVec3::from_array(at));
        }
        let name = format!("lattice_{count}");
        Ok(Self { name, bodies, state, low: DVec3::ZERO, high: DVec3::splat(edge * side as f64) })
    }

    fn tiled(&self, times: usize) -> Result<Self, DemError> {
        let (len, copies) = (self.bodies.len(), times * times * times);
        let rows: Vec<Body> = self.bodies.clone().into();
        let bodies = Bodies::new((0..len * copies).map(|i| rows[i % len]))?;
        let mut state = State::at_rest(len * copies);
        let length = self.high - self.low;
        for i in 0..len * copies {
            let copy = i / len;
            let cell = DVec3::from_array([copy % times, copy / times % times, copy / times / times].map(|k| k as f64));
            state.position_mut().set(i, self.state.position().get(i % len) + cell * length);
            state.velocity_mut().set(i, self.state.velocity().get(i % len));
        }
        let name = format!("{}x{copies}", self.name);
        Ok(Self { name, bodies, state, low: self.low, high: self.low + length * times as f64 })
    }
}

fn resident_bytes() -> f64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split_whitespace().nth(1)?.parse::<f64>().ok());
    pages.map_or(f64::NAN, |pages| 4096.0 * pages)
}

fn measure<L: ContactLaw>(bed: &Bed, law_name: &str, law: L, steps: Option<usize>) -> Result<(), FieldError> {
    let count = bed.bodies.len();
    let domain = Domain::new(bed.low, bed.high, [Boundary::Periodic; 3])?;
    let per_body = |start: Instant, times: usize| start.elapsed().as_secs_f64() * 1e9 / (count * times) as f64;
    let before = resident_bytes();
    let mut field = ContactForce::new(NeighborList::new(domain, SKIN)?, law, Frictionless);
    let mut state = bed.state.clone();
    let mut map = Explicit::new(Map::Newmark, DT)?;
    let steps = steps.unwrap_or((2_000_000 / count).clamp(5, 1000));
    for _ in 0..steps.min(20) {
        map.step(&bed.bodies, &mut field, &mut state)?;
    }
    let memory = (resident_bytes() - before) / count as f64;
    let mut total = f64::INFINITY;
    let builds = field.list().builds();
    for _ in 0..SEGMENTS {
        let start = Instant::now();
        for _ in 0..steps {
            map.step(&bed.bodies, &mut field, &mut state)?;
        }
        total = total.min(per_body(start, steps));
    }
    let builds = field.list().builds() - builds;
    let mut out = Wrenches::zeros(count);
    let mut force = f64::INFINITY;
    for _ in 0..SEGMENTS {
        let start = Instant::now();
        for _ in 0..steps {
            field.accumulate(&bed.bodies, &state, DT, &mut out)?;
        }
        force = force.min(per_body(start, steps));
    }
    let mut build = f64::INFINITY;
    for _ in 0..SEGMENTS {
        let mut list = NeighborList::new(domain, SKIN)?;
        list.update(bed.bodies.radius(), state.position())?;
        let mut moved = state.clone();
        moved.position_mut().add(0, DVec3::X * SKIN * 0.6);
        let start = Instant::now();
        list.update(bed.bodies.radius(), moved.position())?;
        build = build.min(per_body(start, 1));
    }
    println!(
        "{} law={law_name} bodies={count} step_ns={total:.1} force_ns={force:.1} build_ns={build:.1} builds={builds} steps={} bytes_per_body={memory:.0}",
        bed.name,
        SEGMENTS * steps
    );
    Ok(())
}

/// The argument after `name`.
fn value(name: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != name).nth(1)
}

fn main() -> Result<(), FieldError> {
    let threads = value("--threads").map_or(Ok(0), |threads| threads.parse())?;
    // From inside the pool: a call from outside hands every parallel loop over to it and waits.
    rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(measure_all)
}

fn measure_all() -> Result<(), FieldError> {
    let mut beds = Vec::new();
    match value("--data") {
        Some(folder) => {
            for name in ["bed_4k", "bed_32k", "bed_256k"] {
                if value("--only").is_none_or(|only| only == name) {
                    let path = std::path::Path::new(&folder).join(format!("{name}.data.gz"));
                    beds.push(Bed::read(name, &path)?);
                }
            }
        }
        None => beds.extend([16, 32].map(Bed::lattice).into_iter().collect::<Result<Vec<_>, _>>()?),
    }
    if let Some(times) = value("--tile") {
        let last = beds.pop().ok_or("no bed to tile")?;
        beds.push(last.tiled(times.parse()?)?);
    }
    let steps = value("--steps").map(|steps| steps.parse()).transpose()?;
    for bed in &beds {
        if value("--law").is_none_or(|law| law == "hooke") {
            measure(bed, "hooke", Hooke::new(2.0e5, Damping::NONE)?, steps)?;
        }
        if value("--law").is_none_or(|law| law == "hertz") {
            measure(bed, "hertz", Hertz::new(6.0e6, Damping::NONE)?, steps)?;
        }
    }
    Ok(())
}
