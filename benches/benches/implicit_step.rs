//! Cost of implicit steps of dense periodic beds relative to explicit ones, with iterations and memory.
//!
//! `cargo bench --bench implicit_step -- --data DIR [--only NAME] [--step H] [--form mw|exact] [--method cg|lu|...]
//! [--gamma G] [--viscous] [--threads N] [--rounds N]` with DIR holding the beds of `dem_bed`. H is the step in contact
//! times, by default 1. Each round takes ten explicit steps of dt = 1e-4 and one implicit step under the same
//! conditions; the medians are compared.

#![allow(clippy::print_stdout, reason = "a bench reports")]

use std::time::Instant;

use dem_contact::error::DemError;
use dem_contact::force::ContactForce;
use dem_contact::implicit::{DiscreteForm, ImplicitDem, LinearMethod, NewtonOptions};
use dem_contact::io::LammpsData;
use dem_contact::law::{Damping, Frictionless, Hooke, Laws, Viscous};
use dem_contact::neighbor::{Boundary, Domain, NeighborList};
use rrp_benches::{flag, median, memory, value};
use rrp_integrate::{Bodies, Explicit, FieldError, Integrator, Map, NoForce, State};

const DT: f64 = 1e-4;
const SKIN: f64 = 0.1;
const STIFFNESS: f64 = 2.0e5;

struct Run {
    step: f64,
    form: DiscreteForm,
    options: NewtonOptions,
    gamma: f64,
    rounds: usize,
}

fn measure(
    name: &str,
    (bodies, start, domain): (&Bodies, &State, Domain),
    laws: &Laws,
    run: &Run,
) -> Result<(), FieldError> {
    let count = bodies.len() as f64;
    let contacts = || Ok::<_, DemError>(ContactForce::new(NeighborList::new(domain, SKIN)?, laws.clone()));
    let step = run.step * std::f64::consts::PI * (0.5 / STIFFNESS).sqrt();
    let mut field = contacts()?;
    let mut explicit = Explicit::new(Map::Verlet, DT)?;
    let mut state = start.clone();
    explicit.step(bodies, &mut field, &mut state)?;
    let before = memory("VmRSS");
    let mut other = start.clone();
    let mut implicit = ImplicitDem::new(contacts()?, step)?.with_form(run.form)?.with_options(run.options)?;
    implicit.step(bodies, &mut NoForce, &mut other)?;
    let bytes = (memory("VmRSS") - before) / count;
    let mut explicit_times = Vec::new();
    let mut implicit_times = Vec::new();
    let mut newton = Vec::new();
    let mut linear = Vec::new();
    let mut evaluations = Vec::new();
    let mut lists = 0;
    for _ in 0..run.rounds {
        for _ in 0..10 {
            let clock = Instant::now();
            explicit.step(bodies, &mut field, &mut state)?;
            explicit_times.push(clock.elapsed().as_secs_f64() * 1e9 / count);
        }
        let clock = Instant::now();
        implicit.step(bodies, &mut NoForce, &mut other)?;
        implicit_times.push(clock.elapsed().as_secs_f64() * 1e9 / count);
        let report = implicit.last_report();
        newton.push(report.newton_iterations as f64);
        linear.push(report.linear_iterations as f64);
        evaluations.push(report.evaluations as f64);
        lists += report.lists;
    }
    let least = |values: &[f64]| values.iter().fold(f64::INFINITY, |least, &value| least.min(value));
    let best = least(&implicit_times);
    let best_explicit = least(&explicit_times);
    let implicit_time = median(implicit_times);
    let explicit_time = median(explicit_times);
    println!(
        "{name}: implicit {implicit_time:.0} ns, explicit {explicit_time:.1} ns a body and step, ratio {:.1} (fastest {:.1}); \
         newton {} linear {} evaluations {} lists {lists}/{}; {bytes:.0} bytes a body; residual {:.1e} of {:.1e}",
        implicit_time / explicit_time,
        best / best_explicit,
        median(newton),
        median(linear),
        median(evaluations),
        run.rounds,
        implicit.last_report().residual,
        implicit.last_report().scale,
    );
    Ok(())
}

fn main() -> Result<(), FieldError> {
    let number = |name: &str, default: f64| value(name).and_then(|text| text.parse().ok()).unwrap_or(default);
    if let Some(threads) = value("--threads").and_then(|text| text.parse().ok()) {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    }
    let Some(directory) = value("--data") else {
        println!("--data DIR is missing");
        return Ok(());
    };
    let linear = match value("--method").as_deref() {
        Some("cg") => LinearMethod::ConjugateGradient,
        Some("cholesky") => LinearMethod::Cholesky,
        Some("bicgstab") => LinearMethod::BiCgStab,
        Some("lu") => LinearMethod::Lu,
        _ => LinearMethod::BySize,
    };
    let exact = value("--form").as_deref() == Some("exact");
    let run = Run {
        step: number("--step", 1.0),
        form: if exact { DiscreteForm::ExactEnergy } else { DiscreteForm::SECOND_ORDER },
        options: NewtonOptions {
            linear,
            tolerance: number("--tolerance", NewtonOptions::default().tolerance),
            ..NewtonOptions::default()
        },
        gamma: number("--gamma", 0.0),
        rounds: number("--rounds", 15.0) as usize,
    };
    for name in ["bed_4k", "bed_32k", "bed_256k"] {
        if value("--only").is_some_and(|only| only != name) {
            continue;
        }
        let data = LammpsData::read_path(std::path::Path::new(&directory).join(format!("{name}.data.gz")))?;
        let domain = data.domain([Boundary::Periodic; 3])?;
        let start = data.state.clone().without_attitudes();
        let law = Hooke::new(STIFFNESS, Damping::coefficient(run.gamma)?)?;
        let laws =
            if flag("--viscous") { Laws::of(law, Viscous::new(0.5 * run.gamma)?) } else { Laws::of(law, Frictionless) };
        measure(name, (&data.bodies, &start, domain), &laws, &run)?;
    }
    Ok(())
}
