//! Figure of friction problems of FCLIB, a collection of contact problems, whose files are in this repository.
use grains_pages::plot::{Marker, Plot, Series};
use std::path::Path;

use anyhow::{Context as _, Result};
use cd_solve::Options;
use cd_solve::fclib::read_hdf5;
use cd_solve::friction::{AcceleratedSweeps, CoulombSolver, FrictionReport, FrictionSolver};
use serde_json::json;

use crate::model::{Artifact, Claim, Context, Table};

/// Residual R₁ at which the solver stops, and the largest accepted one.
const TOLERANCE: f64 = 1e-8;

/// Names of the problems, and their HDF5 files in `crates/cd-solve/tests/data`.
const FILES: [(&str, &str); 2] =
    [("Box_Stacks", "fclib-box-stacks.hdf5"), ("Chute with rolling", "fclib-chute-rolling.hdf5")];

/// Computes the residual R₁ that `solver` reaches after 1, 2, 4, ... and at most 60 sweeps over the contacts.
fn residuals(
    problem: &cd_solve::friction::FrictionProblem<'_>,
    solver: &dyn Fn(Options) -> AcceleratedSweeps,
) -> Result<Vec<(f64, f64)>> {
    let mut points = Vec::new();
    for sweeps in [1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 25, 30, 40, 50, 60] {
        let mut force = vec![0.0; problem.len()];
        let report = solver(Options::new(1e-15, sweeps)).solve(problem, &mut force)?;
        points.push((report.sweeps as f64, problem.residual(&force)?));
        if report.converged() {
            break;
        }
    }
    Ok(points)
}

/// Makes the figure of residuals over sweeps, with a table of the solver's work on each problem.
pub(super) fn problems(_: &Context) -> Result<Artifact> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/cd-solve/tests/data");
    let mut plot = Plot::semilog("sweeps", "Residuals by sweeps", ("sweeps", ""), ("residual R₁", ""));
    let mut artifact = Artifact::new(
        "Friction problems of other programs, from the collection FCLIB. Sweeps over the contacts solve each contact \
         exactly, given the others; Anderson's acceleration extrapolates them. The residual R₁ judges all solvers: it is a \
         velocity over that without contact forces, and is computed from the forces and the matrix as the file has it. \
         cargo xtask fclib solves and times folders of such files.",
    );
    let mut rows = Vec::<(usize, FrictionReport, f64)>::new();
    let mut names = Vec::new();
    for (colour, (name, file)) in FILES.into_iter().enumerate() {
        let stored = read_hdf5(&folder.join(file)).with_context(|| format!("reading {file}"))?;
        let problem = stored.problem()?;
        let mut force = vec![0.0; problem.len()];
        let report = CoulombSolver::new(Options::new(TOLERANCE, 1000)).solve(&problem, &mut force)?;
        let residual = problem.residual(&force)?;
        artifact = artifact.claim(Claim::ours(format!("residual R₁ of {name}"), residual, 0.0..=TOLERANCE));
        rows.push((problem.contacts(), report, residual));
        names.push(name);
        let accelerated = residuals(&problem, &AcceleratedSweeps::new)?;
        let plain = residuals(&problem, &|options| AcceleratedSweeps::new(options).plain())?;
        plot = plot
            .series(Series::line(format!("{name}, accelerated"), accelerated).marker(Marker::Circle).colour(colour))
            .series(Series::line(format!("{name}, plain"), plain).marker(Marker::Cross).colour(colour));
    }
    let numbers = |of: &dyn Fn(&(usize, FrictionReport, f64)) -> f64| rows.iter().map(of).collect::<Vec<_>>();
    let table = Table::new()
        .text("problem", names)
        .number("contacts", "", numbers(&|row| row.0 as f64))
        .number("residual", "", numbers(&|row| row.2))
        .number("sweeps", "", numbers(&|row| row.1.sweeps as f64))
        .number("factorisations", "", numbers(&|row| row.1.factorizations as f64));
    Ok(artifact.plot(plot).table(table).parameters(json!({ "tolerance R1": TOLERANCE })))
}
