//! The report of an implicit step.

/// Report of the solution of the last implicit step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ImplicitReport {
    /// Number of Newton iterations, each with one linear system. Zero if plain iterations solved the step.
    pub newton_iterations: usize,
    /// Iterations of the linear solver in all Newton iterations; a factorisation counts as one.
    pub linear_iterations: usize,
    /// Evaluations of all contacts.
    pub evaluations: usize,
    /// Halvings of Newton steps.
    pub halvings: usize,
    /// Neighbour lists built for trial points.
    pub lists: usize,
    /// Largest residual of a body in kg m/s; angular momenta are divided by the radius of gyration.
    pub residual: f64,
    /// Largest residual of a body before the first iteration, in kg m/s.
    pub first_residual: f64,
    /// Largest momentum or impulse of a body in the step, in kg m/s. The tolerance is relative to this scale.
    pub scale: f64,
}
