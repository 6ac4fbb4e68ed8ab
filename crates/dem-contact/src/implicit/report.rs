//! What an implicit step took.

use std::fmt;

/// How the last implicit step was solved.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ImplicitReport {
    /// Newton iterations, each with one linear system; none where a step is so short that plain iterations solved it.
    pub newton_iterations: usize,
    /// Iterations of the linear solver over all of them; for factors their number.
    pub linear_iterations: usize,
    /// Evaluations of all contacts.
    pub evaluations: usize,
    /// Halvings of Newton steps.
    pub halvings: usize,
    /// Neighbour lists made for trial points.
    pub lists: usize,
    /// Largest residual of a body, a momentum in kg m/s (angular momenta over the radius of gyration).
    pub residual: f64,
    /// The same before the first iteration, in kg m/s.
    pub first_residual: f64,
    /// Largest momentum or impulse of a body in the step, in kg m/s, which the tolerance refers to.
    pub scale: f64,
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
