//! Compatible contact forces: comparison with Clarabel, threads, growth with size, cost of an iteration, memory.
//!
//! `cargo bench --bench compatibility -- [--layers 20,40] [--law Hooke] [--no-peer] [--forces FILE]`. FILE receives the
//! forces of the last problem, one per line. Each result is a ratio of the fastest of several alternating repetitions,
//! since other processes only add time. Two processors of a virtual machine may temporarily share a core: the gain of
//! two threads is taken from the third of the repetitions with the largest gain of two independent loops, whose
//! smallest gain is printed.

#![allow(clippy::print_stdout, reason = "a bench reports")]

#[path = "../../examples/examples/own_solver/interior_point.rs"]
mod interior_point;

use std::time::{Duration, Instant};

use cd_solve::conformance::{Assembly, Pyramid, Species};
use cd_solve::{
    Apgd, CompatibilitySolver, CompatibleForces, ContactJacobian, Delassus, Lcp, LcpMatrix, LcpSolver, LinearOperator,
    Options, ProjectedGaussSeidel, SolveError,
};
use interior_point::InteriorPoint;
use rrp_benches::{flag, independent_gain, memory, pool, value};

const LAWS: [(&str, Species, f64); 3] =
    [("Hooke", Species::Uniform, 2.0), ("two species", Species::EvenSoft, 2.0), ("Hertz", Species::Uniform, 2.5)];

/// Returns the default solver. A residual of 1e-11 means an accuracy of the forces of 1e-10.
fn ours(tolerance: f64) -> CompatibleForces {
    CompatibleForces::new(Options::new(tolerance, 200))
}

fn seconds(work: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// Returns the shortest time in s of each piece of work; the pieces alternate.
fn fastest(repetitions: usize, works: &mut [&mut dyn FnMut()]) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; works.len()];
    for _ in 0..repetitions {
        for (best, work) in best.iter_mut().zip(&mut *works) {
            *best = best.min(seconds(&mut **work));
        }
    }
    best
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let scale = a.iter().fold(0.0_f64, |most, f| most.max(*f));
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / scale
}

/// Solves a pyramid, prints the times on one thread, on two threads and of Clarabel, and returns the forces.
fn compatibility(layers: usize, law: (&str, Species, f64), peer: bool) -> Result<Vec<f64>, SolveError> {
    let assembly = Pyramid::new(layers).assembly(law.1);
    let map = assembly.jacobian()?;
    let problem = assembly.problem(&map, law.2)?;
    let solve = |solver: &mut dyn CompatibilitySolver| -> Result<Vec<f64>, SolveError> {
        let mut force = vec![0.0; assembly.contacts()];
        let _ = solver.solve(&problem, &mut force)?;
        Ok(force)
    };
    let one = pool(1);
    let two = pool(2);
    let exact = two.install(|| solve(&mut ours(1e-13)))?;
    let mut alone = ours(1e-11);
    let mut together = ours(1e-11);
    let error = distance(&exact, &one.install(|| solve(&mut alone))?);
    let _ = two.install(|| solve(&mut together))?;
    let mut force = vec![0.0; assembly.contacts()];
    let mut again = vec![0.0; assembly.contacts()];
    // All sizes have the same total time: a longer one would have better chances of an undisturbed run.
    let until = Instant::now() + Duration::from_secs(20);
    let mut runs = Vec::new();
    while runs.len() < 5 || Instant::now() < until {
        let before = independent_gain();
        let single = seconds(&mut || one.install(|| drop(alone.solve(&problem, &mut force))));
        let double = seconds(&mut || two.install(|| drop(together.solve(&problem, &mut again))));
        runs.push([before.min(independent_gain()), single, double]);
    }
    runs.sort_by(|a, b| b[0].total_cmp(&a[0]));
    let least = |runs: &[[f64; 3]], k: usize| runs.iter().map(|run| run[k]).fold(f64::INFINITY, f64::min);
    let best = least(&runs, 1);
    runs.truncate(runs.len().div_ceil(3));
    let gain = least(&runs, 1) / least(&runs, 2);
    let possible = least(&runs, 0);
    println!(
        "{layers:3} layers, {:7} contacts, {:11}: {:8.1} ms, force error {error:.0e}; two threads {gain:.2} times faster, two \
         independent loops {possible:.2} times",
        assembly.contacts(),
        law.0,
        1e3 * best,
    );
    if peer && law.2 < 2.25 {
        let mut force = vec![0.0; assembly.contacts()];
        let mut report = None;
        let time = one.install(|| {
            let mut work = || {
                let mut solver = InteriorPoint { tolerance: 1e-10 };
                report = CompatibilitySolver::solve(&mut solver, &problem, &mut force).ok();
            };
            fastest(if layers < 30 { 3 } else { 1 }, &mut [&mut work])[0]
        });
        let status = report.map(|report| report.status);
        println!(
            "           Clarabel, {status:?}: {:.1} ms, force error {:.0e}; ours {:.0} times faster",
            1e3 * time,
            distance(&exact, &force),
            time / best,
        );
    }
    Ok(exact)
}

/// Returns the time of the larger pyramid over that of the smaller one on one thread, from the shortest of alternating
/// runs.
fn growth(law: (&str, Species, f64), layers: [usize; 2]) -> Result<f64, SolveError> {
    let assemblies = layers.map(|n| Pyramid::new(n).assembly(law.1));
    let maps = [assemblies[0].jacobian()?, assemblies[1].jacobian()?];
    let problems = [assemblies[0].problem(&maps[0], law.2)?, assemblies[1].problem(&maps[1], law.2)?];
    let one = pool(1);
    let mut solvers = [ours(1e-11), ours(1e-11)];
    let mut forces = assemblies.each_ref().map(|assembly| vec![0.0; assembly.contacts()]);
    for ((solver, problem), force) in solvers.iter_mut().zip(&problems).zip(&mut forces) {
        // The first solve also allocates, so it is not timed.
        let report = solver.solve(problem, force)?;
        assert!(report.converged(), "{report:?}");
    }
    let mut best = [f64::INFINITY; 2];
    let mut solve = |k: usize| seconds(&mut || one.install(|| drop(solvers[k].solve(&problems[k], &mut forces[k]))));
    let until = Instant::now() + Duration::from_secs(40);
    while Instant::now() < until {
        let large = solve(1);
        // Both sizes have the same total time, and so the same chances of an undisturbed run.
        let mut left = large;
        while left > 0.0 {
            let small = solve(0);
            best = [best[0].min(small), best[1].min(large)];
            left -= small;
        }
    }
    Ok(best[1] / best[0])
}

/// Prints the costs of an iteration of accelerated descent and of a sweep of Gauss-Seidel, in products with the
/// operator.
fn iterations(layers: usize) -> Result<(), SolveError> {
    let assembly: Assembly = Pyramid::new(layers).assembly(Species::Uniform);
    let (map, inverse_mass): (ContactJacobian, _) = (assembly.jacobian()?, assembly.inverse_mass()?);
    let operator = Delassus::new(&map, &inverse_mass)?;
    let offset = assembly.offset(&operator)?;
    let problem = Lcp::new(LcpMatrix::Delassus(&operator), &offset)?;
    let counts = [200, 50];
    let mut descent = Apgd::new(Options::new(0.0, counts[0]));
    let mut sweeps = ProjectedGaussSeidel::new(Options::new(0.0, counts[1]));
    let mut force = vec![0.0; map.contacts()];
    let mut image = vec![0.0; map.contacts()];
    let mut work = Vec::new();
    let of_descent = descent.solve(&problem, &mut force)?.iterations;
    // The product is timed on forces of the solver, which have realistic zeros.
    let loaded = force.clone();
    let times = pool(1).install(|| {
        let mut start = vec![0.0; map.contacts()];
        let mut other = vec![0.0; map.contacts()];
        fastest(
            7,
            &mut [
                &mut || (0..100).for_each(|_| operator.apply(&loaded, &mut image, &mut work)),
                &mut || {
                    start.fill(0.0);
                    drop(descent.solve(&problem, &mut start));
                },
                &mut || {
                    other.fill(0.0);
                    drop(sweeps.solve(&problem, &mut other));
                },
            ],
        )
    });
    let product = times[0] / 100.0;
    println!(
        "{layers:3} layers: product {:.1} µs; an iteration of APGD is {:.2} products, a sweep of Gauss-Seidel {:.2}",
        1e6 * product,
        times[1] / of_descent as f64 / product,
        times[2] / counts[1] as f64 / product,
    );
    Ok(())
}

/// Prints the memory per contact. This function has to run first, because the peak of memory never falls.
fn bytes_per_contact(layers: usize) -> Result<(), SolveError> {
    let assembly = Pyramid::new(layers).assembly(Species::Uniform);
    let contacts = assembly.contacts() as f64;
    let before = memory("VmHWM");
    let map = assembly.jacobian()?;
    let mut force = vec![0.0; assembly.contacts()];
    let _ = ours(1e-11).solve(&assembly.problem(&map, 2.0)?, &mut force)?;
    let bytes = (memory("VmHWM") - before) / contacts;
    println!("{layers:3} layers: map and solver take {bytes:.0} bytes per contact");
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let layers: Vec<usize> =
        value("--layers").map_or(vec![20, 40, 60], |list| list.split(',').filter_map(|n| n.parse().ok()).collect());
    let peer = !flag("--no-peer");
    if let Some(&most) = layers.iter().max() {
        bytes_per_contact(most)?;
    }
    for &n in &layers {
        iterations(n)?;
    }
    for law in LAWS.into_iter().filter(|law| value("--law").is_none_or(|name| name == law.0)) {
        for &n in &layers {
            // Clarabel takes minutes for more than forty layers.
            let force = compatibility(n, law, peer && n <= 40)?;
            if let Some(path) = value("--forces") {
                std::fs::write(path, force.iter().map(|f| format!("{f:e}\n")).collect::<String>())?;
            }
        }
        for pair in layers.windows(2) {
            let times = growth(law, [pair[0], pair[1]])?;
            println!("{}: {} layers take {times:.2} times as long as {}", law.0, pair[1], pair[0]);
        }
    }
    Ok(())
}
