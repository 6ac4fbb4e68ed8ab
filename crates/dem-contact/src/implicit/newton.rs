//! Newton's method for the equations of one step, `[DK21] (13)-(16)` and the other discrete forms.
//!
//! An iteration solves J s = R for the Newton step s and moves the velocities along s as far as the residual R falls.
//! The first linear system is solved to two digits, later ones to the square of the last reduction of the residual.

pub(crate) mod line_search;
pub(crate) mod linear_solvers;
pub(crate) mod start;

use crate::error::DemError;
use crate::error::step::{StepError, StepFailure};
use crate::force::ContactForce;
use crate::implicit::evaluate::MomentumBalance;
use crate::implicit::newton::linear_solvers::{LinearSolvers, LinearSystem};
use crate::implicit::options::{LinearMethod, NewtonOptions};
use crate::implicit::report::ImplicitReport;
use crate::implicit::residual_norms::ResidualNorms;
use crate::implicit::residual_only::ResidualOnly;
use crate::implicit::step_matrix::StepMatrix;
use crate::implicit::system::StepSystem;
use crate::implicit::trial_list::{TrialList, Unknowns};
use crate::implicit::weights::StepContext;
use crate::stiffness::cg_f32::SingleCg;

/// Relative residual to which the first linear system of a step is solved.
const COARSE: f64 = 1e-2;

/// Smallest relative residual to which a linear system is solved.
const FINE: f64 = 1e-12;

/// Factor on the allowed residual up to which a residual that no Newton step reduces is accepted, because it may be
/// rounding that the bound on rounding errors missed.
const ROUNDING: f64 = 16.0;

/// Number of Newton iterations after which a stalled solve changes from the symmetric part to the exact Jacobian.
const SYMMETRIC: usize = 12;

/// Largest number of changes between the exact and the symmetric Jacobian in one step.
const SWITCHES: usize = 2;

/// Buffers of Newton's method, bodies in the order of the neighbour list, with `D` unknowns for each body.
#[derive(Debug, Clone, Default)]
pub(super) struct Newton {
    /// Velocities and spins with the smallest residual so far.
    pub(super) point: Vec<f64>,
    /// Trial velocities and spins, at which the equations are evaluated next.
    trial: Vec<f64>,
    step: Vec<f64>,
    residual: Vec<f64>,
    /// Impulses on the bodies over the whole step at the last evaluated trial, in kg m/s and kg m²/s.
    pub(super) impulse: Vec<f64>,
    linear_solvers: LinearSolvers,
    residual_only: ResidualOnly,
    pub(super) report: ImplicitReport,
}

pub(super) struct StepProblem<'a, 'b> {
    pub(super) contacts: &'a mut ContactForce,
    pub(super) system: &'a mut StepSystem,
    pub(super) context: StepContext<'b>,
    pub(super) trial_list: TrialList<'b>,
    pub(super) options: NewtonOptions,
}

struct Progress {
    method: LinearMethod,
    /// Norm √Σ |R|²/m of residuals R and masses m before the last iteration; infinite at first and with a new Jacobian.
    previous_size: f64,
    /// Whether the present Jacobian failed to give a Newton step that reduces the residual.
    has_no_descent: bool,
    switches: usize,
}

impl Newton {
    /// Prepares the neighbour list and the data of bodies, and finds the velocities of the step. Afterwards
    /// [`point`](Self::point) and [`impulse`](Self::impulse) hold the solution in the order of the list. `paper` adds
    /// the dissipative half impulse at the start of the step of `[DK21] (13)-(16)`.
    ///
    /// # Errors
    /// [`StepError::StepNotSolved`], and the errors of [`TrialList`].
    pub(super) fn solve_step<M: StepMatrix<D>, const D: usize>(
        &mut self,
        problem: &mut StepProblem<'_, '_>,
        matrix: &mut M,
        paper: bool,
    ) -> Result<ResidualNorms, DemError> {
        self.report = ImplicitReport::default();
        problem.trial_list.prepare::<D>(problem.contacts, problem.system, &problem.context)?;
        let len = D * problem.system.origin.len();
        for buffer in [&mut self.point, &mut self.trial, &mut self.step, &mut self.residual, &mut self.impulse] {
            buffer.resize(len, 0.0);
        }
        if paper && problem.contacts.law_assignment().dissipate() {
            let weights = problem.context.weights;
            problem.context.weights = weights.at_the_start();
            self.try_free_flight::<D>(problem.system);
            self.evaluate_residual::<D>(problem)?;
            problem.context.weights = weights;
            let impulses = self.impulse.as_chunks::<D>().0;
            problem.system.known_impulse =
                impulses.iter().map(|i| std::array::from_fn(|c| i.get(c).copied().unwrap_or(0.0))).collect();
        }
        self.solve::<M, D>(problem, matrix)
    }

    /// Solves the equations of a step by fixed-point iterations if these converge fast, else by Newton's method.
    fn solve<M: StepMatrix<D>, const D: usize>(
        &mut self,
        problem: &mut StepProblem<'_, '_>,
        matrix: &mut M,
    ) -> Result<ResidualNorms, DemError> {
        let mut free_flight = None;
        // Only the last Newton step reduces the residual enough for exact energy.
        if problem.options.linear == LinearMethod::BySize && !problem.context.weights.exact {
            match self.plain_iterations::<D>(problem) {
                Ok(norms) => return Ok(norms),
                Err(square) => free_flight = square,
            }
        }
        let mut norms = self.starting_point::<M, D>(problem, matrix, free_flight)?;
        self.report.first_residual = norms.residual;
        let mut progress = Progress {
            method: problem.options.linear.for_bodies(problem.system.origin.len()),
            previous_size: f64::INFINITY,
            has_no_descent: false,
            switches: 0,
        };
        loop {
            (self.report.residual, self.report.scale) = (norms.residual, norms.scale);
            if norms.is_solved(problem.options.tolerance) {
                return Ok(norms);
            }
            if !norms.square.is_finite() {
                return Err(self.failure(problem, &norms, StepFailure::NotFinite));
            }
            if self.report.newton_iterations >= problem.options.max_iterations {
                return Err(self.failure(problem, &norms, StepFailure::IterationLimit));
            }
            let size = norms.square.sqrt();
            let exact = problem.context.weights.exact_jacobian;
            let can_switch = progress.switches < SWITCHES
                && matrix.full_rows().is_some()
                && (problem.contacts.law_assignment().dissipate() || problem.context.weights.exact);
            let stalls = !exact && self.report.newton_iterations >= SYMMETRIC && size > 0.5 * progress.previous_size;
            if can_switch && (progress.has_no_descent || stalls) {
                // At grazing contacts the tangential force sets in over a very short time, which only the exact
                // Jacobian resolves, and ends at a kink, of which the exact Jacobian describes one side.
                progress.switches += 1;
                progress.has_no_descent = false;
                progress.method = progress.method.with_exact_jacobian();
                (problem.context.weights.exact_jacobian, problem.context.weights.convex) = (!exact, false);
                norms = self.evaluate_point::<M, D>(problem, matrix)?;
                progress.previous_size = f64::INFINITY;
                continue;
            }
            let needed = 0.1 * norms.allowed(problem.options.tolerance) / norms.residual;
            let wanted = progress.forcing(size);
            progress.previous_size = size;
            let direction =
                self.solve_linear::<M, D>(problem, matrix, progress.method, wanted.max(needed).clamp(FINE, 0.5));
            self.report.newton_iterations += 1;
            let found = match direction {
                Ok(()) => self.line_search(problem, matrix, &norms, needed >= wanted.max(SingleCg::FINEST))?,
                Err(_) => None,
            };
            match found {
                Some(better) => {
                    norms = better;
                    problem.context.weights.convex = false;
                }
                // The factors of the exact Jacobian do not depend on `convex`.
                None if !(problem.context.weights.convex || exact && progress.method.is_direct()) => {
                    // Retries without the parts that make the matrix indefinite.
                    problem.context.weights.convex = true;
                    norms = self.evaluate_point::<M, D>(problem, matrix)?;
                    progress.previous_size = f64::INFINITY;
                }
                None if norms.residual <= ROUNDING * norms.allowed(problem.options.tolerance) => {
                    return self.evaluate_point::<M, D>(problem, matrix);
                }
                None if can_switch && self.report.newton_iterations < problem.options.max_iterations => {
                    progress.has_no_descent = true;
                }
                None if direction.is_err() => {
                    return Err(self.failure(problem, &norms, StepFailure::LinearSolver));
                }
                None => return Err(self.failure(problem, &norms, StepFailure::NoDescent)),
            }
        }
    }

    fn failure(&self, problem: &StepProblem<'_, '_>, norms: &ResidualNorms, reason: StepFailure) -> DemError {
        DemError::Step(StepError::StepNotSolved {
            time: problem.context.time,
            iterations: self.report.newton_iterations,
            residual: norms.residual,
            allowed: norms.allowed(problem.options.tolerance),
            reason,
        })
    }

    /// Evaluates the equations and their Jacobian at the trial velocities, on a neighbour list that is valid for them.
    fn evaluate_trial<M: StepMatrix<D>, const D: usize>(
        &mut self,
        problem: &mut StepProblem<'_, '_>,
        matrix: &mut M,
    ) -> Result<ResidualNorms, DemError> {
        let StepProblem { contacts, system, context, trial_list, .. } = problem;
        let unknowns = Unknowns { trial: &mut self.trial, others: [&mut self.point, &mut self.step] };
        self.report.lists += trial_list.ensure_valid::<D>(contacts, system, context, unknowns)?;
        self.report.evaluations += 1;
        let balance =
            MomentumBalance { residual: self.residual.as_chunks_mut().0, impulse: self.impulse.as_chunks_mut().0 };
        Ok(system.evaluate(contacts, context, self.trial.as_chunks().0, balance, matrix))
    }

    /// Evaluates the equations and their Jacobian once more at the best velocities so far.
    fn evaluate_point<M: StepMatrix<D>, const D: usize>(
        &mut self,
        problem: &mut StepProblem<'_, '_>,
        matrix: &mut M,
    ) -> Result<ResidualNorms, DemError> {
        self.trial.copy_from_slice(&self.point);
        self.evaluate_trial::<M, D>(problem, matrix)
    }

    /// Evaluates the residual at the trial velocities, without the Jacobian.
    fn evaluate_residual<const D: usize>(
        &mut self,
        problem: &mut StepProblem<'_, '_>,
    ) -> Result<ResidualNorms, DemError> {
        let mut residual_only = std::mem::take(&mut self.residual_only);
        let norms = self.evaluate_trial::<ResidualOnly, D>(problem, &mut residual_only);
        self.residual_only = residual_only;
        norms
    }

    /// Solves the linear system for the Newton step to the relative residual `tolerance`.
    fn solve_linear<M: StepMatrix<D>, const D: usize>(
        &mut self,
        problem: &StepProblem<'_, '_>,
        matrix: &M,
        method: LinearMethod,
        tolerance: f64,
    ) -> Result<(), linear_solvers::NoDirection> {
        let list = problem.contacts.list();
        let ties = problem.context.ties;
        let max_iterations = problem.options.max_linear_iterations;
        let system = LinearSystem { matrix, list, ties, residual: &self.residual, tolerance, max_iterations };
        let report = &mut self.report;
        self.linear_solvers.solve(&system, method, &mut self.step, &mut report.linear_iterations)
    }
}

impl Progress {
    /// Relative residual (forcing term) of the next linear system, below which the Newton step hardly improves.
    fn forcing(&self, size: f64) -> f64 {
        if self.previous_size.is_finite() { COARSE.min((size / self.previous_size).powi(2)) } else { COARSE }
    }
}
