use crate::util::numbers::larger;

/// Norms of the residual of a step over all bodies, and a bound on the rounding error of a residual.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ResidualNorms {
    /// Squared norm Σ |R|²/m in J of the residuals R of bodies of mass m.
    pub(super) square: f64,
    /// Sum of |R|²/m in J, weighted for each body by the mean eigenvalue of the contacts' part of its diagonal Jacobian
    /// block over its mass. The ratio to [`square`](Self::square) estimates the contraction of a fixed-point iteration;
    /// for pairs the estimate is too small.
    pub(super) feedback: f64,
    pub(super) residual: f64,
    /// Largest momentum or impulse of a body in the step, in kg m/s: the scale of the tolerance.
    pub(super) scale: f64,
    /// Bound on the residual that rounding of separations causes, in kg m/s.
    pub(super) rounding: f64,
    /// Number of contacts that overlap by a radius or more, for which no law is valid.
    pub(super) too_deep: usize,
}

impl ResidualNorms {
    /// Largest residual in kg m/s of a solved step.
    pub(super) fn allowed(&self, tolerance: f64) -> f64 {
        (tolerance * self.scale).max(self.rounding)
    }

    pub(super) fn is_solved(&self, tolerance: f64) -> bool {
        self.residual <= self.allowed(tolerance) && self.square.is_finite()
    }

    /// Returns the norms over two groups of bodies together; NaN counts as the largest.
    pub(super) fn and(self, other: &Self) -> Self {
        Self {
            square: self.square + other.square,
            feedback: self.feedback + other.feedback,
            residual: larger(self.residual, other.residual),
            scale: larger(self.scale, other.scale),
            rounding: larger(self.rounding, other.rounding),
            too_deep: self.too_deep + other.too_deep,
        }
    }
}
