/// Reason why a quantity could not be measured, with the values that prevent it.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A time step is not finite and positive.
    #[error("step must be finite and positive, got {step}")]
    InvalidStep {
        /// Refused time step.
        step: f64,
    },
    /// A sample, or a quantity computed from samples, is NaN or infinite.
    #[error("value {index} is not finite: {value}")]
    NotFinite {
        /// Index of the first input that is not finite; the index of the last sample if the sum of an integral
        /// overflows.
        index: u64,
        /// The sample or quantity that is NaN or infinite.
        value: f64,
    },
    /// The time of a sample is not later than the time of the sample before.
    #[error("sample {index}: time {time} does not follow {previous}")]
    TimeNotIncreasing {
        /// Number of samples before the refused sample.
        index: u64,
        /// Time of the sample before the refused sample.
        previous: f64,
        /// Refused time, which is not later than `previous`.
        time: f64,
    },
    /// Two paths that are compared differ in the number of instants, or of bodies at an instant.
    #[error("expected {expected} entries, found {found}")]
    LengthMismatch {
        /// Number of instants of the reference path, or of its bodies at an instant.
        expected: usize,
        /// Number of instants of the computed path, or of its bodies at an instant.
        found: usize,
    },
    /// A streamed quantity has too few samples so far.
    #[error("needs at least {needed} samples, got {found}")]
    TooFewSamples {
        /// Smallest number of samples that the quantity needs.
        needed: u64,
        /// Number of samples taken so far.
        found: u64,
    },
    /// A relative error is undefined, since the reference is zero.
    #[error("relative to a reference of {value}: undefined")]
    ZeroReference {
        /// Reference that the error should be relative to, as given or computed.
        value: f64,
    },
    /// A point of a convergence study has a step that is not positive, a negative error, or a value that is not finite.
    #[error("convergence point {index}: step {step}, error {error}")]
    InvalidPoint {
        /// Index of the refused point in the input.
        index: usize,
        /// Step size of the refused point.
        step: f64,
        /// Error of the refused convergence point.
        error: f64,
    },
    /// Two points of a convergence study have one step size, so no slope exists between them.
    #[error("step {step} occurs twice")]
    DuplicateStep {
        /// Step size that occurs twice.
        step: f64,
    },
    /// The selection left too few convergence points for a fit of the order.
    #[error("an order needs at least {needed} points, {used} of {given} are left")]
    TooFewPoints {
        /// Smallest number of points for a fit.
        needed: usize,
        /// Number of points left after the selection.
        used: usize,
        /// Number of convergence points in the input.
        given: usize,
    },
    /// A round-off floor or tolerance is negative or NaN.
    #[error("tolerance must be non-negative, got {tolerance}")]
    InvalidTolerance {
        /// Refused round-off floor or tolerance.
        tolerance: f64,
    },
    /// The number of canonical coordinates (q, p) is not even and positive.
    #[error("phase space needs an even, positive number of coordinates, got {dimension}")]
    InvalidDimension {
        /// Refused number of canonical coordinates, which is odd or zero.
        dimension: usize,
    },
    /// The parameter m = k² of an elliptic function is outside [0, 1].
    #[error("elliptic parameter m = k² must lie in [0, 1], got {parameter}")]
    InvalidParameter {
        /// Refused parameter m = k² of the elliptic function.
        parameter: f64,
    },
    /// A principal moment of inertia of a top is not finite and positive.
    #[error("principal inertia must be finite and positive, got {inertia} about axis {axis}")]
    InvalidInertia {
        /// Body axis (0, 1 or 2) of the refused moment of inertia.
        axis: usize,
        /// Refused principal moment of inertia in kg m².
        inertia: f64,
    },
}

pub(crate) fn positive_step(step: f64) -> Result<f64, VerifyError> {
    if step.is_finite() && step > 0.0 { Ok(step) } else { Err(VerifyError::InvalidStep { step }) }
}
