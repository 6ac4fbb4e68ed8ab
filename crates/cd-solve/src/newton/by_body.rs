//! Newton's method minimises the residual of all bodies together; here it goes on until each body is balanced.

use crate::error::SolveError;
use crate::report::{Options, Report, Status};

/// Number of attempts to balance light bodies by smaller and smaller tolerances for all bodies together.
const ATTEMPTS: usize = 4;

/// A minimum of the energy of elastic contacts that Newton's method can make more exact until each body is balanced.
pub(crate) trait Refine {
    /// Continues from the minimum that was found, to the tolerance of `options` for all bodies together. Returns
    /// [`Status::Infeasible`] only by a proof that does not depend on rounding, since the tolerance may be below
    /// rounding. After a failure the minimum is the best point, as [`residual`](Self::residual) then finds it.
    fn resume(&mut self, options: &Options) -> Result<Report, SolveError>;

    /// Imbalance of the body that is balanced worst at the minimum, relative to the forces on this body.
    fn residual(&mut self) -> f64;
}

/// Continues after a converged `report` until each body is balanced to the tolerance of `options`, or a proof says that
/// no forces balance the bodies; else the status is [`Status::Stalled`]. The report's residual becomes that of the body
/// that is balanced worst.
pub(crate) fn refine(minimum: &mut dyn Refine, options: &Options, mut report: Report) -> Report {
    let mut residual = minimum.residual();
    let mut together = options.tolerance;
    for _ in 0..ATTEMPTS {
        let left = options.max_iterations.saturating_sub(report.iterations);
        if !report.converged() || options.is_met_by(residual) || left == 0 {
            break;
        }
        together *= (0.3 * options.tolerance / residual).min(0.1);
        let resumed = minimum.resume(&Options::new(together, left));
        residual = minimum.residual();
        let Ok(next) = resumed else { break };
        report = next.with_work_of(&report);
        if next.status == Status::Infeasible && !options.is_met_by(residual) {
            break;
        }
        // An attempt that stalls may still have reduced the residual. The residual decides, below.
        report.status = Status::Converged;
        if !next.converged() {
            break;
        }
    }
    if report.converged() && !options.is_met_by(residual) {
        report.status = Status::Stalled;
    }
    Report { residual, ..report }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A minimum that ends its only attempt like this: with the residual of the worst body, and a status or an error.
    struct Ending {
        residual: f64,
        status: Option<Status>,
        attempts: usize,
    }

    impl Refine for Ending {
        fn resume(&mut self, _: &Options) -> Result<Report, SolveError> {
            self.attempts += 1;
            let what = SolveError::InvalidParameter { what: "a factor", value: 0.0, expected: "there" };
            let report = |status| Report { status, iterations: 2, inner_iterations: 3, residual: 1e-20 };
            self.status.map(report).ok_or(what)
        }

        fn residual(&mut self) -> f64 {
            if self.attempts > 0 { self.residual } else { 1.0 }
        }
    }

    #[test]
    fn a_proof_counts_and_an_error_leaves_what_was_found() {
        let first = Report { status: Status::Converged, iterations: 5, inner_iterations: 7, residual: 1e-12 };
        let refined = |residual: f64, status: Option<Status>| {
            let mut minimum = Ending { residual, status, attempts: 0 };
            let report = refine(&mut minimum, &Options::new(1e-10, 100), first);
            assert_eq!(report.residual.to_bits(), residual.to_bits());
            assert_eq!(report.iterations > 5, status.is_some());
            report.status
        };
        assert_eq!(refined(0.5, Some(Status::Infeasible)), Status::Infeasible);
        // The residual meets the tolerance. That counts, although the attempt had a smaller tolerance and failed.
        assert_eq!(refined(1e-11, Some(Status::Infeasible)), Status::Converged);
        assert_eq!(refined(1e-11, Some(Status::Stalled)), Status::Converged);
        assert_eq!(refined(0.5, Some(Status::Stalled)), Status::Stalled);
        assert_eq!(refined(0.5, None), Status::Stalled);
        assert_eq!(refined(1e-11, None), Status::Converged);
    }
}
