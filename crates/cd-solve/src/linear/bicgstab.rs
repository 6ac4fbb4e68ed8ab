use crate::error::SolveError;
use crate::linear::scaled;
use crate::linear::solver::{LinearSolver, Preconditioner, precondition};
use crate::linear::vectors::{add, clear, dot, norm, scale_add, subtract_from};
use crate::problem::operator::LinearOperator;
use crate::report::{Options, Report, Status};

/// Number of successive breakdowns, each followed by a restart from the present point, after which the solver gives up.
const RESTARTS: usize = 10;

/// `BiCGStab`, stabilised biconjugate gradients, for systems that need not be symmetric; two products per iteration.
#[derive(Debug, Clone)]
pub struct BiCgStab {
    options: Options,
    residual: Vec<f64>,
    shadow: Vec<f64>,
    direction: Vec<f64>,
    preconditioned: Vec<f64>,
    image: Vec<f64>,
    second_image: Vec<f64>,
    point: Vec<f64>,
    work: Vec<f64>,
}

impl BiCgStab {
    /// Makes a solver that stops where ‖b − A x‖ / ‖b‖ is within the tolerance of `options`.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let [residual, shadow, direction, preconditioned] = std::array::from_fn(|_| Vec::new());
        let [image, second_image, point, work] = std::array::from_fn(|_| Vec::new());
        Self { options, residual, shadow, direction, preconditioned, image, second_image, point, work }
    }

    /// Sets the tolerance and the limit of iterations for later solves.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Computes the residual b − A x of the present point and restarts the search directions; returns its norm.
    fn refresh(&mut self, matrix: &dyn LinearOperator, b: &[f64]) -> f64 {
        matrix.apply(&self.point, &mut self.residual, &mut self.work);
        subtract_from(&mut self.residual, b);
        self.shadow.copy_from_slice(&self.residual);
        self.direction.copy_from_slice(&self.residual);
        norm(&self.residual)
    }

    /// Runs one iteration from ρ = shadow·residual with the fixed shadow residual; returns the next ρ, or `None` after
    /// a breakdown.
    fn iterate(
        &mut self,
        matrix: &dyn LinearOperator,
        preconditioner: Option<&dyn Preconditioner>,
        rho: f64,
    ) -> Option<f64> {
        let usable = |value: f64| (value.is_finite() && value.abs() > 0.0).then_some(value);
        precondition(preconditioner, &self.direction, &mut self.preconditioned);
        matrix.apply(&self.preconditioned, &mut self.image, &mut self.work);
        let alpha = usable(rho / usable(dot(&self.shadow, &self.image))?)?;
        add(&mut self.point, alpha, &self.preconditioned);
        add(&mut self.residual, -alpha, &self.image);
        precondition(preconditioner, &self.residual, &mut self.preconditioned);
        matrix.apply(&self.preconditioned, &mut self.second_image, &mut self.work);
        let omega = dot(&self.second_image, &self.residual) / usable(dot(&self.second_image, &self.second_image))?;
        let omega = usable(omega)?;
        add(&mut self.point, omega, &self.preconditioned);
        add(&mut self.residual, -omega, &self.second_image);
        let next = usable(dot(&self.shadow, &self.residual))?;
        add(&mut self.direction, -omega, &self.image);
        scale_add(&mut self.direction, next / rho * (alpha / omega), &self.residual);
        Some(next)
    }
}

impl Default for BiCgStab {
    fn default() -> Self {
        Self::new(Options::new(1e-10, 10_000))
    }
}

impl LinearSolver for BiCgStab {
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

impl BiCgStab {
    /// Solves A x = b without scaling, for numbers whose squares neither overflow nor underflow.
    fn solve_plainly(
        &mut self,
        matrix: &dyn LinearOperator,
        preconditioner: Option<&dyn Preconditioner>,
        b: &[f64],
        x: &mut [f64],
    ) -> Report {
        let Self { residual, shadow, direction, preconditioned, image, second_image, point, .. } = self;
        clear([residual, shadow, direction, preconditioned, image, second_image, point], b.len());
        let scale = Some(norm(b)).filter(|&norm| norm > 0.0).unwrap_or(1.0);
        self.point.copy_from_slice(x);
        let mut report = Report::start(self.refresh(matrix, b) / scale);
        let mut rho = dot(&self.residual, &self.residual);
        let mut restarts = 0;
        while !self.options.is_met_by(report.residual) {
            if report.iterations >= self.options.max_iterations || restarts > RESTARTS {
                let stalled = restarts > RESTARTS;
                report.status = if stalled { Status::Stalled } else { Status::IterationLimit };
                break;
            }
            let next = self.iterate(matrix, preconditioner, rho);
            report.iterations += 1;
            let mut size = norm(&self.residual) / scale;
            if next.is_none() || self.options.is_met_by(size) || !size.is_finite() {
                if !self.point.iter().all(|x| x.is_finite()) {
                    self.point.copy_from_slice(x);
                }
                size = self.refresh(matrix, b) / scale;
                rho = dot(&self.residual, &self.residual);
                restarts += 1;
            } else {
                rho = next.unwrap_or(rho);
            }
            if size < report.residual || (report.residual.is_nan() && size.is_finite()) {
                // Small gains do not count: a stall within rounding has gains too.
                restarts = if size < 0.9 * report.residual { 0 } else { restarts };
                report.residual = size;
                x.copy_from_slice(&self.point);
            }
        }
        report
    }
}
