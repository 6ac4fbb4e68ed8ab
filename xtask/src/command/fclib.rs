//! `cargo xtask fclib DIR`: solves the friction problems in files of FCLIB, a collection of contact problems, by the
//! solvers of `cd-solve`.
use grains_pages::plot::{Axis, Plot, Series};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use cd_solve::fclib::{StoredProblem, read_hdf5, read_text};
use cd_solve::friction::{AcceleratedSweeps, CoulombSolver, FrictionReport, FrictionSolver, ProximalNewton};
use cd_solve::{Options, Status};

use crate::command::stopwatch::Stopwatch;
use crate::run::output;

mod least_energy;

/// Time in s for which a solve is repeated if it is faster, so that the mean of many solves is measured.
const REPEAT: f64 = 0.2;

/// Largest number of sweeps, and largest number of factorisations, of the compared solvers for one problem.
const LIMITS: (usize, usize) = (20_000, 300);

/// Options of `cargo xtask fclib`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder with files of FCLIB (.hdf5) and of Siconos (.dat), or one file.
    folder: PathBuf,
    /// Residual R1 to reach.
    #[arg(long, default_value_t = 1e-8)]
    tolerance: f64,
    /// Factorisations at most, for each problem.
    #[arg(long, default_value_t = 3000)]
    limit: usize,
    /// Compare the solvers of `cd-solve` in a performance profile, an SVG file in this folder.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Select forces of least energy from those of each solver, and print by how much they differ.
    #[arg(long, conflicts_with_all = ["out", "tolerance"])]
    least_energy: bool,
}

/// Solver that takes part in the comparison.
struct Contestant {
    name: &'static str,
    solver: Box<dyn FrictionSolver>,
}

/// Result of solving one problem by one solver from zero forces.
struct Outcome {
    seconds: f64,
    /// Residual R₁ of the forces, evaluated by the problem instead of the solver.
    residual: f64,
    report: FrictionReport,
}

/// Solves all problems, prints a line for each solver and problem, and returns whether the first solver solved all.
///
/// # Errors
/// If a file cannot be read, contains no problem, or the plot cannot be written.
pub(crate) fn fclib(args: &Args) -> Result<bool> {
    let files = files(&args.folder)?;
    ensure!(!files.is_empty(), "no .hdf5 or .dat file in {}", args.folder.display());
    if args.least_energy {
        for file in &files {
            let mut contestants = contestants(&Args { tolerance: least_energy::TOLERANCE, ..args.clone() });
            least_energy::select(&name(file), &read(file)?, &mut contestants)?;
        }
        return Ok(true);
    }
    let mut contestants = contestants(args);
    if args.out.is_none() {
        contestants.truncate(1);
    }
    println!(
        "{:44} {:>8} {:24} {:>10} {:>8} {:>6} {:>6}  verdict",
        "file", "contacts", "solver", "ms", "R1", "sweeps", "LU"
    );
    let mut all_solved = true;
    let mut times = Vec::new();
    for file in &files {
        let stored = read(file)?;
        let mut row = Vec::new();
        for (place, contestant) in contestants.iter_mut().enumerate() {
            let outcome = run(&stored, &mut *contestant.solver)?;
            let solved = outcome.residual <= args.tolerance;
            all_solved &= solved || place > 0;
            row.push(if solved { outcome.seconds } else { f64::INFINITY });
            println!(
                "{:44} {:>8} {:24} {:>10.3} {:>8.1e} {:>6} {:>6}  {}",
                name(file),
                stored.matrix.contacts(),
                contestant.name,
                1e3 * outcome.seconds,
                outcome.residual,
                outcome.report.sweeps,
                outcome.report.factorizations,
                verdict(&outcome, solved),
            );
        }
        times.push(row);
    }
    if let Some(folder) = &args.out {
        let names: Vec<_> = contestants.iter().map(|contestant| contestant.name).collect();
        let svg = profile(&names, &times).svg()?;
        output::prepare(folder)?;
        output::write(folder, "fclib-profile.svg", svg.as_bytes())?;
    }
    Ok(all_solved)
}

/// Returns the compared solvers. The first one, `CoulombSolver`, decides whether a problem counts as solved.
fn contestants(args: &Args) -> Vec<Contestant> {
    let sweeps = Options::new(args.tolerance, LIMITS.0);
    let factorizations = Options::new(args.tolerance, LIMITS.1);
    vec![
        Contestant {
            name: "CoulombSolver",
            solver: Box::new(CoulombSolver::new(Options::new(args.tolerance, args.limit))),
        },
        Contestant { name: "AcceleratedSweeps", solver: Box::new(AcceleratedSweeps::new(sweeps)) },
        Contestant { name: "AcceleratedSweeps, plain", solver: Box::new(AcceleratedSweeps::new(sweeps).plain()) },
        Contestant { name: "ProximalNewton", solver: Box::new(ProximalNewton::new(factorizations)) },
    ]
}

/// Lists the problem files in `folder` sorted by name, or `folder` itself if it is a file.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    if folder.is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let entries = std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "hdf5" || extension == "dat") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads a problem from a file of FCLIB (`.hdf5`) or of Siconos (`.dat`).
fn read(file: &Path) -> Result<StoredProblem> {
    let name = || format!("reading {}", file.display());
    if file.extension().is_some_and(|extension| extension == "dat") {
        let text = std::fs::read_to_string(file).with_context(name)?;
        return read_text(&text).with_context(name);
    }
    read_hdf5(file).with_context(name)
}

/// Solves a problem from zero forces, repeatedly if one solve takes less than [`REPEAT`]. Reading and assembly are not
/// timed.
fn run(stored: &StoredProblem, solver: &mut dyn FrictionSolver) -> Result<Outcome> {
    let problem = stored.problem()?;
    let mut force = vec![0.0; problem.len()];
    let start = Stopwatch::start();
    let report = solver.solve(&problem, &mut force)?;
    let mut seconds = start.seconds();
    let mut solves = 1;
    let residual = problem.residual(&force)?;
    if seconds < REPEAT {
        // The first solve allocates the buffers and is not timed.
        let start = Stopwatch::start();
        let turns = Instant::now();
        solves = 0;
        while turns.elapsed().as_secs_f64() < REPEAT {
            force.fill(0.0);
            let _ = solver.solve(&problem, &mut force)?;
            solves += 1;
        }
        seconds = start.seconds();
    }
    Ok(Outcome { seconds: seconds / f64::from(solves), residual, report })
}

fn verdict(outcome: &Outcome, solved: bool) -> String {
    match outcome.report.status {
        _ if solved => "solved".to_owned(),
        Status::Infeasible => format!("no solution: forces grew {:.1e} times", outcome.report.growth),
        status => format!("FAILED: {status:?}"),
    }
}

/// Plots the performance profile of Dolan and Moré (2002): the share of problems that each solver solves within τ times
/// the time of the fastest solver. `times` has a row of times in s for each problem, infinite for an unsolved one.
fn profile(names: &[&str], times: &[Vec<f64>]) -> Plot {
    let ratios = |solver: usize| {
        let best = |row: &[f64]| row.iter().copied().fold(f64::INFINITY, f64::min);
        let ratio = |row: &Vec<f64>| row[solver] / best(row);
        let mut ratios: Vec<f64> = times.iter().map(ratio).filter(|ratio| ratio.is_finite()).collect();
        ratios.sort_by(f64::total_cmp);
        ratios
    };
    let all: Vec<Vec<f64>> = (0..names.len()).map(ratios).collect();
    let end = 2.0 * all.iter().flatten().copied().fold(1.0, f64::max);
    let mut plot = Plot::new(
        "profile",
        "Solvers on FCLIB: share of problems solved within τ times the best time",
        Axis::log("τ", ""),
        Axis::linear("share of problems", ""),
    );
    for (name, ratios) in names.iter().zip(&all) {
        let mut points = vec![(1.0, 0.0)];
        for (k, ratio) in ratios.iter().enumerate() {
            let share = |count: usize| count as f64 / times.len() as f64;
            points.extend([(*ratio, share(k)), (*ratio, share(k + 1))]);
        }
        points.push((end, ratios.len() as f64 / times.len() as f64));
        plot = plot.series(Series::line(*name, points));
    }
    plot
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_rises_by_each_problem_that_is_solved() {
        let plot = profile(&["fast", "slow"], &[vec![1.0, 2.0], vec![3.0, f64::INFINITY]]);
        assert_eq!(plot.series[0].points, [(1.0, 0.0), (1.0, 0.0), (1.0, 0.5), (1.0, 0.5), (1.0, 1.0), (4.0, 1.0)]);
        assert_eq!(plot.series[1].points, [(1.0, 0.0), (2.0, 0.0), (2.0, 0.5), (4.0, 0.5)]);
    }
}
