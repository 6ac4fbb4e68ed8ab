//! Newton's method with conjugate gradients: the fast solver of compatibility problems.

use crate::contact_map::with_rows;
use crate::newton::{Newton, StepSolver};
use crate::penalty::Penalty;
use crate::sweep_cg::SweepCg;
use crate::{CompatibilityProblem, CompatibilitySolver, Options, Report, SolveError, Status};

/// Primal Newton with conjugate gradients: minimises the elastic energy over the displacements of the bodies.
///
/// The linear systems are solved by conjugate gradients, preconditioned by block Gauss-Seidel sweeps over the bodies in the
/// order of their numbers, and only as accurately as the step deserves. No matrix is assembled.
#[derive(Debug, Clone)]
pub struct NewtonCg {
    options: Options,
    newton: Newton<SweepCg>,
    displacement: Vec<f64>,
}

impl NewtonCg {
    /// Stops at the residual of `options`, ‖Bᵀ f − F‖ / ‖F‖.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, newton: Newton::default(), displacement: Vec::new() }
    }

    /// The displacement of the bodies (`D n_b`) in the last solve, for the stiffnesses as given; the evidence where the load
    /// is infeasible.
    #[must_use]
    pub fn displacement(&self) -> &[f64] {
        &self.displacement
    }
}

impl Default for NewtonCg {
    fn default() -> Self {
        Self::new(Options::new(1e-10, 500))
    }
}

impl CompatibilitySolver for NewtonCg {
    fn solve(&mut self, problem: &CompatibilityProblem<'_>, force: &mut [f64]) -> Result<Report, SolveError> {
        solve(&mut self.newton, problem, &self.options, &mut self.displacement, force)
    }
}

/// Solves `problem` by `newton` in units in which the largest load and stiffness are one.
pub(crate) fn solve<S: StepSolver>(
    newton: &mut Newton<S>,
    problem: &CompatibilityProblem<'_>,
    options: &Options,
    displacement: &mut Vec<f64>,
    force: &mut [f64],
) -> Result<Report, SolveError> {
    crate::error::check_length("contact forces", force, problem.map.contacts())?;
    options.check()?;
    let largest = |values: &[f64]| values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    let (load, stiffness) = (largest(problem.load), largest(problem.stiffness));
    displacement.clear();
    displacement.resize(problem.map.columns(), 0.0);
    if load <= 0.0 {
        force.fill(0.0);
        return Ok(Report { status: Status::Converged, iterations: 0, inner_iterations: 0, residual: 0.0 });
    }
    let report = with_rows!(problem.map, rows => newton.minimize(
        &Penalty {
            rows,
            law: problem.law,
            stiffness: (problem.stiffness, stiffness.recip()),
            open: problem.open,
            load: Some((problem.load, load.recip())),
            offset: None,
            inertia: None,
        },
        options,
    ))?;
    let unit = (load / stiffness).powf((problem.law.exponent() - 1.0).recip());
    displacement.iter_mut().zip(&newton.x).for_each(|(u, x)| *u = unit * x);
    force.iter_mut().zip(&newton.force).for_each(|(force, f)| *force = load * f);
    Ok(report)
}
