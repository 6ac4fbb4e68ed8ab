//! Static equilibrium of beds: time and steps to the residual 1e-12.
//!
//! `cargo bench --bench quasi_static -- --data DIR [--only NAME] [--law hooke|hertz] [--threads N] [--steps N]` with
//! DIR holding `bed_4k_gravity.data.gz` (periodic sides, a floor, gravity) and `bed_32k.data.gz` (periodic). Each line
//! is one minimisation: time in s, residual, contacts, rattlers, steps, iterations and energies.
//!
//! `-- --compress [--side N]` compresses a bed of N³ spheres of different sizes between a floor and a lid, with
//! periodic sides: by a sequence of minimisations, and by damped explicit dynamics at several speeds of the lid. Each
//! line has the time, the steps, and the final force on the lid relative to that of the minimum.

#![allow(clippy::print_stdout, reason = "a bench reports")]

use std::time::Instant;

use dem_contact::error::DemError;
use dem_contact::force::ContactForce;
use dem_contact::io::LammpsData;
use dem_contact::law::{ContactLaw, Damping, Frictionless, Hertz, Hooke, Laws, Partner};
use dem_contact::neighbor::Boundary;
use dem_contact::neighbor::{Domain, NeighborList};
use dem_contact::statics::EnergyMinimizer;
use dem_contact::statics::gravity_load;
use dem_contact::wall::Wall;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rrp_benches::{flag, value};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Explicit, Integrator, Map, State};

fn measure(
    data: &LammpsData,
    name: &str,
    law_name: &str,
    law: impl ContactLaw + 'static,
    steps: usize,
) -> Result<(), DemError> {
    let heavy = name.contains("gravity");
    let top = if heavy { Boundary::Open } else { Boundary::Periodic };
    let domain = data.domain([Boundary::Periodic, Boundary::Periodic, top])?;
    let walls = heavy.then(|| Wall::plane(DVec3::ZERO, DVec3::Z));
    let laws = Laws::of(law, Frictionless);
    let contacts = ContactForce::new(NeighborList::new(domain, 0.1)?, laws).with_walls(walls)?;
    let load = gravity_load(&data.bodies, if heavy { DVec3::NEG_Z } else { DVec3::ZERO });
    let mut state = data.state.clone().without_attitudes();
    let start = Instant::now();
    let found = EnergyMinimizer::new(1e-12, steps)?.minimize(&data.bodies, &contacts, &load, &mut state);
    let time = start.elapsed().as_secs_f64();
    match found {
        Ok(found) => println!(
            "{name} law={law_name} s={time:.2} residual={:.1e} mean_force={:.4} contacts={} rattlers={} steps={} newton={} cg={} energy={:.6e} change={:.3e}",
            found.residual,
            found.mean_force,
            found.contacts.len(),
            found.rattlers,
            found.steps,
            found.iterations,
            found.inner_iterations,
            found.elastic_energy,
            found.energy_change,
        ),
        Err(error) => println!("{name} law={law_name} s={time:.2} {error}"),
    }
    Ok(())
}

fn sample(side: usize) -> Result<(Bodies, State, f64), DemError> {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let count = side * side * side;
    let bodies = Bodies::new((0..count).map(|_| Body::sphere(1.0, 0.4 + 0.2 * random.random::<f64>())))?;
    let mut state = State::at_rest(count).without_attitudes();
    for i in 0..count {
        let cell = [i % side, i / side % side, i / side / side].map(|k| k as f64 + 0.5);
        let shake = DVec3::from_array(random.random()) - 0.5;
        state.position_mut().set(i, DVec3::from_array(cell) * 0.93 + 0.05 * shake);
    }
    Ok((bodies, state, 0.93 * side as f64))
}

fn compress(side: usize) -> Result<(), Box<dyn std::error::Error>> {
    let (bodies, mut start, height) = sample(side)?;
    let low = DVec3::ZERO;
    let high = DVec3::splat(height);
    let domain = Domain::new(low, high, [Boundary::Periodic, Boundary::Periodic, Boundary::Open])?;
    let make = |lid: f64, speed: f64, damping: Damping| -> Result<_, DemError> {
        let laws = Laws::of(Hooke::new(1e5, damping)?, Frictionless);
        let walls =
            [Wall::plane(low, DVec3::Z), Wall::plane(DVec3::Z * lid, DVec3::NEG_Z).moving(DVec3::NEG_Z * speed)];
        ContactForce::new(NeighborList::new(domain, 0.1)?, laws).with_walls(walls)
    };
    let load = gravity_load(&bodies, DVec3::ZERO);
    let mut minimizer = EnergyMinimizer::new(1e-12, 1_000_000)?;
    let lid_force = |contacts: &[dem_contact::law::Contact]| -> f64 {
        contacts.iter().filter(|contact| contact.b == Partner::Wall(1)).map(|contact| contact.normal_force).sum()
    };
    minimizer.minimize(&bodies, &make(height, 0.0, Damping::NONE)?, &load, &mut start)?;
    let stroke = 1e-3 * height;
    let mut reference = f64::NAN;
    for parts in [1_u32, 4, 16] {
        let mut state = start.clone();
        let mut last = f64::NAN;
        let mut steps = 0;
        let mut cg = 0;
        let clock = Instant::now();
        for part in 1..=parts {
            let lid = height - stroke * f64::from(part) / f64::from(parts);
            let found = minimizer.minimize(&bodies, &make(lid, 0.0, Damping::NONE)?, &load, &mut state)?;
            (last, steps, cg) = (lid_force(&found.contacts), steps + found.steps, cg + found.inner_iterations);
        }
        reference = last;
        println!("minimisations={parts} s={:.3} steps={steps} cg={cg} lid={last:.9e}", clock.elapsed().as_secs_f64());
    }
    let dt = 1e-4;
    for speed in [1.0, 0.1, 0.01] {
        let mut contacts = make(height, speed, Damping::coefficient(60.0)?)?;
        let mut state = start.clone();
        let mut map = Explicit::new(Map::Rodrigues25, dt)?;
        let steps = (stroke / speed / dt).round() as usize;
        let from = state.time();
        let clock = Instant::now();
        for _ in 0..steps {
            map.step(&bodies, &mut contacts, &mut state)?;
        }
        let lid = -contacts.wall_loads()[1].force.z;
        println!(
            "explicit speed={speed} s={:.3} steps={steps} lid={:.9e} off={:.2e} time={:.3}",
            clock.elapsed().as_secs_f64(),
            lid.abs(),
            lid.abs() / reference - 1.0,
            state.time() - from,
        );
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let threads = value("--threads").map_or(Ok(0), |threads| threads.parse())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    if flag("--compress") {
        let side = value("--side").map_or(Ok(10), |side| side.parse())?;
        return compress(side);
    }
    let folder = value("--data").ok_or("--data DIR is needed")?;
    let steps = value("--steps").map_or(Ok(1_000_000), |steps| steps.parse())?;
    for name in ["bed_4k_gravity", "bed_32k"] {
        if value("--only").is_some_and(|only| only != name) {
            continue;
        }
        let data = LammpsData::read_path(std::path::Path::new(&folder).join(format!("{name}.data.gz")))?;
        pool.install(|| -> Result<(), DemError> {
            if value("--law").is_none_or(|law| law == "hooke") {
                measure(&data, name, "hooke", Hooke::new(195_000.0, Damping::NONE)?, steps)?;
            }
            if value("--law").is_none_or(|law| law == "hertz") {
                measure(&data, name, "hertz", Hertz::new(6.0e6, Damping::NONE)?, steps)?;
            }
            Ok(())
        })?;
    }
    Ok(())
}
