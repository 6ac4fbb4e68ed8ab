//! The solver to use: sweeps first, Newton's method where they do not end.

use crate::error::SolveError;
use crate::friction::divergence::DivergenceTest;
use crate::friction::problem::{FrictionLaw, FrictionProblem};
use crate::friction::proximal_newton::ProximalCore;
use crate::friction::refinement::{Refined, Refinement};
use crate::friction::solver::{FrictionReport, FrictionSolver, check_start};
use crate::friction::sweeps::{SweepBuffers, SweepLimits};
use crate::report::{Options, Status};

/// Number of sweeps over the contacts (nonlinear Gauss-Seidel) before Newton's method is tried.
const FIRST_SWEEPS: usize = 200;

/// Number of steps in which friction is increased to its full value, if the full problem could not be solved at once.
const FRICTION_STEPS: usize = 10;

/// Limits of the last attempt, plain sweeps from zero forces: the number of sweeps, and the number of contacts that all
/// sweeps together visit. A sweep over a few balls that are wedged between walls takes microseconds, and reduces the
/// residual by a small factor.
const LAST_SWEEPS: usize = 20_000;
const LAST_SWEPT_CONTACTS: usize = 1_000_000;

/// Largest residual at which forces are refined in extended precision: larger ones are too far from a solution.
const NEAR: f64 = 1e-2;

/// Part of the tolerance: forces whose residual and rounding error are below it are not refined.
const FINE: f64 = 1e-2;

/// Solver of Coulomb's law by [`AcceleratedSweeps`](crate::friction::AcceleratedSweeps), and by
/// [`ProximalNewton`](crate::friction::ProximalNewton) from where 200 sweeps end.
///
/// If both fail, the contacts are solved without friction, and friction comes in by ten parts. Newton's method then
/// follows contacts that slide. From elsewhere it would find forces without bound: two contacts of a body in a wedge
/// narrower than the friction angle can hold each other with any force, as long as they stick. If that fails too, up to
/// 20 000 plain sweeps begin again from zero, and Newton's method goes on from them: they find the forces of grains
/// that are wedged in a narrow box, which may be hundreds of times their weight.
///
/// Forces of a [`ContactMap`](crate::friction::ContactMap) of at most 96 unknowns, which are 32 sliding contacts, are
/// refined with velocities of 256 bits. Each force then has a small error relative to itself, at any ratio of masses.
/// From ratios of 1e8 on, rounding the forces to 53 bits alone changes the residual by more than the tolerance. The
/// report then has the residual of the forces before they are rounded. More unknowns are not refined: they end in
/// [`Status::Stalled`] where [`FrictionProblem::rounding`] is above 16 times the tolerance, or above 1.6e-9 for
/// tolerances below 1e-10.
///
/// The solver stops at [`FrictionProblem::residual`]. `max_iterations` counts factorisations, anew after a failure.
/// Statuses: converged; no progress ([`Status::Stalled`]); factorisations used up ([`Status::IterationLimit`]); a proof
/// that no velocity opens all contacts ([`Status::Infeasible`], with the growth of the forces in the report).
#[derive(Debug, Clone)]
pub struct CoulombSolver {
    options: Options,
    first_sweeps: usize,
    sweeps: SweepBuffers,
    newton: ProximalCore,
    divergence: DivergenceTest,
    refinement: Refinement,
    /// Contact forces of a second attempt: while friction is increased, or of sweeps that begin at zero.
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

    /// Sets the number of sweeps over the contacts before Newton's method is tried.
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
            // Large problems would get too few sweeps to be worth another attempt.
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
    /// Returns the report of the better of two attempts, with the work of both; `force` gets its forces.
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
        // Without a proof Newton's method goes on: forces may have to grow by a ratio of masses.
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

    /// Refines `force` in extended precision if its residual or rounding error asks for that; returns the report of the
    /// refined forces, or `report` if nothing was refined.
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
        // Rounded forces cannot have a residual below `rounding`, however near they are to the solution.
        let rounding = if report.converged() { problem.rounding(force)? } else { 0.0 };
        let is_due = FINE * tolerance < report.residual.max(rounding) && report.residual <= NEAR;
        let found = if is_due { self.refinement.refine(problem, tolerance, force)? } else { None };
        let Some(Refined { residual, corrections }) = found else {
            return Ok(report.unless_by_rounding(rounding, tolerance));
        };
        let factorizations = report.factorizations + corrections;
        Ok(FrictionReport { status: Status::Converged, residual, factorizations, ..report })
    }

    /// Solves without friction and follows the solution while friction is increased; not converged if one step fails.
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
            // Contacts that slide go on to slide: their forces stay at the limit.
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
