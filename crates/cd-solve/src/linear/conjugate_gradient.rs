use crate::error::SolveError;
use crate::linear::scaled;
use crate::linear::solver::{LinearSolver, Preconditioner, precondition};
use crate::linear::vectors::{add, clear, dot, norm, scale_add, subtract, subtract_from};
use crate::problem::operator::LinearOperator;
use crate::report::{Options, Report, Status};

/// Iterations without improvement after which the solver stalls; at least the number of unknowns.
const STALL_ITERATIONS: usize = 200;

/// Conjugate gradients for symmetric positive semidefinite systems; singular systems have to be consistent.
///
/// The best iterate is that of the smallest residual. A search direction without curvature ends the solve as stalled:
/// the matrix is not positive semidefinite, or the system is inconsistent.
#[derive(Debug, Clone)]
pub struct ConjugateGradient {
    options: Options,
    residual: Vec<f64>,
    preconditioned: Vec<f64>,
    direction: Vec<f64>,
    image: Vec<f64>,
    point: Vec<f64>,
    work: Vec<f64>,
}

impl ConjugateGradient {
    /// Makes a solver that stops where ‖b − A x‖ / ‖b‖ is within the tolerance of `options`.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let [residual, preconditioned, direction, image, point, work] = std::array::from_fn(|_| Vec::new());
        Self { options, residual, preconditioned, direction, image, point, work }
    }

    /// Sets the tolerance and the limit of iterations for later solves.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Computes the residual b − A x of the present point; returns its norm.
    fn refresh(&mut self, matrix: &dyn LinearOperator, b: &[f64]) -> f64 {
        if self.point.iter().all(|x| x.abs() <= 0.0) {
            self.residual.copy_from_slice(b);
            return norm(b);
        }
        matrix.apply(&self.point, &mut self.residual, &mut self.work);
        subtract_from(&mut self.residual, b);
        norm(&self.residual)
    }
}

impl Default for ConjugateGradient {
    fn default() -> Self {
        Self::new(Options::new(1e-10, 10_000))
    }
}

impl LinearSolver for ConjugateGradient {
    fn solve(
        &mut self,
        matrix: &dyn LinearOperator,
        preconditioner: Option<&dyn Preconditioner>,
        b: &[f64],
        x: &mut [f64],
    ) -> Result<Report, SolveError> {
        self.options.check()?;
        let plain: &mut scaled::Solve<'_> = &mut |matrix, inverse, b, x| self.solve_plainly(matrix, inverse, b, x);
        scaled::solve(plain, matrix, preconditioner, b, x)
    }
}

impl ConjugateGradient {
    /// Solves A x = b without scaling, for numbers whose squares neither overflow nor underflow.
    fn solve_plainly(
        &mut self,
        matrix: &dyn LinearOperator,
        preconditioner: Option<&dyn Preconditioner>,
        b: &[f64],
        x: &mut [f64],
    ) -> Report {
        let Self { residual, preconditioned, direction, image, point, .. } = self;
        clear([residual, preconditioned, direction, image, point], b.len());
        let scale = Some(norm(b)).filter(|&norm| norm > 0.0).unwrap_or(1.0);
        self.point.copy_from_slice(x);
        let mut report = Report::start(self.refresh(matrix, b) / scale);
        let mut previous = 0.0;
        let mut best_iteration = 0;
        // Whether the best point is in `x` instead of the buffer.
        let mut kept = true;
        let is_better = |size: f64, than: f64| size < than || (than.is_nan() && size.is_finite());
        while !self.options.is_met_by(report.residual) {
            if report.iterations >= self.options.max_iterations {
                report.status = Status::IterationLimit;
                break;
            }
            precondition(preconditioner, &self.residual, &mut self.preconditioned);
            let slope = dot(&self.residual, &self.preconditioned);
            let beta = if previous > 0.0 { slope / previous } else { 0.0 };
            scale_add(&mut self.direction, beta, &self.preconditioned);
            matrix.apply(&self.direction, &mut self.image, &mut self.work);
            let curved = dot(&self.direction, &self.image);
            let step = slope / curved;
            let patient = report.iterations <= best_iteration + STALL_ITERATIONS.max(b.len());
            // The negated condition also stalls for NaN.
            if !(slope > 0.0 && curved > 0.0 && step.is_finite() && patient) {
                report.status = Status::Stalled;
                break;
            }
            let mut size = subtract(&mut self.residual, step, &self.image) / scale;
            let computed = self.options.is_met_by(size);
            if !kept && (computed || !is_better(size, report.residual)) {
                x.copy_from_slice(&self.point);
                kept = true;
            }
            add(&mut self.point, step, &self.direction);
            previous = slope;
            report.iterations += 1;
            if computed {
                // The recurrence drifts from the residual, so the residual is computed before it is reported. If it is
                // larger, directions restart.
                size = self.refresh(matrix, b) / scale;
                previous = 0.0;
            }
            if is_better(size, report.residual) {
                (report.residual, best_iteration, kept) = (size, report.iterations, false);
            }
        }
        if !kept {
            x.copy_from_slice(&self.point);
        }
        report
    }
}
