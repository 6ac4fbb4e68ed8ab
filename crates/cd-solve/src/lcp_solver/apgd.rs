//! Accelerated projected gradient descent: [`Apgd`] and its options.

use pulp::Arch;
use rrp_parallel::{Part, fold_parts, for_each_part, sum_parts};

use crate::error::SolveError;
use crate::error::{check_finite, check_length};
use crate::lcp_solver::farkas::{DiagonalScale, FarkasTest};
use crate::lcp_solver::gradient_step::{ProjectedStep, StepSums, SumStep};
use crate::lcp_solver::pivoting;
use crate::lcp_solver::units::Units;
use crate::leaves::leaves;
use crate::problem::lcp::{Lcp, LcpSolver};
use crate::problem::row_sizes::RowSizes;
use crate::report::{Options, Report, Status};

pub use crate::lcp_solver::momentum::Momentum;
pub use crate::lcp_solver::step_rule::StepRule;

/// Number of iterations between two tests whether the forces grow along a ray, which suggests infeasibility.
const CHECK_INTERVAL: usize = 64;

/// Number of iterations without a better residual after which the solver stalls.
const STALL_ITERATIONS: usize = 4000;

/// Rounding error, relative to the largest terms, that the test e·A e ≤ L e·e of a gradient step e allows. Without it
/// the estimate L of the largest eigenvalue of A would grow without bound near convergence.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// Accelerated projected gradient descent (APGD), as in `[OK18]` section 8, after Mazhar et al. (2015): minimises ½ z·A
/// z + b·z over z ≥ 0, which solves the linear complementarity problem of A and b.
///
/// An iteration takes one product with A, and one more for each step that was too long; gradients at extrapolated
/// points are combinations of those at iterates. If forces are not unique, the result depends on the start and the
/// options. Rows with very different diagonal entries are scaled; rows of equal bodies are not. If the method stalls,
/// [`Pivoting`](crate::pivoting::Pivoting) solves for the unknowns that miss the tolerance.
#[derive(Debug, Clone)]
pub struct Apgd {
    options: Options,
    momentum: Momentum,
    step: StepRule,
    /// The present iterate z, the previous one, the trial (candidate for the next one), and the best one unless it is
    /// the present or the previous iterate.
    force: Vec<f64>,
    previous: Vec<f64>,
    trial: Vec<f64>,
    best: Vec<f64>,
    /// An iterate within the tolerance, kept while a better one is sought, and its residual.
    good: Vec<f64>,
    good_residual: f64,
    /// Products of A with the iterate, the previous iterate and the trial.
    image: Vec<f64>,
    previous_image: Vec<f64>,
    trial_image: Vec<f64>,
    /// Diagonal of A and offset b after multiplication by the scale factors of `units`.
    diagonal: Vec<f64>,
    offset: Vec<f64>,
    /// Scale factors, powers of two, between the problem and the scaled problem that the descent solves.
    units: Units,
    sizes: RowSizes,
    /// Unknowns z and slacks A z + b of the problem as it was posed, without scale factors.
    unknown: Vec<f64>,
    slack: Vec<f64>,
    farkas: FarkasTest,
    work: Vec<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Best {
    Force,
    Previous,
    Stored,
}

impl Apgd {
    /// Makes a solver with restarted momentum and adaptive step lengths that stops where
    /// [`Lcp::residual`](crate::Lcp::residual) is within the tolerance of `options`.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            momentum: Momentum::default(),
            step: StepRule::default(),
            force: Vec::new(),
            previous: Vec::new(),
            trial: Vec::new(),
            best: Vec::new(),
            good: Vec::new(),
            good_residual: f64::INFINITY,
            image: Vec::new(),
            previous_image: Vec::new(),
            trial_image: Vec::new(),
            diagonal: Vec::new(),
            offset: Vec::new(),
            units: Units::default(),
            sizes: RowSizes::default(),
            unknown: Vec::new(),
            slack: Vec::new(),
            farkas: FarkasTest::default(),
            work: Vec::new(),
        }
    }

    /// Sets the momentum: the rule by which the solver extrapolates from iterates.
    #[must_use]
    pub fn with_momentum(self, momentum: Momentum) -> Self {
        Self { momentum, ..self }
    }

    /// Sets the rule for the curvature, and so for the length of gradient steps.
    #[must_use]
    pub fn with_step(self, step: StepRule) -> Self {
        Self { step, ..self }
    }

    fn start(&mut self, problem: &Lcp<'_>, z: &[f64]) -> Result<(), SolveError> {
        self.options.check()?;
        self.step.check()?;
        let n = problem.len();
        check_length("unknowns", z, n)?;
        check_finite("unknown", z)?;
        let Self { previous, trial, best, good, previous_image, trial_image, image, unknown, slack, .. } = self;
        for buffer in [previous, trial, best, good, previous_image, trial_image, image, unknown, slack] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        self.units.reset(problem, &mut self.diagonal, &mut self.offset);
        self.units.enter(z, &mut self.force);
        self.good_residual = f64::INFINITY;
        self.farkas.reset(n);
        Ok(())
    }

    /// Estimates the curvature L (largest eigenvalue of A) for the first step, in the buffers of the trial.
    fn curvature(&mut self, problem: &Lcp<'_>, largest: f64) -> f64 {
        let (factor, powers) = match self.step {
            StepRule::Adaptive { factor } => (factor, 1),
            StepRule::Fixed => (1.02, 60),
        };
        self.trial.fill(1.0);
        let mut norm = 0.0;
        for _ in 0..powers {
            self.units.apply(problem, &self.trial, &mut self.trial_image, &mut self.work);
            let image = &self.trial_image;
            let trial = &mut self.trial;
            let [a, b] = sum_parts(leaves(trial.len()), (&image[..], &trial[..]), &|_, (image, trial)| {
                image.iter().zip(trial).fold([0.0; 2], |[a, b], (image, x)| [a + image * image, b + x * x])
            });
            norm = (a / b).sqrt();
            trial.iter_mut().zip(image).for_each(|(x, image)| *x = image / norm);
        }
        // Equal forces on all contacts may cancel.
        if norm > 1e-8 * largest { factor * norm } else { largest }
    }

    /// Computes the trial [y − (A y + b)/L]₊ from y = z + β (z − previous z), with the curvature L and the iterate z.
    fn project_step(&mut self, beta: f64, curvature: f64) {
        let Self { force, previous, image, previous_image, trial, offset, .. } = self;
        for_each_part(leaves(trial.len()), &mut trial[..], &|Part { rows: range, .. }, trial| {
            Arch::new().dispatch(ProjectedStep {
                beta,
                inverse_curvature: curvature.recip(),
                force: &force[range.clone()],
                previous: &previous[range.clone()],
                image: &image[range.clone()],
                previous_image: &previous_image[range.clone()],
                offset: &offset[range],
                trial,
            });
        });
    }

    /// Sums of the step from the extrapolated point to the trial: curvature, length, slope and residual.
    fn sum_step(&self, beta: f64) -> StepSums {
        let leaf = |Part { rows: range, .. }: Part, trial: &[f64]| {
            Arch::new().dispatch(SumStep {
                beta,
                trial,
                trial_image: &self.trial_image[range.clone()],
                force: &self.force[range.clone()],
                previous: &self.previous[range.clone()],
                image: &self.image[range.clone()],
                previous_image: &self.previous_image[range.clone()],
                diagonal: &self.diagonal[range.clone()],
                offset: &self.offset[range],
            })
        };
        let sums = fold_parts(leaves(self.trial.len()), &self.trial[..], &leaf, &StepSums::merged).unwrap_or_default();
        // The maximum in the residual ignores a NaN, but the first sum does not.
        let residual = if sums.curved.is_nan() { f64::NAN } else { sums.residual };
        StepSums { residual, ..sums }
    }

    /// Makes the trial the iterate; returns the vector that then holds the best iterate.
    fn accept(&mut self, best: Best) -> Best {
        if best == Best::Previous {
            std::mem::swap(&mut self.best, &mut self.previous);
        }
        std::mem::swap(&mut self.previous, &mut self.force);
        std::mem::swap(&mut self.force, &mut self.trial);
        std::mem::swap(&mut self.previous_image, &mut self.image);
        std::mem::swap(&mut self.image, &mut self.trial_image);
        if best == Best::Force { Best::Previous } else { Best::Stored }
    }

    /// Residual of the iterate as in [`Lcp::residual`](crate::Lcp::residual), each row divided by its own reference
    /// velocity, but with the effects of rounding of z.
    fn strict_residual(&mut self, problem: &Lcp<'_>) -> f64 {
        let Self { unknown, slack, sizes, work, .. } = self;
        self.units.leave(&self.force, unknown);
        problem.matrix().apply(unknown, slack, work);
        slack.iter_mut().zip(problem.offset()).for_each(|(slack, b)| *slack += b);
        sizes.update(problem, unknown);
        sizes.strict_residual(problem, unknown, slack)
    }

    /// Iterates until the tolerance is met or the method stalls; returns the vector that holds the best iterate.
    fn iterate(&mut self, problem: &Lcp<'_>, report: &mut Report) -> Best {
        let scale = DiagonalScale::new(&self.diagonal);
        let largest = self.offset.iter().fold(0.0_f64, |most, b| most.max(b.abs()));
        let relative = |value: f64| if largest > 0.0 { value / largest } else { value };
        let mut curvature = self.curvature(problem, scale.largest);
        let mut theta = 1.0_f64;
        let mut beta = 0.0;
        let mut best = Best::Force;
        let mut best_iteration = 0;
        let small = pivoting::is_small(problem);
        let mut review = pivoting::FIRST_REVIEW;
        let mut reviewed = f64::INFINITY;
        // The largest residual of all rows, relative to the largest offset, guides the descent. The strict residual
        // ends it, and is computed only where the first has fallen enough.
        let mut least = f64::INFINITY;
        let mut due = self.options.tolerance;
        let target = pivoting::target(problem, due);
        let mut patience = usize::MAX;
        loop {
            if report.iterations >= patience {
                report.status = Status::Stalled;
                return best;
            }
            if report.iterations >= self.options.max_iterations {
                report.status = Status::IterationLimit;
                return best;
            }
            let sums = loop {
                self.project_step(beta, curvature);
                self.units.apply(problem, &self.trial, &mut self.trial_image, &mut self.work);
                let sums = self.sum_step(beta);
                if sums.curved <= curvature * sums.length + ROUNDING * sums.magnitude {
                    break sums;
                }
                curvature *= 2.0;
                if !curvature.is_finite() || sums.curved.is_nan() {
                    report.status = Status::Stalled;
                    return best;
                }
            };
            report.iterations += 1;
            best = self.accept(best);
            let residual = relative(sums.residual);
            if residual < least || report.residual.is_nan() {
                (report.residual, best, best_iteration) = (residual, Best::Force, report.iterations);
                least = residual;
            }
            let stuck = sums.length <= 0.0 && beta <= 0.0;
            if residual <= due || (stuck && residual <= self.options.tolerance) {
                let strict = self.strict_residual(problem);
                if strict <= target {
                    (report.status, report.residual) = (Status::Converged, strict);
                    return Best::Force;
                }
                if self.options.is_met_by(strict) && strict < self.good_residual {
                    self.good_residual = strict;
                    self.good.copy_from_slice(&self.force);
                    patience = patience.min(3 * report.iterations + 200);
                }
                due = 0.5 * residual;
            }
            if stuck || report.iterations - best_iteration >= STALL_ITERATIONS {
                report.status = Status::Stalled;
                return best;
            }
            if report.iterations == review {
                if small && least > 0.1 * reviewed {
                    report.status = Status::Stalled;
                    return best;
                }
                (review, reviewed) = (2 * review, least);
            }
            if report.iterations.is_multiple_of(CHECK_INTERVAL) {
                let Self { farkas, offset, force, image, units, work, .. } = self;
                let mut product = |x: &[f64], y: &mut [f64]| units.apply(problem, x, y, work);
                let suspect = farkas.suspects(offset, force, image, scale, &mut product);
                if suspect && pivoting::is_possible(problem) {
                    report.status = Status::Infeasible;
                    return best;
                }
            }
            (theta, beta) = self.momentum.next(theta, sums.uphill > 0.0);
            if matches!(self.step, StepRule::Adaptive { .. }) {
                curvature *= 0.9;
            }
        }
    }
}

impl Default for Apgd {
    fn default() -> Self {
        Self::new(Options::new(1e-10, 100_000))
    }
}

impl LcpSolver for Apgd {
    fn solve(&mut self, problem: &Lcp<'_>, z: &mut [f64]) -> Result<Report, SolveError> {
        self.start(problem, z)?;
        let mut report = Report::start(0.0);
        self.units.apply(problem, &self.force, &mut self.image, &mut self.work);
        report.residual = self.strict_residual(problem);
        let infeasible_row = |(d, b): (&f64, &f64)| *d <= 0.0 && *b < 0.0;
        let mut best = Best::Force;
        if self.diagonal.iter().zip(&self.offset).any(infeasible_row) {
            report.status = Status::Infeasible;
        } else if !self.options.is_met_by(report.residual) {
            self.previous.copy_from_slice(&self.force);
            self.previous_image.copy_from_slice(&self.image);
            best = self.iterate(problem, &mut report);
            if !report.converged() && self.options.is_met_by(self.good_residual) {
                (report.status, report.residual, best) = (Status::Converged, self.good_residual, Best::Force);
                self.force.copy_from_slice(&self.good);
            }
        }
        let best = match best {
            Best::Force => &self.force,
            Best::Previous => &self.previous,
            Best::Stored => &self.best,
        };
        self.units.leave(best, z);
        Ok(pivoting::finish(problem, &self.options, report, z))
    }
}
