//! Newton's method with conjugate gradients: the fast solver of compatibility problems.

use crate::contact_map::with_rows;
use crate::newton::{Newton, StepSolver};
use crate::penalty::Penalty;
use crate::sweep_cg::SweepCg;
use crate::{CompatibilityProblem, CompatibilitySolver, Options, Report, SolveError, Status};

/// Primal Newton with conjugate gradients: minimises the elastic energy over the displacements of the bodies.
///
/// The linear systems are solved by conjugate gradients, preconditioned by block Gauss-Seidel sweeps over the bodies by their
/// distance from the fixed ones, and only as accurately as the step deserves. No matrix is factorised but blocks of bodies.
#[derive(Debug, Clone)]
pub struct NewtonCg {
    options: Options,
    newton: Newton<SweepCg<f32>>,
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

/// Solves `problem` by `newton` into `displacement` and `force`, which stay as they are if there is an error.
pub(crate) fn solve<S: StepSolver>(
    newton: &mut Newton<S>,
    problem: &CompatibilityProblem<'_>,
    options: &Options,
    displacement: &mut Vec<f64>,
    force: &mut [f64],
) -> Result<Report, SolveError> {
    crate::error::check_length("contact forces", force, problem.map.contacts())?;
    let report = minimize(newton, problem, options)?;
    write(newton, problem, displacement, force);
    Ok(report)
}

/// Minimises in units in which the largest load and stiffness are one, or nearly so; no load at all needs no solver.
pub(crate) fn minimize<S: StepSolver>(
    newton: &mut Newton<S>,
    problem: &CompatibilityProblem<'_>,
    options: &Options,
) -> Result<Report, SolveError> {
    options.check()?;
    let (load, stiffness) = units(problem);
    if largest(problem.load) <= 0.0 {
        return Ok(Report { status: Status::Converged, iterations: 0, inner_iterations: 0, residual: 0.0 });
    }
    with_rows!(problem.map, rows => newton.minimize(
        &Penalty {
            rows,
            law: problem.law,
            stiffness: (problem.stiffness, stiffness.recip()),
            open: problem.open,
            load: Some((problem.load, load.recip())),
            offset: None,
            base: None,
            inertia: None,
        },
        options,
    ))
}

/// Writes what [`minimize`] left in `newton`, in the units of the problem.
pub(crate) fn write<S>(
    newton: &Newton<S>,
    problem: &CompatibilityProblem<'_>,
    displacement: &mut Vec<f64>,
    force: &mut [f64],
) {
    displacement.clear();
    displacement.resize(problem.map.columns(), 0.0);
    if largest(problem.load) <= 0.0 {
        force.fill(0.0);
        return;
    }
    let (load, stiffness) = units(problem);
    // Root by root: the quotient can be beyond the largest number.
    let root = (problem.law.exponent() - 1.0).recip();
    let (load_root, stiffness_root) = (load.powf(root), stiffness.powf(root));
    displacement.iter_mut().zip(&newton.x).for_each(|(u, x)| *u = x * load_root / stiffness_root);
    force.iter_mut().zip(&newton.force).for_each(|(force, f)| *force = load * f);
}

fn units(problem: &CompatibilityProblem<'_>) -> (f64, f64) {
    // The reciprocal of a smaller number is infinite.
    let unit = |values: &[f64]| largest(values).max(f64::MIN_POSITIVE);
    (unit(problem.load), unit(problem.stiffness))
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Compatible, ContactMap, NewtonCholesky};

    fn solvers() -> [Box<dyn CompatibilitySolver>; 3] {
        [Box::new(NewtonCg::default()), Box::new(NewtonCholesky::default()), Box::new(Compatible::default())]
    }

    /// A body between the floor, by two contacts of stiffness 1 and 3, and a third contact that the load opens.
    #[test]
    fn shares_follow_the_stiffness_whatever_the_units() {
        let down = [0.0, 0.0, -1.0];
        let up = down.map(|x: f64| -x);
        let map = ContactMap::spheres(1, &[[None, Some(0)]; 3], &[up, up, down]).unwrap();
        for (load, stiffness) in [(1.0, 1.0), (1e-310, 1.0), (1e-300, 1e300), (1e300, 1e-310), (1e-20, 1e-300)] {
            for exponent in [2.0, 2.0 + 1e-12, 2.25, 2.5, 3.0] {
                let (loads, stiffnesses) = ([0.0, 0.0, load], [1.0, 3.0, 2.0].map(|k| k * stiffness));
                let problem = CompatibilityProblem::new(&map, &loads, &stiffnesses, exponent).unwrap();
                for mut solver in solvers() {
                    let mut force = [7.0; 3];
                    let report = solver.solve(&problem, &mut force).unwrap();
                    assert!(report.converged(), "{report:?} at {load}, {stiffness}, p = {exponent}");
                    for (force, share) in force.iter().zip([0.25, 0.75, 0.0]) {
                        assert!((force / load - share).abs() < 1e-9, "{force} at {load}, {stiffness}, p = {exponent}");
                    }
                    assert!(problem.residual(&force).unwrap() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn contacts_that_are_all_open_carry_nothing() {
        let map = ContactMap::spheres(1, &[[None, Some(0)]; 2], &[[0.0, 0.0, 1.0]; 2]).unwrap();
        let problem = CompatibilityProblem::new(&map, &[0.0, 0.0, 1.0], &[1.0; 2], 2.5).unwrap();
        let problem = problem.with_open(&[true; 2]).unwrap();
        for mut solver in solvers() {
            let mut force = [7.0; 2];
            let report = solver.solve(&problem, &mut force).unwrap();
            assert_eq!(report.status, Status::Infeasible);
            assert!(force.iter().all(|force| force.abs() < 1e-300));
        }
    }
}
