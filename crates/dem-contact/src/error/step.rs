use std::fmt;

use thiserror::Error;

/// Errors of implicit steps and contact dynamics.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StepError {
    /// The contact problem of a step of rigid bodies was not solved to the tolerance of the solver.
    #[error("{problem}: {status:?} after {iterations} iterations at the residual {residual:.3e}; {}", advice(*status))]
    ContactsNotSolved {
        /// Name of the contact problem that was not solved.
        problem: &'static str,
        /// Status of the solver; [`Infeasible`](cd_solve::Status::Infeasible) if walls or fixed bodies leave no room.
        status: cd_solve::Status,
        /// Number of iterations that the solver took.
        iterations: usize,
        /// Residual of the contact problem that the solver reached.
        residual: f64,
    },
    /// The recomputed residual of a solver's answer is far above the residual that the solver reports.
    #[error("{problem}: the solver reports the residual {reported:.3e}, but its answer has {found:.3e}")]
    AnswerRefused {
        /// Name of the problem whose answer is refused.
        problem: &'static str,
        /// Residual that the solver reports for the refused answer.
        reported: f64,
        /// Residual of the refused answer, recomputed from the problem.
        found: f64,
    },
    /// A cuboid is not valid, or its body cannot be a cuboid.
    #[error("cuboid {cuboid} of body {body}: {problem}")]
    InvalidCuboid {
        /// Number of the invalid cuboid, in the order in which cuboids were given.
        cuboid: usize,
        /// Number of the body that the cuboid belongs to.
        body: usize,
        /// Reason why the cuboid is not valid.
        problem: &'static str,
    },
    /// The equations of an implicit step were not solved; nothing was changed.
    #[error(
        "time {time:?}: the implicit step was not solved after {iterations} Newton iterations: residual {residual:.3e} kg m/s, allowed {allowed:.3e}; {reason}"
    )]
    StepNotSolved {
        /// Time in s at the start of the implicit step.
        time: f64,
        /// Number of Newton iterations that the implicit step took.
        iterations: usize,
        /// Largest residual of the equations of a body in kg m/s.
        residual: f64,
        /// Residual in kg m/s up to which the equations of a body count as solved.
        allowed: f64,
        /// Reason why the equations were not solved, with advice.
        reason: StepFailure,
    },
    /// A body would move by nearly half a period of the domain in one implicit step; nothing was changed.
    #[error("time {time:?}: body {body} would move by {travel:.3e} m, more than {limit:.3e} m; reduce the time step")]
    StepTooFar {
        /// Time in s at the start of the implicit step.
        time: f64,
        /// Number of the body that would move too far.
        body: usize,
        /// Displacement in m of the body that would move too far, from the start of the step to the time at which
        /// forces are evaluated.
        travel: f64,
        /// Largest displacement in m that a body may have in an implicit step.
        limit: f64,
    },
}

fn advice(status: cd_solve::Status) -> &'static str {
    match status {
        cd_solve::Status::Infeasible => {
            "there is no solution: walls or fixed bodies leave no room, or no contact forces balance the load"
        }
        cd_solve::Status::IterationLimit => "allow more iterations, or a larger tolerance",
        _ => "more iterations do not help: allow a larger tolerance, or take a smaller time step",
    }
}

/// Reason why the equations of an implicit step were not solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StepFailure {
    /// The allowed number of Newton iterations was reached.
    IterationLimit,
    /// The line search found no fraction of the Newton step that reduces the residual.
    NoDescent,
    /// The linear solver found no direction for Newton's method.
    LinearSolver,
    /// The first guess or the residual of the implicit step is not finite.
    NotFinite,
}

impl fmt::Display for StepFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::IterationLimit => "the Newton iterations ran out: try a smaller step or more iterations",
            Self::NoDescent => {
                "no part of the Newton step makes the residual smaller: try a smaller step or another linear solver"
            }
            Self::LinearSolver => "the linear solver gave no direction: try a smaller step or another linear solver",
            Self::NotFinite => "a residual is not finite: try a smaller step",
        })
    }
}
