//! Accelerated projected gradient descent: [`Apgd`] and its options.

use pulp::Arch;

use crate::error::SolveError;
use crate::error::{check_finite, check_length};
use crate::lcp_solver::farkas::{DiagonalScale, FarkasTest};
use crate::lcp_solver::gradient_step::{ProjectedStep, StepSums, SumStep};
use crate::parallel::{each_leaf, fold_leaves, sum_leaves};

use crate::problem::lcp::{Lcp, LcpSolver};
use crate::report::{Options, Report, Status};

pub use crate::lcp_solver::momentum::Momentum;
pub use crate::lcp_solver::step_rule::StepRule;

/// Iterations between two tests for a ray that proves infeasibility.
const CHECK_INTERVAL: usize = 64;

/// The solver stalls after this many iterations without a better residual.
const PATIENCE: usize = 4000;

/// Tolerance of the curvature test for the rounding of a product, relative to its largest terms. Without it the
/// curvature would grow without bound near convergence.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// Accelerated projected gradient descent, as in `[OK18]` section 8 (there after Mazhar et al. 2015), on
/// ½ z·A z + b·z over z ≥ 0.
///
/// One product with A per iteration, and one more whenever the step was too long: gradients at the extrapolated point
/// are combinations of those at iterates. Where forces are not unique, the answer depends on the start and on the
/// options.
#[derive(Debug, Clone)]
pub struct Apgd {
    options: Options,
    momentum: Momentum,
    step: StepRule,
    /// Iterate, the one before, the next one; and the best one unless it is one of the first two.
    force: Vec<f64>,
    previous: Vec<f64>,
    trial: Vec<f64>,
    best: Vec<f64>,
    /// Products of A with the first three.
    image: Vec<f64>,
    previous_image: Vec<f64>,
    trial_image: Vec<f64>,
    diagonal: Vec<f64>,
    farkas: FarkasTest,
    work: Vec<f64>,
}

/// Where the best iterate is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Best {
    Force,
    Previous,
    Stored,
}

impl Apgd {
    /// The method with restarts and adaptive steps. Stops at the residual of `options`, that of
    /// [`Lcp::residual`](crate::Lcp::residual).
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
            image: Vec::new(),
            previous_image: Vec::new(),
            trial_image: Vec::new(),
            diagonal: Vec::new(),
            farkas: FarkasTest::default(),
            work: Vec::new(),
        }
    }

    /// Sets the rule by which iterates are extrapolated.
    #[must_use]
    pub fn with_momentum(self, momentum: Momentum) -> Self {
        Self { momentum, ..self }
    }

    /// Sets the rule for the length of steps.
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
        for buffer in
            [&mut self.previous, &mut self.trial, &mut self.best, &mut self.previous_image, &mut self.trial_image]
        {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        self.force.clear();
        self.force.extend(z.iter().map(|z| z.max(0.0)));
        self.image.resize(n, 0.0);
        let diagonal = problem.matrix().diagonal();
        self.diagonal.clear();
        self.diagonal.extend((0..n).map(|i| diagonal.at(i)));
        self.farkas.reset(n);
        Ok(())
    }

    /// The first curvature. Uses the buffers of the trial.
    fn curvature(&mut self, problem: &Lcp<'_>, largest: f64) -> f64 {
        let (factor, powers) = match self.step {
            StepRule::Adaptive { factor } => (factor, 1),
            StepRule::Fixed => (1.02, 60),
        };
        self.trial.fill(1.0);
        let mut norm = 0.0;
        for _ in 0..powers {
            problem.matrix().apply(&self.trial, &mut self.trial_image, &mut self.work);
            let (image, trial) = (&self.trial_image, &mut self.trial);
            let [a, b] = sum_leaves((&image[..], &trial[..]), &|_, (image, trial)| {
                image.iter().zip(trial).fold([0.0; 2], |[a, b], (image, x)| [a + image * image, b + x * x])
            });
            norm = (a / b).sqrt();
            trial.iter_mut().zip(image).for_each(|(x, image)| *x = image / norm);
        }
        // Forces on all contacts may balance one another.
        if norm > 1e-8 * largest { factor * norm } else { largest }
    }

    /// The trial [y − (A y + b)/L]₊ from y = z + β (z − previous z).
    fn project_step(&mut self, offset: &[f64], beta: f64, curvature: f64) {
        let Self { force, previous, image, previous_image, trial, .. } = self;
        each_leaf(&mut trial[..], &|first, trial| {
            let range = first..first + trial.len();
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

    /// The sums over the step from y to the trial.
    fn sum_step(&self, offset: &[f64], beta: f64) -> StepSums {
        let leaf = |first: usize, trial: &[f64]| {
            let range = first..first + trial.len();
            Arch::new().dispatch(SumStep {
                beta,
                trial,
                trial_image: &self.trial_image[range.clone()],
                force: &self.force[range.clone()],
                previous: &self.previous[range.clone()],
                image: &self.image[range.clone()],
                previous_image: &self.previous_image[range.clone()],
                diagonal: &self.diagonal[range.clone()],
                offset: &offset[range],
            })
        };
        let sums = fold_leaves(&self.trial[..], &leaf, &StepSums::merged);
        // A NaN is lost in the maximum of the residual, but it makes the first sum NaN.
        let residual = if sums.curved.is_nan() { f64::NAN } else { sums.residual };
        StepSums { residual, ..sums }
    }

    /// Makes the trial the iterate; the best iterate stays where it can be found.
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

    fn iterate(&mut self, problem: &Lcp<'_>, report: &mut Report) -> Best {
        let offset = problem.offset();
        let scale = DiagonalScale::new(&self.diagonal);
        let mut curvature = self.curvature(problem, scale.largest);
        let (mut theta, mut beta, mut best, mut best_iteration) = (1.0_f64, 0.0, Best::Force, 0);
        loop {
            if report.iterations >= self.options.max_iterations {
                report.status = Status::IterationLimit;
                return best;
            }
            let sums = loop {
                self.project_step(offset, beta, curvature);
                problem.matrix().apply(&self.trial, &mut self.trial_image, &mut self.work);
                let sums = self.sum_step(offset, beta);
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
            let residual = problem.relative(sums.residual);
            if residual < report.residual || report.residual.is_nan() {
                (report.residual, best, best_iteration) = (residual, Best::Force, report.iterations);
            }
            if self.options.is_met_by(residual) {
                report.status = Status::Converged;
                return best;
            }
            let stuck = sums.length <= 0.0 && beta <= 0.0;
            if stuck || report.iterations - best_iteration >= PATIENCE {
                report.status = Status::Stalled;
                return best;
            }
            if report.iterations.is_multiple_of(CHECK_INTERVAL)
                && self.farkas.proves(problem, &self.force, &self.image, scale, &mut self.work)
            {
                report.status = Status::Infeasible;
                return best;
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
        let mut report = Report { status: Status::Converged, iterations: 0, inner_iterations: 0, residual: 0.0 };
        problem.matrix().apply(&self.force, &mut self.image, &mut self.work);
        let slack = &mut self.trial;
        slack.iter_mut().zip(&self.image).zip(problem.offset()).for_each(|((slack, image), b)| *slack = image + b);
        report.residual = problem.residual_of_slack(&self.force, slack)?;
        let infeasible_row = |(d, b): (&f64, &f64)| *d <= 0.0 && *b < 0.0;
        let mut best = Best::Force;
        if self.diagonal.iter().zip(problem.offset()).any(infeasible_row) {
            report.status = Status::Infeasible;
        } else if !self.options.is_met_by(report.residual) {
            self.previous.copy_from_slice(&self.force);
            self.previous_image.copy_from_slice(&self.image);
            best = self.iterate(problem, &mut report);
        }
        z.copy_from_slice(match best {
            Best::Force => &self.force,
            Best::Previous => &self.previous,
            Best::Stored => &self.best,
        });
        Ok(report)
    }
}
