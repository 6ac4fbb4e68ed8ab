use crate::error::{SolveError, check_length};
use crate::newton::by_body::{Refine, refine};
use crate::newton::extended_precision::LARGEST_SET;
use crate::newton::penalty::{PenaltyEnergy, Scaled};
use crate::newton::semismooth::{Minimizer, SemismoothNewton};
use crate::newton::system::AnyStepSolver;
use crate::problem::compatibility::CompatibilityProblem;
use crate::problem::contact_jacobian::with_rows;
use crate::problem::rows::Rows;
use crate::report::{Options, Report, Status};

/// Largest error of a contact force by rounding of the displacement, divided by the reference force of its bodies, at
/// which the force counts as accurate: in problems small enough for
/// [`extended_precision`](crate::newton::extended_precision), and in larger ones.
const FORCE_ACCURACY: [f64; 2] = [1e-9, 1e-8];

/// Solves `problem` by `minimizer` into `displacement` and `force`, which are unchanged after an error. Newton's method
/// minimises the residual of all bodies together. A result is good if each body is balanced relative to its own forces,
/// and rounding of the displacement does not change the forces.
pub(crate) fn solve<S: AnyStepSolver>(
    minimizer: &mut Minimizer<S>,
    problem: &CompatibilityProblem<'_>,
    options: &Options,
    displacement: &mut Vec<f64>,
    force: &mut [f64],
) -> Result<Report, SolveError> {
    check_length("contact forces", force, problem.jacobian.contacts())?;
    let mut report = minimize(minimizer, problem, options)?;
    write(minimizer, problem, displacement, force);
    if largest(problem.load) <= 0.0 {
        return Ok(report);
    }
    report = refine(&mut Minimum { minimizer, problem, displacement, force }, options, report);
    if report.status == Status::Infeasible && !(problem.sizes.is_empty() || problem.is_refuted_by(displacement)) {
        // The proof depends on rounding of the sizes that the caller states.
        report.status = Status::Stalled;
    }
    if report.converged() && !forces_are_known(minimizer, problem) {
        report.status = Status::Stalled;
    }
    Ok(report)
}

/// Minimum of the elastic energy of a compatibility problem, with its contact forces: the result of a solve, multiplied
/// back from the scaled problem.
struct Minimum<'a, 'b, S> {
    minimizer: &'a mut Minimizer<S>,
    problem: &'a CompatibilityProblem<'b>,
    displacement: &'a mut Vec<f64>,
    force: &'a mut [f64],
}

impl<S: AnyStepSolver> Refine for Minimum<'_, '_, S> {
    fn resume(&mut self, options: &Options) -> Result<Report, SolveError> {
        let report = with_rows!(self.problem.jacobian, rows => {
            self.minimizer.resume(&energy(self.problem, rows), options)
        });
        write(self.minimizer, self.problem, self.displacement, self.force);
        let is_proof = |report: &Report| {
            report.status != Status::Infeasible || self.problem.is_refuted_beyond_rounding(self.displacement)
        };
        report.map(|report| if is_proof(&report) { report } else { Report { status: Status::Stalled, ..report } })
    }

    fn residual(&mut self) -> f64 {
        self.problem.residual_with(self.force, &mut self.minimizer.sizes)
    }
}

/// Whether rounding of the displacement changes each contact force only little relative to the forces on its bodies.
fn forces_are_known<S>(minimizer: &Minimizer<S>, problem: &CompatibilityProblem<'_>) -> bool {
    let SemismoothNewton { x, compression, force, .. } = &minimizer.newton;
    let (unit, _) = units(problem);
    let [small, large] = FORCE_ACCURACY;
    let limit = if x.len() <= LARGEST_SET { small } else { large };
    let exponent = problem.law.exponent();
    with_rows!(problem.jacobian, rows => {
        let error = |i: usize| {
            let terms = rows.size_of_terms(i, x);
            unit * ((exponent - 1.0) * force[i] / compression[i] * 2.0 * f64::EPSILON * terms)
        };
        problem.bears(force, &error, &minimizer.sizes, limit)
    })
}

/// Minimises the elastic energy of the problem, divided by scale factors so that the largest load and stiffness are
/// one; without load, forces are zero.
fn minimize<S: AnyStepSolver>(
    minimizer: &mut Minimizer<S>,
    problem: &CompatibilityProblem<'_>,
    options: &Options,
) -> Result<Report, SolveError> {
    options.check()?;
    if largest(problem.load) <= 0.0 {
        return Ok(Report::start(0.0));
    }
    with_rows!(problem.jacobian, rows => minimizer.minimize(&energy(problem, rows), options))
}

fn energy<'a, const D: usize, const K: usize>(
    problem: &CompatibilityProblem<'a>,
    rows: &'a Rows<D, K>,
) -> PenaltyEnergy<'a, D, K> {
    let (load, stiffness) = units(problem);
    PenaltyEnergy {
        rows,
        law: problem.law,
        stiffness: Scaled { values: problem.stiffness, factor: stiffness.recip() },
        open: problem.open,
        load: Some(Scaled { values: problem.load, factor: load.recip() }),
        offset: None,
        base: None,
        inertia: None,
        least_external: problem.sizes.iter().map(|size| (size / load).powi(2)).sum(),
    }
}

/// Multiplies the minimum that [`minimize`] left in `minimizer` back to the problem as it was posed, and writes it to
/// `displacement` and `force`.
fn write<S>(
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
    // Two roots, because the quotient can overflow.
    let root = (problem.law.exponent() - 1.0).recip();
    let load_root = load.powf(root);
    let stiffness_root = stiffness.powf(root);
    displacement.iter_mut().zip(&minimizer.newton.x).for_each(|(u, x)| *u = x * load_root / stiffness_root);
    force.iter_mut().zip(&minimizer.newton.force).for_each(|(force, f)| *force = load * f);
    problem.clean(force);
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
    use crate::newton::cholesky_steps::CholeskySteps;
    use crate::newton::sweep::ssor_cg::SsorCg;
    use crate::problem::contact_jacobian::ContactJacobian;

    #[test]
    fn a_light_body_that_nothing_holds_is_proved_to_be_so() {
        // Both bodies touch the ground; a load pulls the light one off.
        let up = [0.0, 0.0, 1.0];
        let jacobian = ContactJacobian::spheres(2, &[[None, Some(0)], [None, Some(1)]], &[up; 2]).unwrap();
        let solve = |light: f64| {
            let load = [0.0, 0.0, 1.0, 0.0, 0.0, light];
            let problem = CompatibilityProblem::new(&jacobian, &load, &[1.0; 2], 2.0).unwrap();
            let mut displacement = Vec::new();
            let mut force = [0.0; 2];
            let mut minimizer = Minimizer::<CholeskySteps>::default();
            solve(&mut minimizer, &problem, &Options::new(1e-6, 500), &mut displacement, &mut force).unwrap().status
        };
        assert_eq!(solve(1e-8), Status::Converged);
        assert_eq!(solve(-1e-8), Status::Infeasible);
    }

    /// Conjugate gradients in single precision find the forces of a stack: each contact bears the weight of all bodies
    /// above it.
    #[test]
    fn conjugate_gradients_solve_a_stack_without_factors() {
        const BODIES: usize = 40;
        let pairs: Vec<_> = (0..BODIES).map(|k| [k.checked_sub(1), Some(k)]).collect();
        let jacobian = ContactJacobian::spheres(BODIES, &pairs, &[[0.0, 0.0, 1.0]; BODIES]).unwrap();
        let load: Vec<f64> = (0..3 * BODIES).map(|row| if row % 3 == 2 { 1.0 } else { 0.0 }).collect();
        for exponent in [2.0, 2.5] {
            let problem = CompatibilityProblem::new(&jacobian, &load, &[1.0; BODIES], exponent).unwrap();
            let mut minimizer = Minimizer::<SsorCg<f32>>::default();
            let mut force = [0.0; BODIES];
            let report =
                solve(&mut minimizer, &problem, &Options::new(1e-10, 500), &mut Vec::new(), &mut force).unwrap();
            assert!(report.converged(), "{report:?}");
            for (k, force) in force.iter().enumerate() {
                assert!((force / (BODIES - k) as f64 - 1.0).abs() < 1e-8, "{k}: {force}");
            }
        }
    }
}
