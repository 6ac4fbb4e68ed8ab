//! Errors of the yardsticks.

/// A quantity could not be measured; the variants hold the values that prevent it.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A time or difference step that is not finite and positive.
    #[error("step must be finite and positive, got {step}")]
    InvalidStep {
        /// The step as given.
        step: f64,
    },
    /// A sample, or something computed from the samples, is NaN or infinite.
    #[error("value {index} is not finite: {value}")]
    NotFinite {
        /// Index in the order of the input; for a streamed quantity the number of samples before it.
        index: u64,
        /// The value found.
        value: f64,
    },
    /// Times handed to a monitor must increase strictly.
    #[error("sample {index}: time {time} does not follow {previous}")]
    TimeNotIncreasing {
        /// Number of samples before this one.
        index: u64,
        /// Time of the sample before.
        previous: f64,
        /// Time as given.
        time: f64,
    },
    /// Two columns that belong together differ in length.
    #[error("expected {expected} entries, found {found}")]
    LengthMismatch {
        /// Length of the column that sets the size.
        expected: usize,
        /// Length found.
        found: usize,
    },
    /// Not enough samples for the quantity asked for.
    #[error("needs at least {needed} samples, got {found}")]
    TooFewSamples {
        /// Smallest number that works.
        needed: u64,
        /// Number pushed.
        found: u64,
    },
    /// A relative error was asked for, but the reference vanishes.
    #[error("relative to a reference of {value}: undefined")]
    ZeroReference {
        /// The reference as given or computed.
        value: f64,
    },
    /// A convergence point with a step that is not positive, an error that is negative, or a value that is not finite.
    #[error("convergence point {index}: step {step}, error {error}")]
    InvalidPoint {
        /// Index in the input.
        index: usize,
        /// Step as given.
        step: f64,
        /// Error as given.
        error: f64,
    },
    /// Two convergence points share a step, so no slope exists between them.
    #[error("step {step} occurs twice")]
    DuplicateStep {
        /// The step.
        step: f64,
    },
    /// The selection left too few convergence points.
    #[error("an order needs at least {needed} points, {used} of {given} are left")]
    TooFewPoints {
        /// Smallest number that works.
        needed: usize,
        /// Points left after the selection.
        used: usize,
        /// Points in the input.
        given: usize,
    },
    /// A round-off floor or tolerance that is negative or NaN.
    #[error("tolerance must be non-negative, got {tolerance}")]
    InvalidTolerance {
        /// The value as given.
        tolerance: f64,
    },
    /// Canonical coordinates come in pairs (q, p): their number is even and positive.
    #[error("phase space needs an even, positive number of coordinates, got {dimension}")]
    InvalidDimension {
        /// Number of coordinates given.
        dimension: usize,
    },
    /// The parameter m = k² of an elliptic function outside [0, 1].
    #[error("elliptic parameter m = k² must lie in [0, 1], got {parameter}")]
    InvalidParameter {
        /// The parameter as given.
        parameter: f64,
    },
    /// A principal moment of inertia that is not finite and positive.
    #[error("principal inertia must be finite and positive, got {inertia} about axis {axis}")]
    InvalidInertia {
        /// Axis 0, 1 or 2.
        axis: usize,
        /// Moment as given.
        inertia: f64,
    },
}

/// Passes a finite positive step through.
pub(crate) fn positive_step(step: f64) -> Result<f64, VerifyError> {
    if step.is_finite() && step > 0.0 { Ok(step) } else { Err(VerifyError::InvalidStep { step }) }
}
