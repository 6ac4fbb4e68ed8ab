use crate::error::SolveError;
use crate::newton::semismooth::{Descent, PROOF_GROWTH, RIDGE, STALL_STEPS};
use crate::report::{Options, Report, Status};

impl<const D: usize, const K: usize> Descent<'_, '_, D, K> {
    /// Minimises the energy in stages with a proximal term that pulls towards a centre: a strong term makes a stage
    /// easy, a weak one makes the stages converge fast. Without inertia the centre is the minimum of the last stage
    /// (the proximal point method), and the strength follows the effort. With inertia the centre is free motion, and
    /// the strength falls to zero. `report` is that of the attempt without the term; its point is returned if it stays
    /// the best.
    pub(super) fn descend_proximal(&mut self, options: &Options, report: &mut Report) -> Result<(), SolveError> {
        self.save_best_of_all();
        let mut best_residual = report.residual;
        self.return_to_center();
        self.newton.prox_center.copy_from_slice(&self.newton.x);
        let mut strength = 0.1;
        let mut unbounded = PROOF_GROWTH;
        let mut residual = 1.0_f64;
        report.status = Status::IterationLimit;
        while report.iterations < options.max_iterations {
            let tolerance = (0.1 * residual).min(1e-3).max(0.5 * options.tolerance);
            let limits = Options::new(tolerance, STALL_STEPS.min(options.max_iterations - report.iterations));
            if self.penalty.inertia.is_none() {
                self.newton.prox_center.copy_from_slice(&self.newton.x);
            }
            let stage = self.descend(&limits, strength)?;
            residual = self.evaluate(0.0).residual();
            *report = Report { residual, status: Status::IterationLimit, ..stage.with_work_of(report) };
            if residual <= options.tolerance {
                report.status = Status::Converged;
                return Ok(());
            }
            if self.proves_infeasibility(&mut unbounded) {
                report.status = Status::Infeasible;
                return Ok(());
            }
            if residual < best_residual || best_residual.is_nan() {
                self.save_best_of_all();
                best_residual = residual;
            }
            // A stage without a step would be repeated unchanged.
            let without_step = stage.iterations == 0 && !stage.converged();
            let stalled = without_step && (self.penalty.inertia.is_some() || strength >= 1.0);
            if stalled || (strength <= 0.0 && stage.status == Status::Stalled) || !residual.is_finite() {
                report.status = Status::Stalled;
                break;
            }
            strength = match stage.iterations {
                _ if self.penalty.inertia.is_some() => {
                    let next = if stage.converged() { 0.1 * strength } else { strength };
                    if next > f64::EPSILON { next } else { 0.0 }
                }
                ..8 if stage.converged() => (0.1 * strength).max(RIDGE),
                ..16 if stage.converged() => strength,
                _ => (3.0 * strength).min(1.0),
            };
        }
        self.newton.x.copy_from_slice(&self.newton.best_of_all);
        self.newton.compression.copy_from_slice(&self.newton.best_of_all_compression);
        report.residual = self.evaluate(0.0).residual();
        Ok(())
    }

    /// Stores the present point as the best of all attempts, with or without a proximal term.
    fn save_best_of_all(&mut self) {
        self.newton.best_of_all.copy_from_slice(&self.newton.x);
        self.newton.best_of_all_compression.copy_from_slice(&self.newton.compression);
    }
}
