//! Newton's method minimises the residual of all bodies together; here it goes on until each body is balanced.

use crate::error::SolveError;
use crate::report::{Options, Report, Status};

/// Attempts to balance bodies that are light beside the others, with smaller and smaller tolerances of the whole.
const ATTEMPTS: usize = 4;

/// A minimum that can be made more exact.
pub(crate) trait Refine {
    /// Goes on from the minimum that was found, to the tolerance of `options` for all bodies together.
    fn resume(&mut self, options: &Options) -> Result<Report, SolveError>;

    /// The residual of the worst body, in its own size.
    fn residual(&mut self) -> f64;
}

/// Goes on after a converged `report` until each body is balanced to the tolerance of `options`, or else the status is
/// [`Status::Stalled`]. The residual of the report becomes that of the worst body.
pub(crate) fn refine(minimum: &mut dyn Refine, options: &Options, mut report: Report) -> Report {
    let mut residual = minimum.residual();
    let mut together = options.tolerance;
    for _ in 0..ATTEMPTS {
        let left = options.max_iterations.saturating_sub(report.iterations);
        if !report.converged() || options.is_met_by(residual) || left == 0 {
            break;
        }
        together *= (0.3 * options.tolerance / residual).min(0.1);
        let Ok(next) = minimum.resume(&Options::new(together, left)) else { break };
        // What stalls may be nearer all the same.
        report = Report { status: Status::Converged, ..next.with_work_of(&report) };
        residual = minimum.residual();
        if !next.converged() {
            break;
        }
    }
    if report.converged() && !options.is_met_by(residual) {
        report.status = Status::Stalled;
    }
    Report { residual, ..report }
}
