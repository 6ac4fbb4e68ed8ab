use crate::error::{MatrixError, SolveError};
use crate::friction::compliant_contacts::CompliantContacts;
use crate::friction::divergence::DivergenceTest;
use crate::friction::problem::{FrictionLaw, FrictionProblem};
use crate::friction::solver::{FrictionReport, FrictionSolver, check_start};
use crate::friction::sweeps::{SweepBuffers, SweepLimits};
use crate::report::{Options, Status};

/// Compliance of the first proximal step, times ρ (a ratio of force to velocity, so that the product has no unit).
const FIRST_COMPLIANCE: f64 = 1e-2;

/// Least compliance c of a proximal step, times ρ (force over velocity); smaller ones lose digits of r in r − u/c.
const LEAST_COMPLIANCE: f64 = 1e-6;

/// Factor by which the compliance of contact springs falls after a proximal step.
const FALL: f64 = 5.0;

/// Factor by which the compliance of contact springs rises after a failed proximal step.
const RISE: f64 = 30.0;

/// Largest number of Newton steps within a proximal step.
const INNER_LIMIT: usize = 25;

/// Largest number of halvings of a Newton step that does not reduce the residual.
const HALVINGS: usize = 10;

/// Number of Gauss-Seidel sweeps over all contacts after a failed proximal step.
const RESCUE_SWEEPS: usize = 100;

/// Ratio of the residual of the last proximal step to the smallest residual so far, above which the sweeps after a
/// failed step start from the best forces.
const DIVERGED_RATIO: f64 = 1e4;

/// Number of proximal steps in a row without a better residual after which the solver stalls.
const STALL_STEPS: usize = 100;

/// Number of proximal steps in a row without a better residual after which a proof of infeasibility is looked for.
const STEPS_BEFORE_PROOF: usize = 10;

/// Proximal point method for Coulomb's law: each step has springs of compliance c with the forces of the last step, and
/// is solved by Newton's method on the function of Alart and Curnier (1991).
///
/// The method converges where sweeps do not, but needs factorisations. No merit function is known that would make
/// Newton's method global for the exact law: after a failed step the compliance rises, and accelerated sweeps continue
/// from the forces of the step. `max_iterations` counts factorisations. From a zero guess the first step starts at
/// bonded contacts, which neither open nor slide.
#[derive(Debug, Clone)]
pub struct ProximalNewton {
    options: Options,
    core: ProximalCore,
    sweeps: SweepBuffers,
}

impl ProximalNewton {
    /// Makes a solver that stops at the tolerance of `options`, or after `max_iterations` factorisations.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, core: ProximalCore::default(), sweeps: SweepBuffers::default() }
    }
}

impl Default for ProximalNewton {
    fn default() -> Self {
        Self::new(Options::new(1e-8, 3000))
    }
}

impl FrictionSolver for ProximalNewton {
    fn solve(&mut self, problem: &FrictionProblem<'_>, force: &mut [f64]) -> Result<FrictionReport, SolveError> {
        self.options.check()?;
        check_start(problem, FrictionLaw::Coulomb, force)?;
        let residual = self.sweeps.residual(problem, force);
        let start = FrictionReport::start(residual);
        let report = self.core.refine(problem, self.options, &mut self.sweeps, start, force)?;
        Ok(report.unless_by_rounding(problem.rounding(force)?, self.options.tolerance))
    }
}

/// Buffers of the proximal point method, without options and sweeps; `CoulombSolver` uses the method, too.
#[derive(Debug, Clone, Default)]
pub(super) struct ProximalCore {
    contacts: CompliantContacts,
    accepted_trial: Vec<f64>,
    divergence: DivergenceTest,
}

/// State of a solve that the sweeps after a failed proximal step read and change.
struct Rescue<'a> {
    options: Options,
    report: &'a mut FrictionReport,
    force: &'a mut [f64],
    memory_residual: f64,
}

impl ProximalCore {
    /// Takes proximal steps from `force`, the best contact forces so far, whose residual is in `report`.
    pub(super) fn refine(
        &mut self,
        problem: &FrictionProblem<'_>,
        options: Options,
        sweeps: &mut SweepBuffers,
        mut report: FrictionReport,
        force: &mut [f64],
    ) -> Result<FrictionReport, SolveError> {
        if options.is_met_by(report.residual) {
            return Ok(FrictionReport { status: Status::Converged, ..report });
        }
        self.contacts.prepare(problem)?;
        self.contacts.memory.copy_from_slice(force);
        self.divergence.reset();
        let mut bonded = force.iter().all(|&r| r == 0.0);
        let mut factor = FIRST_COMPLIANCE;
        let mut without_gain = 0;
        let mut memory_residual = report.residual;
        while report.factorizations < options.max_iterations {
            self.contacts.set_compliance(problem, factor);
            let inner = (options.tolerance / 5.0).max((memory_residual / 10.0).min(1e-2));
            let left = options.max_iterations - report.factorizations;
            let step = self.inner(problem, inner, INNER_LIMIT.min(left), bonded, &mut report.factorizations);
            bonded = false;
            let residual = sweeps.residual(problem, &self.contacts.force);
            let gained = residual < report.residual || report.residual.is_nan();
            if gained {
                report.residual = residual;
                force.copy_from_slice(&self.contacts.force);
            }
            if options.is_met_by(report.residual) {
                report.status = Status::Converged;
                return Ok(report);
            }
            if step.is_ok() {
                memory_residual = residual;
                self.contacts.memory.copy_from_slice(&self.contacts.force);
                factor = (factor / FALL).max(LEAST_COMPLIANCE);
                let is_refuted = self.divergence.proves(problem, &self.contacts.memory, residual);
                report.growth = self.divergence.growth();
                if is_refuted {
                    report.status = Status::Infeasible;
                    return Ok(report);
                }
            } else {
                factor = (RISE * factor).min(1.0);
                let mut state = Rescue { options, report: &mut report, force: &mut *force, memory_residual };
                memory_residual = self.rescue(problem, sweeps, &mut state);
                if options.is_met_by(report.residual) {
                    report.status = Status::Converged;
                    return Ok(report);
                }
            }
            without_gain = if gained { 0 } else { without_gain + 1 };
            if without_gain == STEPS_BEFORE_PROOF && self.divergence.proves_from(problem, &self.contacts.memory) {
                report.status = Status::Infeasible;
                return Ok(report);
            }
            if without_gain > STALL_STEPS {
                report.status = Status::Stalled;
                return Ok(report);
            }
        }
        let refuted = self.divergence.proves_from(problem, &self.contacts.memory);
        report.status = if refuted { Status::Infeasible } else { Status::IterationLimit };
        Ok(report)
    }

    /// Sweeps from the forces of the last proximal step, or from the best forces if the residual of the last step is
    /// far larger. The next step starts from the forces rₖ after the last sweep, unless the sweeps doubled the
    /// residual. Returns the residual of rₖ. The last step is nearer to the solution than its residual suggests: going
    /// back to the best forces would repeat steps.
    fn rescue(&mut self, problem: &FrictionProblem<'_>, sweeps: &mut SweepBuffers, state: &mut Rescue<'_>) -> f64 {
        let Rescue { options, report, force, memory_residual } = state;
        let options = Options { max_iterations: RESCUE_SWEEPS, ..*options };
        if *memory_residual > DIVERGED_RATIO * report.residual {
            self.contacts.memory.copy_from_slice(force);
            *memory_residual = report.residual;
        }
        // The sweeps write their best forces to a copy, since they start from the memory.
        self.contacts.force.copy_from_slice(&self.contacts.memory);
        let limits = SweepLimits { options, accelerate: true };
        let swept = sweeps.run(problem, limits, &mut self.contacts.force);
        report.sweeps += swept.sweeps;
        if swept.residual < report.residual {
            report.residual = swept.residual;
            force.copy_from_slice(&self.contacts.force);
        }
        let (last, residual) = sweeps.last();
        if residual < 2.0 * *memory_residual {
            self.contacts.memory.copy_from_slice(last);
            return residual;
        }
        *memory_residual
    }

    /// Solves one proximal step by Newton's method to the residual `tolerance`, with at most `limit` factorisations.
    fn inner(
        &mut self,
        problem: &FrictionProblem<'_>,
        tolerance: f64,
        limit: usize,
        bonded: bool,
        factorizations: &mut usize,
    ) -> Result<(), MatrixError> {
        const SLOW: MatrixError = MatrixError::Factorization { reason: "Newton's method makes no progress" };
        let contacts = &mut self.contacts;
        let mut left = limit;
        if bonded {
            contacts.start_bonded(problem)?;
            *factorizations += 1;
            left -= 1;
        } else {
            contacts.start_at_memory(problem);
        }
        let mut size = contacts.evaluate(problem);
        while size > tolerance || size.is_nan() {
            if left == 0 {
                return Err(SLOW);
            }
            left -= 1;
            *factorizations += 1;
            contacts.newton_step(problem)?;
            self.accepted_trial.clear();
            self.accepted_trial.extend_from_slice(&contacts.trial);
            let mut length = 1.0;
            let mut best = f64::INFINITY;
            for halving in 0..=HALVINGS {
                for (y, (start, step)) in contacts.trial.iter_mut().zip(self.accepted_trial.iter().zip(&contacts.step))
                {
                    *y = start + length * step;
                }
                best = contacts.evaluate(problem);
                if best < size || halving == HALVINGS {
                    break;
                }
                length *= 0.5;
            }
            if best.is_nan() {
                return Err(SLOW);
            }
            size = best;
        }
        Ok(())
    }
}
