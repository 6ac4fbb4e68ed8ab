/// Effort and residuals of the solution of the last implicit step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ImplicitReport {
    /// Number of Newton iterations of the step, each with one linear system; zero after fixed-point iterations.
    pub newton_iterations: usize,
    /// Iterations of the linear solver, summed over the Newton iterations; a factorisation counts as one.
    pub linear_iterations: usize,
    /// Number of evaluations of the contacts of all bodies in the step.
    pub evaluations: usize,
    /// Number of halvings of Newton steps by the line search.
    pub halvings: usize,
    /// Number of neighbour lists built in the step because the list was not valid for trial velocities.
    pub lists: usize,
    /// Largest residual of a body after the last iteration, in kg m/s; angular momenta over the radius of gyration.
    pub residual: f64,
    /// Largest residual of a body before the first iteration, in kg m/s.
    pub first_residual: f64,
    /// Largest momentum or impulse of a body in the step, in kg m/s, relative to which residuals are judged.
    pub scale: f64,
}
