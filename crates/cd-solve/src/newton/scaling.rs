//! Compatibility problems in units in which the largest load and stiffness are one.

use crate::error::{SolveError, check_length};
use crate::newton::penalty::{PenaltyEnergy, Scaled};
use crate::newton::semismooth::Minimizer;
use crate::newton::system::AnyStepSolver;
use crate::problem::compatibility::CompatibilityProblem;
use crate::problem::contact_jacobian::with_rows;
use crate::report::{Options, Report, Status};

/// Solves `problem` by `minimizer` into `displacement` and `force`, which stay as they are if there is an error.
pub(crate) fn solve<S: AnyStepSolver>(
    minimizer: &mut Minimizer<S>,
    problem: &CompatibilityProblem<'_>,
    options: &Options,
    displacement: &mut Vec<f64>,
    force: &mut [f64],
) -> Result<Report, SolveError> {
    check_length("contact forces", force, problem.jacobian.contacts())?;
    let report = minimize(minimizer, problem, options)?;
    write(minimizer, problem, displacement, force);
    Ok(report)
}

/// Minimises in units in which the largest load and stiffness are about one. Without a load the forces are zero.
pub(crate) fn minimize<S: AnyStepSolver>(
    minimizer: &mut Minimizer<S>,
    problem: &CompatibilityProblem<'_>,
    options: &Options,
) -> Result<Report, SolveError> {
    options.check()?;
    let (load, stiffness) = units(problem);
    if largest(problem.load) <= 0.0 {
        return Ok(Report { status: Status::Converged, iterations: 0, inner_iterations: 0, residual: 0.0 });
    }
    with_rows!(problem.jacobian, rows => minimizer.minimize(
        &PenaltyEnergy {
            rows,
            law: problem.law,
            stiffness: Scaled { values: problem.stiffness, factor: stiffness.recip() },
            open: problem.open,
            load: Some(Scaled { values: problem.load, factor: load.recip() }),
            offset: None,
            base: None,
            inertia: None,
        },
        options,
    ))
}

/// Writes the minimum that [`minimize`] left in `minimizer`, in the units of the problem.
pub(crate) fn write<S>(
    minimizer: &Minimizer<S>,
    problem: &CompatibilityProblem<'_>,
    displacement: &mut Vec<f64>,
    force: &mut [f64],
) {
    displacement.clear();
    displacement.resize(problem.jacobian.columns(), 0.0);
    if largest(problem.load) <= 0.0 {
        force.fill(0.0);
        return;
    }
    let (load, stiffness) = units(problem);
    // Root by root: the quotient can be beyond the largest number.
    let root = (problem.law.exponent() - 1.0).recip();
    let (load_root, stiffness_root) = (load.powf(root), stiffness.powf(root));
    displacement.iter_mut().zip(&minimizer.newton.x).for_each(|(u, x)| *u = x * load_root / stiffness_root);
    force.iter_mut().zip(&minimizer.newton.force).for_each(|(force, f)| *force = load * f);
}

fn units(problem: &CompatibilityProblem<'_>) -> (f64, f64) {
    // The reciprocal of a smaller number is infinite.
    let unit = |values: &[f64]| largest(values).max(f64::MIN_POSITIVE);
    (unit(problem.load), unit(problem.stiffness))
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}
