//! Accelerated projected gradient descent.

use pulp::Arch;

use crate::descent::{Judge, Judgement, Propose};
use crate::error::{check_finite, check_length};
use crate::farkas::Farkas;
use crate::par::{each_leaf, fold_leaves, sum_leaves};
use crate::{Lcp, LcpSolver, Momentum, Options, Report, SolveError, Status, StepRule};

/// Iterations between two looks for a ray that proves infeasibility.
const CHECK: usize = 64;

/// Iterations without a better residual after which more are taken to bring nothing.
const PATIENCE: usize = 4000;

/// Rounding of a product, as a multiple of its largest terms: what the test of the curvature forgives. Without it the
/// curvature would grow without bound near convergence.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// Accelerated projected gradient descent, as in `[OK18]` section 8 (there after Mazhar et al. 2015), on
/// ½ z·A z + b·z over z ≥ 0.
///
/// One product with A per iteration, and one more whenever the step was too long: gradients at the extrapolated point are
/// combinations of those at iterates. Where forces are not unique, the answer depends on the start and on the options.
#[derive(Debug, Clone)]
pub struct Apgd {
    options: Options,
    momentum: Momentum,
    step: StepRule,
    /// Iterate, the one before, the next one; and the best one unless it is one of the first two.
    force: Vec<f64>,
    former: Vec<f64>,
    trial: Vec<f64>,
    best: Vec<f64>,
    /// Products of A with the first three.
    image: Vec<f64>,
    former_image: Vec<f64>,
    trial_image: Vec<f64>,
    diagonal: Vec<f64>,
    farkas: Farkas,
    work: Vec<f64>,
}

/// Where the best iterate is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Best {
    Force,
    Former,
    Stored,
}

impl Apgd {
    /// The method with restarts and adaptive steps.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            momentum: Momentum::default(),
            step: StepRule::default(),
            force: Vec::new(),
            former: Vec::new(),
            trial: Vec::new(),
            best: Vec::new(),
            image: Vec::new(),
            former_image: Vec::new(),
            trial_image: Vec::new(),
            diagonal: Vec::new(),
            farkas: Farkas::default(),
            work: Vec::new(),
        }
    }

    /// Extrapolates like this.
    #[must_use]
    pub fn with_momentum(self, momentum: Momentum) -> Self {
        Self { momentum, ..self }
    }

    /// Takes steps by this rule.
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
        for buffer in [&mut self.former, &mut self.trial, &mut self.best, &mut self.former_image, &mut self.trial_image]
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

    /// The trial [y − (A y + b)/L]₊ from y = z + β (z − former z).
    fn propose(&mut self, offset: &[f64], beta: f64, curvature: f64) {
        let Self { force, former, image, former_image, trial, .. } = self;
        each_leaf(&mut trial[..], &|first, trial| {
            let range = first..first + trial.len();
            let point = [&force[range.clone()], &former[range.clone()]];
            let image = [&image[range.clone()], &former_image[range.clone()]];
            let (inverse, offset) = (curvature.recip(), &offset[range]);
            Arch::new().dispatch(Propose { beta, inverse, point, image, offset, trial });
        });
    }

    fn judge(&self, offset: &[f64], beta: f64) -> Judgement {
        let leaf = |first: usize, trial: &[f64]| {
            let range = first..first + trial.len();
            let columns = [
                trial,
                &self.trial_image[range.clone()],
                &self.force[range.clone()],
                &self.former[range.clone()],
                &self.image[range.clone()],
                &self.former_image[range.clone()],
                &self.diagonal[range.clone()],
                &offset[range],
            ];
            Arch::new().dispatch(Judge { columns, beta })
        };
        let [curved, length, rounding, uphill, residual] = fold_leaves(&self.trial[..], &leaf, &|mut a, b| {
            (0..4).for_each(|k| a[k] += b[k]);
            a[4] = a[4].max(b[4]);
            a
        });
        // What makes the residual NaN makes this NaN.
        let residual = if curved.is_nan() { f64::NAN } else { residual };
        Judgement { curved, length, rounding: ROUNDING * rounding, uphill, residual }
    }

    /// Makes the trial the iterate; the best iterate stays where it can be found.
    fn accept(&mut self, best: Best) -> Best {
        if best == Best::Former {
            std::mem::swap(&mut self.best, &mut self.former);
        }
        std::mem::swap(&mut self.former, &mut self.force);
        std::mem::swap(&mut self.force, &mut self.trial);
        std::mem::swap(&mut self.former_image, &mut self.image);
        std::mem::swap(&mut self.image, &mut self.trial_image);
        if best == Best::Force { Best::Former } else { Best::Stored }
    }

    fn iterate(&mut self, problem: &Lcp<'_>, report: &mut Report) -> Best {
        let offset = problem.offset();
        let mean = self.diagonal.iter().sum::<f64>() / self.diagonal.len() as f64;
        let largest = self.diagonal.iter().fold(0.0_f64, |most, d| most.max(*d));
        let mut curvature = self.curvature(problem, largest);
        let (mut theta, mut beta, mut best, mut best_iteration) = (1.0_f64, 0.0, Best::Force, 0);
        loop {
            if report.iterations >= self.options.max_iterations {
                report.status = Status::IterationLimit;
                return best;
            }
            let judgement = loop {
                self.propose(offset, beta, curvature);
                problem.matrix().apply(&self.trial, &mut self.trial_image, &mut self.work);
                let judgement = self.judge(offset, beta);
                if judgement.curved <= curvature * judgement.length + judgement.rounding {
                    break judgement;
                }
                curvature *= 2.0;
                if !curvature.is_finite() || judgement.curved.is_nan() {
                    report.status = Status::Stalled;
                    return best;
                }
            };
            report.iterations += 1;
            best = self.accept(best);
            let residual = problem.relative(judgement.residual);
            if residual < report.residual || report.residual.is_nan() {
                (report.residual, best, best_iteration) = (residual, Best::Force, report.iterations);
            }
            if self.options.met(residual) {
                report.status = Status::Converged;
                return best;
            }
            let stuck = judgement.length <= 0.0 && beta <= 0.0;
            if stuck || report.iterations - best_iteration >= PATIENCE {
                report.status = Status::Stalled;
                return best;
            }
            if report.iterations.is_multiple_of(CHECK)
                && self.farkas.proves(problem, &self.force, &self.image, [mean, largest], &mut self.work)
            {
                report.status = Status::Infeasible;
                return best;
            }
            (theta, beta) = self.momentum.next(theta, judgement.uphill > 0.0);
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
        let hopeless = |(d, b): (&f64, &f64)| *d <= 0.0 && *b < 0.0;
        let mut best = Best::Force;
        if self.diagonal.iter().zip(problem.offset()).any(hopeless) {
            report.status = Status::Infeasible;
        } else if !self.options.met(report.residual) {
            self.former.copy_from_slice(&self.force);
            self.former_image.copy_from_slice(&self.image);
            best = self.iterate(problem, &mut report);
        }
        z.copy_from_slice(match best {
            Best::Force => &self.force,
            Best::Former => &self.former,
            Best::Stored => &self.best,
        });
        Ok(report)
    }
}
