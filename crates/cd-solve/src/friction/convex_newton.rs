use crate::error::{FrictionError, SolveError};
use crate::friction::compliant_contacts::CompliantContacts;
use crate::friction::convex_step::ConvexStep;
use crate::friction::divergence::DivergenceTest;
use crate::friction::problem::{FrictionLaw, FrictionMatrix, FrictionProblem};
use crate::friction::solver::{FrictionReport, FrictionSolver, check_start};
use crate::friction::sweeps::SweepBuffers;
use crate::report::{Options, Status};

/// Compliances c of the proximal steps, times ρ (force over velocity): first compliance, divisor per step, least one.
const COMPLIANCES: [f64; 3] = [1e-2, 5.0, 1e-6];

/// Number of proximal steps in a row without a better residual after which the solver stalls.
const STALL_STEPS: usize = 10;

/// Largest relative difference of W from its mirror image at which W counts as symmetric.
const SYMMETRIC: f64 = 1e-8;

/// Solver of friction problems with the [convex law](FrictionLaw::Convex): proximal steps, which are implicit steps of
/// springs at the contacts, each by Newton's method with exact line search. It converges from every start, Rockafellar
/// (1976).
///
/// Velocities are unique, forces need not be. `max_iterations` counts factorisations.
#[derive(Debug, Clone)]
pub struct ConvexNewton {
    options: Options,
    contacts: CompliantContacts,
    step: ConvexStep,
    divergence: DivergenceTest,
    buffers: SweepBuffers,
}

impl ConvexNewton {
    /// Makes a solver that stops at the tolerance of `options`, or after `max_iterations` factorisations.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            contacts: CompliantContacts::default(),
            step: ConvexStep::default(),
            divergence: DivergenceTest::default(),
            buffers: SweepBuffers::default(),
        }
    }
}

impl Default for ConvexNewton {
    fn default() -> Self {
        Self::new(Options::new(1e-8, 1000))
    }
}

impl FrictionSolver for ConvexNewton {
    fn solve(&mut self, problem: &FrictionProblem<'_>, force: &mut [f64]) -> Result<FrictionReport, SolveError> {
        self.options.check()?;
        check_start(problem, FrictionLaw::Convex, force)?;
        check_symmetric(problem, SYMMETRIC)?;
        let residual = self.buffers.residual(problem, force);
        let mut report = FrictionReport::start(residual);
        if self.options.is_met_by(residual) {
            return Ok(report.unless_by_rounding(problem.rounding(force)?, self.options.tolerance));
        }
        let contacts = &mut self.contacts;
        contacts.prepare(problem)?;
        contacts.memory.copy_from_slice(force);
        self.step.start(force);
        self.divergence.reset();
        let [mut factor, fall, least] = COMPLIANCES;
        let mut last = residual;
        let mut without_gain = 0;
        report.status = Status::IterationLimit;
        while report.factorizations < self.options.max_iterations {
            contacts.set_compliance(problem, factor);
            let inner = (self.options.tolerance / 5.0).max((last / 10.0).min(1e-2));
            let step = self.step.minimize(problem, contacts, inner, &mut report.factorizations);
            last = self.buffers.residual(problem, &contacts.force);
            let gained = last < report.residual || report.residual.is_nan();
            if gained {
                report.residual = last;
                force.copy_from_slice(&contacts.force);
            }
            without_gain = if gained { 0 } else { without_gain + 1 };
            contacts.memory.copy_from_slice(&contacts.force);
            if self.options.is_met_by(report.residual) {
                report.status = Status::Converged;
                break;
            }
            if self.divergence.proves(problem, &contacts.memory, last) {
                report.status = Status::Infeasible;
                break;
            }
            if without_gain > STALL_STEPS {
                report.status = Status::Stalled;
                break;
            }
            // A step that did not converge failed by rounding, which is smaller for stiffer contacts.
            factor = if step.is_ok() { (factor / fall).max(least) } else { (factor * fall * fall).min(1.0) };
        }
        if !matches!(report.status, Status::Converged | Status::Infeasible)
            && self.divergence.proves_from(problem, &self.contacts.memory)
        {
            report.status = Status::Infeasible;
        }
        report.growth = self.divergence.growth();
        Ok(report.unless_by_rounding(problem.rounding(force)?, self.options.tolerance))
    }
}

/// Checks that the matrix W of `problem` is symmetric to `tolerance` times its largest entry.
fn check_symmetric(problem: &FrictionProblem<'_>, tolerance: f64) -> Result<(), FrictionError> {
    if let FrictionMatrix::Blocks(blocks) = problem.matrix() {
        let relative = blocks.asymmetry();
        if relative > tolerance {
            return Err(FrictionError::Asymmetric { relative });
        }
    }
    Ok(())
}
