//! What can go wrong with implicit steps and contact dynamics.

use std::fmt;

use thiserror::Error;

/// What can go wrong with implicit steps and contact dynamics.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StepError {
    /// The contacts of a step of rigid bodies were not resolved to the tolerance of the solver.
    #[error(
        "{problem}: {status:?} after {iterations} iterations at the residual {residual:.3e}; allow more iterations, a larger tolerance or a smaller time step"
    )]
    ContactsNotSolved {
        /// What was to be solved.
        problem: &'static str,
        /// How the solver ended; [`Infeasible`](cd_solve::Status::Infeasible) where walls or fixed bodies leave no room.
        status: cd_solve::Status,
        /// Iterations taken.
        iterations: usize,
        /// Residual that was reached, as the problem defines it.
        residual: f64,
    },
    /// A plank is not a box, or its body is not one that can be a plank.
    #[error("plank {plank} of body {body}: {problem}")]
    InvalidPlank {
        /// The plank, in the order in which they were given.
        plank: usize,
        /// Its body.
        body: usize,
        /// What is wrong.
        problem: &'static str,
    },
    /// The equations of an implicit step were not solved; nothing was changed.
    #[error(
        "time {time:?}: the implicit step was not solved after {iterations} Newton iterations, residual {residual:.3e} kg m/s of {allowed:.3e}; {reason}"
    )]
    StepNotSolved {
        /// Time at the start of the step in s.
        time: f64,
        /// Newton iterations taken.
        iterations: usize,
        /// Largest residual of a body in kg m/s.
        residual: f64,
        /// What it may be, in kg m/s.
        allowed: f64,
        /// Why, and what to try.
        reason: StepFailure,
    },
    /// A body would move by nearly half a period of the domain in one implicit step; nothing was changed.
    #[error("time {time:?}: body {body} would move {travel:.3e} m, images are known to {limit:.3e} m: reduce the step")]
    StepTooFar {
        /// Time at the start of the step in s.
        time: f64,
        /// The body.
        body: usize,
        /// How far it would move before forces are evaluated, in m.
        travel: f64,
        /// How far it may, in m.
        limit: f64,
    },
}

/// Why the equations of an implicit step were not solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StepFailure {
    /// The Newton iterations ran out.
    IterationLimit,
    /// No part of a Newton step makes the residual smaller.
    NoDescent,
    /// The linear solver gave no direction.
    LinearSolver,
    /// The first guess or a residual is not finite.
    NotFinite,
}

impl fmt::Display for StepFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::IterationLimit => "the Newton iterations ran out: a smaller step or more iterations may help",
            Self::NoDescent => {
                "no part of the Newton step makes the residual smaller: try a smaller step or another linear solver"
            }
            Self::LinearSolver => "the linear solver gave no direction: try a smaller step or another linear solver",
            Self::NotFinite => "a residual is not finite: try a smaller step",
        })
    }
}
