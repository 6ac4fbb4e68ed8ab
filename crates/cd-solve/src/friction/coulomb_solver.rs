use crate::error::SolveError;
use crate::friction::divergence::DivergenceTest;
use crate::friction::problem::{FrictionLaw, FrictionProblem};
use crate::friction::proximal_newton::ProximalCore;
use crate::friction::refinement::{Refined, Refinement};
use crate::friction::solver::{FrictionReport, FrictionSolver, check_start};
use crate::friction::sweeps::{SweepBuffers, SweepLimits};
use crate::report::{Options, Status};

const FIRST_SWEEPS: usize = 200;

/// Number of steps in which friction is increased to its full value after a failure of the full problem.
const FRICTION_STEPS: usize = 10;

/// Limits of the last attempt, plain sweeps from zero forces: number of sweeps, and number of contacts visited by all
/// sweeps together. For a few balls wedged between walls, a sweep takes microseconds and reduces the residual only
/// slightly.
const LAST_SWEEPS: usize = 20_000;
const LAST_SWEPT_CONTACTS: usize = 1_000_000;

/// Largest residual at which forces are refined in extended precision: larger ones are too far from a solution.
const REFINABLE_RESIDUAL: f64 = 1e-2;

/// Fraction of the tolerance: forces whose residual and rounding error are both smaller need no refinement.
const ACCURATE_FRACTION: f64 = 1e-2;

/// Solver of Coulomb's law: [`AcceleratedSweeps`](crate::friction::AcceleratedSweeps), then, after 200 sweeps,
/// [`ProximalNewton`](crate::friction::ProximalNewton).
///
/// If both fail, the contacts are solved without friction, and friction is increased in ten steps, so that Newton's
/// method follows contacts that slide. From another start it could find unbounded forces: two contacts of a body in a
/// wedge narrower than the friction angle can hold each other with any force while they stick. If the steps fail too,
/// up to 20 000 plain sweeps start from zero, followed by Newton's method. They find the forces of grains wedged in a
/// narrow box, which may be hundreds of times their weight.
///
/// Forces of a [`ContactMap`](crate::friction::ContactMap) of at most 96 unknowns (32 sliding contacts) are refined
/// with velocities of 256 bits. Each force then has a small relative error at any ratio of masses. For ratios above
/// 1e8, rounding the forces to 53 bits changes the residual by more than the tolerance: the report has the residual
/// before rounding. Larger problems are not refined: they end in [`Status::Stalled`] if [`FrictionProblem::rounding`]
/// exceeds 16 times the tolerance, or 1.6e-9 for tolerances below 1e-10.
///
/// The solver stops at [`FrictionProblem::residual`]. `max_iterations` counts factorisations, anew after a failure.
/// Statuses: converged; no progress ([`Status::Stalled`]); factorisations used up ([`Status::IterationLimit`]); proof
/// that no velocity opens all contacts ([`Status::Infeasible`], with the growth of the forces in the report).
#[derive(Debug, Clone)]
pub struct CoulombSolver {
    options: Options,
    first_sweeps: usize,
    sweeps: SweepBuffers,
    newton: ProximalCore,
    divergence: DivergenceTest,
    refinement: Refinement,
    /// Contact forces of a second attempt: one with increasing friction, or one by sweeps from zero forces.
    followed: Vec<f64>,
}

impl CoulombSolver {
    /// Makes a solver that stops at the tolerance of `options`, or after `max_iterations` factorisations.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            first_sweeps: FIRST_SWEEPS,
            sweeps: SweepBuffers::default(),
            newton: ProximalCore::default(),
            divergence: DivergenceTest::default(),
            refinement: Refinement::default(),
            followed: Vec::new(),
        }
    }

    /// Sets the number of sweeps before Newton's method is tried.
    #[must_use]
    pub fn with_first_sweeps(self, first_sweeps: usize) -> Self {
        Self { first_sweeps, ..self }
    }
}

impl Default for CoulombSolver {
    fn default() -> Self {
        Self::new(Options::new(1e-8, 3000))
    }
}

impl FrictionSolver for CoulombSolver {
    fn solve(&mut self, problem: &FrictionProblem<'_>, force: &mut [f64]) -> Result<FrictionReport, SolveError> {
        self.options.check()?;
        check_start(problem, FrictionLaw::Coulomb, force)?;
        let report = self.solve_from(problem, force)?;
        let has_friction = problem.coefficients().iter().flatten().any(|&mu| mu > 0.0);
        if !has_friction || matches!(report.status, Status::Converged | Status::Infeasible) {
            return Ok(report);
        }
        let mut followed = std::mem::take(&mut self.followed);
        let again = self.follow_friction(problem, &mut followed);
        self.followed = followed;
        let mut best = self.better(report, again?, force);
        if !matches!(best.status, Status::Converged | Status::Infeasible) {
            // For large problems the limit leaves too few sweeps.
            let contacts = problem.len() / problem.block();
            if contacts * FIRST_SWEEPS > LAST_SWEPT_CONTACTS {
                return Ok(best);
            }
            let mut followed = std::mem::take(&mut self.followed);
            let again = self.sweep_from_zero(problem, &mut followed);
            self.followed = followed;
            best = self.better(best, again?, force);
        }
        Ok(best)
    }
}

impl CoulombSolver {
    /// Returns the report of the better of two attempts, with the work of both; `force` gets the better forces.
    fn better(&self, report: FrictionReport, again: FrictionReport, force: &mut [f64]) -> FrictionReport {
        let sweeps = report.sweeps + again.sweeps;
        let factorizations = report.factorizations + again.factorizations;
        let is_better = again.is_better_than(&report);
        if is_better {
            force.copy_from_slice(&self.followed);
        }
        FrictionReport { sweeps, factorizations, ..if is_better { again } else { report } }
    }

    /// Runs sweeps without acceleration from zero forces, and Newton's method from where they end.
    fn sweep_from_zero(
        &mut self,
        problem: &FrictionProblem<'_>,
        force: &mut Vec<f64>,
    ) -> Result<FrictionReport, SolveError> {
        force.clear();
        force.resize(problem.len(), 0.0);
        let contacts = problem.len() / problem.block();
        let max_iterations = LAST_SWEEPS.min(LAST_SWEPT_CONTACTS / contacts.max(1));
        let options = Options { max_iterations, ..self.options };
        let swept = self.sweeps.run(problem, SweepLimits { options, accelerate: false }, force);
        let report = if swept.converged() {
            swept
        } else {
            self.newton.refine(problem, self.options, &mut self.sweeps, swept, force)?
        };
        self.refined(problem, report, force)
    }

    /// Runs sweeps over the contacts from `force`, and Newton's method from where they end.
    fn solve_from(&mut self, problem: &FrictionProblem<'_>, force: &mut [f64]) -> Result<FrictionReport, SolveError> {
        let options = Options { max_iterations: self.first_sweeps, ..self.options };
        let swept = self.sweeps.run(problem, SweepLimits { options, accelerate: true }, force);
        if swept.status == Status::Converged {
            return self.refined(problem, swept, force);
        }
        // Without a proof Newton's method continues: forces may have to grow by a ratio of masses.
        if self.divergence.proves_after_sweeps(problem, self.sweeps.last().0, swept.growth) {
            return Ok(FrictionReport { status: Status::Infeasible, ..swept });
        }
        let refined = self.refined(problem, swept, force)?;
        if refined.status == Status::Converged {
            return Ok(refined);
        }
        let report = self.newton.refine(problem, self.options, &mut self.sweeps, swept, force)?;
        self.refined(problem, report, force)
    }

    /// Refines `force` in extended precision if its residual or rounding error requires it; returns the report of the
    /// refined forces, or `report` without refinement.
    fn refined(
        &mut self,
        problem: &FrictionProblem<'_>,
        report: FrictionReport,
        force: &mut [f64],
    ) -> Result<FrictionReport, SolveError> {
        let tolerance = self.options.tolerance;
        if report.status == Status::Infeasible {
            return Ok(report);
        }
        // The residual of rounded forces is at least about `rounding`.
        let rounding = if report.converged() { problem.rounding(force)? } else { 0.0 };
        let is_due =
            ACCURATE_FRACTION * tolerance < report.residual.max(rounding) && report.residual <= REFINABLE_RESIDUAL;
        let found = if is_due { self.refinement.refine(problem, tolerance, force)? } else { None };
        let Some(Refined { residual, corrections }) = found else {
            return Ok(report.unless_by_rounding(rounding, tolerance));
        };
        let factorizations = report.factorizations + corrections;
        Ok(FrictionReport { status: Status::Converged, residual, factorizations, ..report })
    }

    /// Solves without friction, then increases friction in steps; not converged if one step fails.
    fn follow_friction(
        &mut self,
        problem: &FrictionProblem<'_>,
        force: &mut Vec<f64>,
    ) -> Result<FrictionReport, SolveError> {
        force.clear();
        force.resize(problem.len(), 0.0);
        let mut report = self.solve_from(&problem.with_part_of_friction(0.0), force)?;
        for step in 1..=FRICTION_STEPS {
            if report.status != Status::Converged {
                break;
            }
            // Contacts that slide keep sliding: their forces stay at the limit.
            if step > 1 {
                let tangential = force.iter_mut().enumerate().filter(|(k, _)| !k.is_multiple_of(problem.block()));
                tangential.for_each(|(_, r)| *r *= step as f64 / (step - 1) as f64);
            }
            let partial = problem.with_part_of_friction(step as f64 / FRICTION_STEPS as f64);
            let start = FrictionReport { residual: self.sweeps.residual(&partial, force), ..report };
            report = self.newton.refine(&partial, self.options, &mut self.sweeps, start, force)?;
        }
        report.residual = self.sweeps.residual(problem, force);
        self.refined(problem, report, force)
    }
}
