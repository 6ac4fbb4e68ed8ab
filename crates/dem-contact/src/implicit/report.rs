//! What an implicit step took.

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
