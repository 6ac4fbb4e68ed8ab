//! Newton's method for the equations of one step.

use cd_solve::linear::{BiCgStab, ConjugateGradient, LinearSolver, Preconditioner};
use cd_solve::{Options, SolveError, Status};

use crate::error::DemError;
use crate::error::step::{StepError, StepFailure};
use crate::force::ContactForce;
use crate::implicit::options::{LinearMethod, NewtonOptions};
use crate::implicit::report::ImplicitReport;
use crate::implicit::residual_only::Unassembled;
use crate::implicit::sparse_direct::Direct;
use crate::implicit::step_matrix::StepMatrix;
use crate::implicit::system::{ResidualNorms, StepSystem};
use crate::implicit::trial_list::TrialList;
use crate::implicit::weights::Setting;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::parallel::fork_join::all_blocks;
use crate::stiffness::block_jacobi::InverseDiagonal;
use crate::stiffness::cg_f32::SingleCg;

/// Halvings of a Newton step before it is given up.
const HALVINGS: usize = 12;

/// What the first linear system of a step is solved to, and the least that any is.
const COARSE: f64 = 1e-2;
const FINE: f64 = 1e-12;

/// Residual in terms of the allowed one that may be rounding which its estimate missed, where nothing makes it smaller.
const ROUNDING: f64 = 16.0;

/// What each plain iteration has to leave of the residual at most: of the first one, and of any other.
const CONTRACTION: [f64; 2] = [0.1, 0.5];

/// Plain iterations before Newton's method takes over.
const PLAIN: usize = 16;

/// Newton iterations with the symmetric part of the Jacobian after which the exact one is tried, if they hardly lead on.
const SYMMETRIC: usize = 12;

/// Changes from one Jacobian to the other in one step.
const SWITCHES: usize = 2;

/// Relative residual that single precision may leave, less than which a Newton iteration seldom does.
const LEFT: f64 = 1e-3;

/// Relative residual of a linear system below which its solution is a direction worth trying.
const USEFUL: f64 = 0.5;

/// Buffers of the method, by place; the unknowns of a place are `D` numbers.
#[derive(Debug, Clone)]
pub(crate) struct Newton {
    pub(crate) point: Vec<f64>,
    trial: Vec<f64>,
    step: Vec<f64>,
    residual: Vec<f64>,
    /// Impulses over the whole step at the point that was evaluated last.
    pub(crate) impulse: Vec<f64>,
    inverse: InverseDiagonal,
    single: SingleCg,
    conjugate_gradient: ConjugateGradient,
    bicgstab: BiCgStab,
    direct: Direct,
    unassembled: Unassembled,
    pub(crate) report: ImplicitReport,
}

impl Default for Newton {
    fn default() -> Self {
        let (options, empty) = (Options::new(COARSE, 1), Vec::new);
        Self {
            point: empty(),
            trial: empty(),
            step: empty(),
            residual: empty(),
            impulse: empty(),
            inverse: InverseDiagonal::default(),
            single: SingleCg::default(),
            conjugate_gradient: ConjugateGradient::new(options),
            bicgstab: BiCgStab::new(options),
            direct: Direct::default(),
            unassembled: Unassembled::default(),
            report: ImplicitReport::default(),
        }
    }
}

/// What one step is solved with.
pub(crate) struct Problem<'a, 'b, L, T: TangentialLaw> {
    pub(crate) contacts: &'a mut ContactForce<L, T>,
    pub(crate) stage: &'a mut StepSystem,
    pub(crate) setting: Setting<'b>,
    pub(crate) reach: TrialList<'b>,
    pub(crate) options: NewtonOptions,
}

impl Newton {
    /// Makes list and stage ready, and finds the velocities of the step; [`point`](Self::point) and
    /// [`impulse`](Self::impulse) are then those of the solution, in the order of the list.
    pub(crate) fn step<L: ContactLaw, T: TangentialLaw, M: StepMatrix<D>, const D: usize>(
        &mut self,
        problem: &mut Problem<'_, '_, L, T>,
        matrix: &mut M,
        paper: bool,
    ) -> Result<ResidualNorms, DemError> {
        self.report = ImplicitReport::default();
        problem.reach.begin::<L, T, D>(problem.contacts, problem.stage, &problem.setting)?;
        let len = D * problem.stage.origin.len();
        for buffer in [&mut self.point, &mut self.trial, &mut self.step, &mut self.residual, &mut self.impulse] {
            buffer.resize(len, 0.0);
        }
        if paper && (problem.contacts.laws.dissipate()) {
            // The half of the dissipative impulse that is at the old positions and velocities.
            let weights = problem.setting.weights;
            problem.setting.weights = weights.at_the_start();
            self.free_flight::<D>(problem.stage, false);
            self.evaluate_residual::<L, T, D>(problem)?;
            problem.setting.weights = weights;
            let impulses = self.impulse.as_chunks::<D>().0;
            problem.stage.extra =
                impulses.iter().map(|i| std::array::from_fn(|c| i.get(c).copied().unwrap_or(0.0))).collect();
        }
        self.solve::<L, T, M, D>(problem, matrix)
    }

    /// Newton's method.
    fn solve<L: ContactLaw, T: TangentialLaw, M: StepMatrix<D>, const D: usize>(
        &mut self,
        problem: &mut Problem<'_, '_, L, T>,
        matrix: &mut M,
    ) -> Result<ResidualNorms, DemError> {
        let mut method = problem.options.linear.for_bodies(problem.stage.origin.len());
        let mut free = None;
        // Where energy is to be exact, nothing leaves as little of a residual as Newton's last step.
        if problem.options.linear == LinearMethod::BySize && !problem.setting.weights.exact {
            match self.iterate::<L, T, D>(problem) {
                Ok(sums) => return Ok(sums),
                Err(square) => free = square,
            }
        }
        let mut sums = self.guess::<L, T, M, D>(problem, matrix, free)?;
        self.report.first_residual = sums.residual;
        let (mut former, mut leads_nowhere, mut switches) = (f64::INFINITY, false, 0);
        loop {
            let allowed = sums.allowed(problem.options.tolerance);
            (self.report.residual, self.report.scale) = (sums.residual, sums.scale);
            if sums.is_solved(problem.options.tolerance) {
                return Ok(sums);
            }
            let (time, residual) = (problem.setting.time, sums.residual);
            let failed = |reason, newton: &Self| {
                let iterations = newton.report.newton_iterations;
                Err(DemError::Step(StepError::StepNotSolved { time, iterations, residual, allowed, reason }))
            };
            if !sums.square.is_finite() {
                return failed(StepFailure::NotFinite, self);
            }
            if self.report.newton_iterations >= problem.options.max_iterations {
                return failed(StepFailure::IterationLimit, self);
            }
            let size = sums.square.sqrt();
            let exact = problem.setting.weights.exact_jacobian;
            let can_switch = switches < SWITCHES
                && matrix.full_rows().is_some()
                && (problem.contacts.laws.dissipate() || problem.setting.weights.exact);
            let stalls = !exact && self.report.newton_iterations >= SYMMETRIC && size > 0.5 * former;
            if can_switch && (leads_nowhere || stalls) {
                // Where spheres graze, a tangential force sets in over next to no time, of which only the exact Jacobian
                // knows; where it ends, that one looks to one side only.
                (switches, leads_nowhere) = (switches + 1, false);
                method = method.with_exact_jacobian();
                (problem.setting.weights.exact_jacobian, problem.setting.weights.convex) = (!exact, false);
                self.trial.copy_from_slice(&self.point);
                sums = self.evaluate_trial::<L, T, M, D>(problem, matrix)?;
                former = f64::INFINITY;
                continue;
            }
            // As far as Newton's method can use, and no further than it has to go.
            let wanted = if former.is_finite() { COARSE.min((size / former).powi(2)) } else { COARSE };
            let needed = 0.1 * allowed / sums.residual;
            let forcing = wanted.max(needed).clamp(FINE, 0.5);
            former = size;
            let solved = self.direction::<L, T, M, D>(problem, matrix, method, forcing).unwrap_or(false);
            self.report.newton_iterations += 1;
            let found = if solved {
                self.search(problem, matrix, &sums, needed >= wanted.max(SingleCg::FINEST))?
            } else {
                None
            };
            match found {
                Some(better) => {
                    sums = better;
                    problem.setting.weights.convex = false;
                }
                // Factors of the exact Jacobian are the same with and without `convex`.
                None if !(problem.setting.weights.convex || exact && method.is_direct()) => {
                    // Once more without what makes the matrix indefinite.
                    problem.setting.weights.convex = true;
                    self.trial.copy_from_slice(&self.point);
                    sums = self.evaluate_trial::<L, T, M, D>(problem, matrix)?;
                    former = f64::INFINITY;
                }
                None if sums.residual <= ROUNDING * allowed => {
                    self.trial.copy_from_slice(&self.point);
                    return self.evaluate_trial::<L, T, M, D>(problem, matrix);
                }
                None if can_switch && self.report.newton_iterations < problem.options.max_iterations => {
                    leads_nowhere = true;
                }
                None if !solved => return failed(StepFailure::LinearSolver, self),
                None => return failed(StepFailure::NoDescent, self),
            }
        }
    }

    /// Plain iterations from free flight, V ← V + M⁻¹ R, as long as they lead on fast: where a step is so short that
    /// forces hardly change in it they cost less than one matrix. Otherwise Σ |R|²/m of free flight, if it is known.
    fn iterate<L: ContactLaw, T: TangentialLaw, const D: usize>(
        &mut self,
        problem: &mut Problem<'_, '_, L, T>,
    ) -> Result<ResidualNorms, Option<f64>> {
        self.free_flight::<D>(problem.stage, false);
        let mut free = None;
        let mut former = f64::INFINITY;
        for iteration in 0..PLAIN {
            let sums = self.evaluate_residual::<L, T, D>(problem).map_err(|_| free)?;
            let start = *free.get_or_insert(sums.square);
            if iteration == 0 {
                self.report.first_residual = sums.residual;
            }
            (self.report.residual, self.report.scale) = (sums.residual, sums.scale);
            if sums.is_solved(problem.options.tolerance) {
                std::mem::swap(&mut self.point, &mut self.trial);
                return Ok(sums);
            }
            let size = sums.square.sqrt();
            let most = CONTRACTION[usize::from(iteration > 1)] * former;
            // Before the first one there is an estimate, which falls short rather than too far.
            let hopeless = iteration == 0 && sums.feedback > CONTRACTION[1] * sums.square;
            if size.is_nan() || size > most || hopeless {
                return Err(Some(start));
            }
            former = size;
            self.take_plain_step::<D>(problem.stage);
        }
        Err(free)
    }

    /// Adds M⁻¹ R to the trial.
    fn take_plain_step<const D: usize>(&mut self, stage: &StepSystem) {
        let rows = self.trial.as_chunks_mut::<D>().0.iter_mut().zip(self.residual.as_chunks::<D>().0);
        for (place, (to, residual)) in rows.enumerate() {
            (0..3).for_each(|c| to[c] += stage.velocity[place][3] * residual[c]);
            (3..D).for_each(|c| to[c] += stage.spin[place][3] * residual[c]);
        }
    }

    /// Begins from free flight or from bodies that stay where they are, whichever is nearer to a solution; `free` is Σ |R|²/m
    /// of the former, where that is known.
    fn guess<L: ContactLaw, T: TangentialLaw, M: StepMatrix<D>, const D: usize>(
        &mut self,
        problem: &mut Problem<'_, '_, L, T>,
        matrix: &mut M,
        free: Option<f64>,
    ) -> Result<ResidualNorms, DemError> {
        let flight = match free {
            Some(square) => Ok(square),
            None => {
                self.free_flight::<D>(problem.stage, false);
                self.evaluate_residual::<L, T, D>(problem).map(|sums| sums.square)
            }
        };
        self.free_flight::<D>(problem.stage, true);
        let rest = self.evaluate_trial::<L, T, M, D>(problem, matrix);
        let stays = match (&rest, &flight) {
            (Ok(rest), Ok(flight)) => rest.square < *flight || flight.is_nan(),
            (rest, _) => rest.is_ok(),
        };
        let sums = match rest {
            Ok(sums) if stays => sums,
            _ => {
                self.free_flight::<D>(problem.stage, false);
                self.evaluate_trial::<L, T, M, D>(problem, matrix)?
            }
        };
        std::mem::swap(&mut self.point, &mut self.trial);
        Ok(sums)
    }

    /// The trial of free flight; with `rest` bodies stay where they are, but turn.
    fn free_flight<const D: usize>(&mut self, stage: &StepSystem, rest: bool) {
        for (place, to) in self.trial.as_chunks_mut::<D>().0.iter_mut().enumerate() {
            let [x, y, z, inverse_mass] = stage.velocity[place];
            let extra = stage.extra.get(place).copied().unwrap_or_default();
            let keep = if rest && inverse_mass > 0.0 { 0.0 } else { 1.0 };
            for (c, v) in [x, y, z].into_iter().enumerate() {
                to[c] = keep * (v + inverse_mass * extra[c]);
            }
            if D > 3 {
                let [x, y, z, inverse] = stage.spin[place];
                for (c, w) in [x, y, z].into_iter().enumerate() {
                    to[c + 3] = w + inverse * extra[c + 3];
                }
            }
        }
    }

    /// Evaluates the trial, with a list that holds for it.
    fn evaluate_trial<L: ContactLaw, T: TangentialLaw, M: StepMatrix<D>, const D: usize>(
        &mut self,
        problem: &mut Problem<'_, '_, L, T>,
        matrix: &mut M,
    ) -> Result<ResidualNorms, DemError> {
        let Problem { contacts, stage, setting, reach, .. } = problem;
        let unknowns = [&mut self.trial, &mut self.point, &mut self.step];
        self.report.lists += usize::from(reach.cover::<L, T, D>(contacts, stage, setting, unknowns)?);
        self.report.evaluations += 1;
        let balance = (self.residual.as_chunks_mut().0, self.impulse.as_chunks_mut().0);
        Ok(stage.evaluate(contacts, setting, self.trial.as_chunks().0, balance, matrix))
    }

    /// The same without the matrix.
    fn evaluate_residual<L: ContactLaw, T: TangentialLaw, const D: usize>(
        &mut self,
        problem: &mut Problem<'_, '_, L, T>,
    ) -> Result<ResidualNorms, DemError> {
        let mut unassembled = std::mem::take(&mut self.unassembled);
        let sums = self.evaluate_trial::<L, T, Unassembled, D>(problem, &mut unassembled);
        self.unassembled = unassembled;
        sums
    }

    /// Solves for the Newton step; false if there is none.
    fn direction<L: ContactLaw, T: TangentialLaw, M: StepMatrix<D>, const D: usize>(
        &mut self,
        problem: &Problem<'_, '_, L, T>,
        matrix: &mut M,
        method: LinearMethod,
        forcing: f64,
    ) -> Result<bool, SolveError> {
        if let Some(rows) = matrix.full_rows().filter(|_| method.is_direct()) {
            let (list, ties) = (&problem.contacts.list, problem.setting.ties);
            // Without a factor of Cholesky the matrix is not definite, which LU does not mind.
            let attempts = if method == LinearMethod::Cholesky { &[true, false][..] } else { &[false] };
            return Ok(attempts.iter().any(|&lower| {
                self.report.linear_iterations += 1;
                self.direct.solve((list, ties), rows, lower, (&self.residual, &mut self.step))
            }));
        }
        let limit = problem.options.max_linear_iterations;
        // Whether double precision finishes what single precision has left.
        let mut begun = false;
        if let Some(pairs) = matrix.pair_blocks().filter(|_| method == LinearMethod::ConjugateGradient) {
            let wanted = forcing.max(SingleCg::FINEST);
            let report = self.single.solve(pairs, &self.residual, (wanted, limit), &mut self.step);
            self.report.linear_iterations += report.iterations;
            if report.residual <= LEFT.max(10.0 * wanted) {
                return Ok(true);
            }
            begun = report.residual < USEFUL;
        }
        self.inverse.update(matrix.diagonal());
        let options = Options::new(forcing, limit);
        let preconditioner = Some(&self.inverse as &dyn Preconditioner);
        if method == LinearMethod::ConjugateGradient {
            if !begun {
                self.step.fill(0.0);
            }
            self.conjugate_gradient.set_options(options);
            let report = self.conjugate_gradient.solve(matrix, preconditioner, &self.residual, &mut self.step)?;
            self.report.linear_iterations += report.iterations;
            if report.status != Status::Stalled {
                return Ok(report.residual < USEFUL);
            }
        }
        // Also where conjugate gradients have met a direction of negative curvature.
        self.step.fill(0.0);
        self.bicgstab.set_options(options);
        let report = self.bicgstab.solve(matrix, preconditioner, &self.residual, &mut self.step)?;
        self.report.linear_iterations += report.iterations;
        Ok(report.residual < USEFUL)
    }

    /// The trial at this share of the step.
    fn try_share<const D: usize>(&mut self, share: f64) {
        let (point, step) = (self.point.as_chunks::<D>().0, self.step.as_chunks::<D>().0);
        all_blocks(point.len(), self.trial.as_chunks_mut::<D>().0, &|first, _, trial| {
            for ((trial, point), step) in trial.iter_mut().zip(&point[first..]).zip(&step[first..]) {
                *trial = std::array::from_fn(|c| point[c] + share * step[c]);
            }
            true
        });
    }

    /// Moves the point along the step as far as the residual falls. Where the step may be the `last` one no matrix is made
    /// for its end until it turns out not to be.
    fn search<L: ContactLaw, T: TangentialLaw, M: StepMatrix<D>, const D: usize>(
        &mut self,
        problem: &mut Problem<'_, '_, L, T>,
        matrix: &mut M,
        sums: &ResidualNorms,
        last: bool,
    ) -> Result<Option<ResidualNorms>, DemError> {
        if last {
            self.try_share::<D>(1.0);
            let found = self.evaluate_residual::<L, T, D>(problem);
            if let Some(found) = found.ok().filter(|found| found.is_solved(problem.options.tolerance)) {
                std::mem::swap(&mut self.point, &mut self.trial);
                return Ok(Some(found));
            }
        }
        let (mut share, mut outcome) = (1.0, None);
        for halving in 0..=HALVINGS {
            self.try_share::<D>(share);
            match self.evaluate_trial::<L, T, M, D>(problem, matrix) {
                // |R| has to fall by a part of what its derivative promises.
                Ok(found) if found.square.sqrt() <= (1.0 - 1e-4 * share) * sums.square.sqrt() => {
                    std::mem::swap(&mut self.point, &mut self.trial);
                    self.report.halvings += halving;
                    return Ok(Some(found));
                }
                Ok(_) => outcome = None,
                Err(error) => outcome = Some(error),
            }
            share *= 0.5;
        }
        // A list that cannot be made for the smallest part of the step is the error to show.
        outcome.map_or(Ok(None), Err)
    }
}
