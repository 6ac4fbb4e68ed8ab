//! Random scenes with all kinds of boxes and laws: runs on any number of ranks leave the same files, and a run whose
//! energy is wrong reports it.

use std::fmt::Write as _;

use grains::{Run, RunOptions, Scene};

use crate::ranks::{assert_same_on, dice, even_runs};
use crate::ranks_laws::{OTHER_LAWS, SPRINGS};
use crate::support::{made, random};

/// Random number generator of one scene.
struct Draw(u64);

impl Draw {
    fn below(&mut self, count: u64) -> u64 {
        random(&mut self.0, count)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.below(1 << 24) as f64 / f64::from(1 << 24)
    }

    fn vector(&mut self, size: f64) -> [f64; 3] {
        [(); 3].map(|()| self.between(-size, size))
    }
}

/// Returns a random box of this edge in m, and its walls.
fn surroundings(draw: &mut Draw, edge: f64) -> (String, String) {
    let floor = "[[walls]]\nmaterial = \"steel\"\nplane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }\n";
    let lid = format!(
        "[[walls]]\nmaterial = \"steel\"\nplane = {{ point = [0.0, 0.0, {edge}], normal = [0.0, 0.0, -1.0] }}\n\
         oscillation = {{ amplitude = [0.0, 0.05, 0.02], frequency = {} }}\n",
        draw.between(1.0, 20.0)
    );
    let sides = |along_z: &str| {
        format!(
            "[box]\nlow = [0.0, 0.0, 0.0]\nhigh = [{edge}, {edge}, {edge}]\nboundary = [\"periodic\", \"periodic\", \"{along_z}\"]\n"
        )
    };
    let rate = draw.between(-6.0, 6.0);
    let planes = [("x", "y"), ("x", "z"), ("y", "x"), ("y", "z"), ("z", "x"), ("z", "y")];
    let (along, across) = planes[draw.below(6) as usize];
    let shear = format!("shear = {{ along = \"{along}\", across = \"{across}\", rate = {rate:?} }}\n");
    let strain = format!("strain-rate = {:?}\n", draw.vector(1.0));
    let servo = format!("servo = {{ {across} = {:?}, rate = 1.0 }}\n", draw.between(200.0, 3000.0));
    match draw.below(8) {
        0 => (String::new(), floor.to_owned()),
        1 => (sides("open"), format!("{floor}{lid}")),
        2 => (sides("periodic"), String::new()),
        3 => (sides("periodic") + &strain, String::new()),
        4 => (sides("periodic") + &servo, String::new()),
        5 => (sides("periodic") + &shear + &servo, String::new()),
        _ => (sides("periodic") + &shear, String::new()),
    }
}

/// Returns spheres of two materials near the points of a lattice, so that most of them overlap little.
fn bodies(draw: &mut Draw, edge: f64) -> String {
    let count = edge as usize;
    let spacing = edge / count as f64;
    let mut places = [Vec::new(), Vec::new()];
    for number in 0..count.pow(3) {
        let cell = [number % count, number / count % count, number / count.pow(2)];
        let shift = draw.vector(0.05);
        let place: [f64; 3] = std::array::from_fn(|axis| spacing * (cell[axis] as f64 + 0.5) + shift[axis]);
        if draw.below(5) > 0 {
            places[draw.below(2) as usize].push(place);
        }
    }
    // Each group needs a body.
    let [glass, steel] = &mut places;
    if glass.is_empty() {
        glass.push([0.25 * spacing; 3]);
    }
    if steel.is_empty() {
        steel.push([0.75 * spacing; 3]);
    }
    let mut text = String::new();
    for (material, places) in ["glass", "steel"].iter().zip(places) {
        let radius = draw.between(0.4, 0.48);
        let velocities: Vec<[f64; 3]> = places.iter().map(|_| draw.vector(2.0)).collect();
        let _written = writeln!(
            text,
            "[[bodies]]\nplace = {{ list = {places:?} }}\nmaterial = \"{material}\"\nradius = {radius:?}\nmass = 1.0\n\
             velocities = {velocities:?}\nspin = {:?}",
            draw.vector(4.0)
        );
    }
    text
}

/// Returns a random scene with this time step and duration in s.
fn random_scene(seed: u64, dt: &str, duration: f64) -> String {
    let mut draw = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let integrator = ["verlet", "rodrigues-23", "rodrigues-25"][draw.below(3) as usize];
    let edge = 3.0 + draw.below(3) as f64 + draw.between(0.0, 0.3);
    let (space, walls) = surroundings(&mut draw, edge);
    let number = draw.below(OTHER_LAWS.len() as u64 + 1) as usize;
    let laws = OTHER_LAWS.get(number).map_or(SPRINGS, |(_, laws)| laws);
    // Bodies would fall without end in a box without walls.
    let gravity = if walls.is_empty() { [0.0; 3] } else { [1.0, 0.0, -9.0] };
    let bodies = bodies(&mut draw, edge);
    format!(
        "integrator = \"{integrator}\"\ngravity = {gravity:?}\ntime = {{ dt = {dt}, duration = {duration:?} }}\n{space}\
         [contact]\n{laws}\n{bodies}{walls}[output]\nseries = {{ steps = 7 }}\ncheckpoints = {{ steps = 50 }}\n"
    )
}

fn assert_ranks_change_no_byte(seeds: std::ops::Range<u64>, duration: f64) {
    for seed in seeds {
        let text = random_scene(seed, "4e-4", duration);
        let owners = if seed.is_multiple_of(2) { dice } else { even_runs };
        let ranks = 2 + random(&mut seed.clone(), 4) as usize;
        assert_same_on(&[ranks], owners, &text, &format!("scene {seed}\n{text}"));
    }
}

#[test]
fn ranks_change_no_byte_of_random_scenes() {
    assert_ranks_change_no_byte(0..24, 0.04);
}

#[test]
#[ignore = "soak: 1 000 random scenes on random ranks"]
fn ranks_change_no_byte_of_a_thousand_random_scenes() {
    assert_ranks_change_no_byte(24..1024, 0.08);
}

/// Results of random scenes at `dt = "auto"`.
#[derive(Debug, Default)]
struct Tally {
    scenes: usize,
    /// Seeds of runs with an energy error above 5 % and no message about it.
    silent: Vec<u64>,
    /// Seeds of runs with an energy error of at most 1 % and a message about energy.
    alarmed: Vec<u64>,
    stopped: usize,
}

fn energies(seeds: std::ops::Range<u64>) -> Tally {
    let home = tempfile::tempdir().unwrap();
    let mut tally = Tally::default();
    for seed in seeds {
        let text = random_scene(seed, "\"auto\"", 0.3);
        let options = RunOptions { overwrite: true, ..RunOptions::default() };
        let simulation = made(&text).unwrap_or_else(|error| panic!("scene {seed}: {error}\n{text}"));
        let mut run = Run::new(&Scene::parse(&text).unwrap(), simulation, home.path(), options).unwrap();
        tally.scenes += 1;
        if run.complete().is_err() {
            tally.stopped += 1;
            continue;
        }
        let reading = run.simulation().read().unwrap();
        let error = run.energy_error(&reading).unwrap().abs();
        let said = run.take_messages();
        let speaks = said.iter().any(|line| line.contains("energy"));
        if error > 0.05 && !speaks {
            tally.silent.push(seed);
        }
        if error < 0.01 && speaks {
            tally.alarmed.push(seed);
        }
        run.finish().unwrap();
    }
    tally
}

#[test]
fn no_wrong_energy_of_random_scenes_is_silent() {
    let tally = energies(0..40);
    assert!(tally.silent.is_empty() && tally.alarmed.len() * 50 <= tally.scenes, "{tally:?}");
    assert!(tally.stopped * 50 <= tally.scenes, "{tally:?}");
}

#[test]
#[ignore = "soak: the energy of 2 000 random scenes"]
fn no_wrong_energy_of_two_thousand_random_scenes_is_silent() {
    let tally = energies(40..2040);
    println!("{tally:?}");
    assert!(tally.silent.is_empty() && tally.alarmed.len() * 50 <= tally.scenes, "{tally:?}");
}
