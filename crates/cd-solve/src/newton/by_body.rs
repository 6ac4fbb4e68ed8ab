//! Continues Newton's method, which minimises one residual of all bodies together, until each single body is balanced.

use crate::error::SolveError;
use crate::report::{Options, Report, Status};

/// Number of attempts to balance each body, each with a smaller tolerance for the residual of all bodies together.
const ATTEMPTS: usize = 4;

/// A minimum of the energy of elastic contacts that Newton's method can refine until each body is balanced.
pub(super) trait Refine {
    /// Continues from the minimum, to the tolerance of `options` for the residual of all bodies together. Since the
    /// tolerance may be below rounding, [`Status::Infeasible`] needs a proof that does not depend on rounding. After a
    /// failure the minimum is the point with the smallest [`residual`](Self::residual).
    fn resume(&mut self, options: &Options) -> Result<Report, SolveError>;

    /// Imbalance of the worst-balanced body at the minimum, relative to the forces on this body.
    fn residual(&mut self) -> f64;
}

/// Continues after a converged `report` until each body is balanced to the tolerance of `options`, or a proof shows
/// that no forces balance the bodies; otherwise the status is [`Status::Stalled`]. The residual of the report becomes
/// that of the worst-balanced body.
pub(super) fn refine(minimum: &mut dyn Refine, options: &Options, mut report: Report) -> Report {
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
        // A stalled attempt may still have reduced the residual, which decides below.
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

    /// A minimum whose only attempt to refine ends with given residual and status, or with an error.
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
        // The residual meets the tolerance, so the failure of an attempt with a smaller tolerance does not matter.
        assert_eq!(refined(1e-11, Some(Status::Infeasible)), Status::Converged);
        assert_eq!(refined(1e-11, Some(Status::Stalled)), Status::Converged);
        assert_eq!(refined(0.5, Some(Status::Stalled)), Status::Stalled);
        assert_eq!(refined(0.5, None), Status::Stalled);
        assert_eq!(refined(1e-11, None), Status::Converged);
    }
}
