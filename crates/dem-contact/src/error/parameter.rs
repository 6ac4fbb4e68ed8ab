//! Single numbers: checks, and what messages say of them.

use crate::DemError;

/// Passes a finite number that is not negative.
pub(crate) fn not_negative(parameter: &'static str, value: f64) -> Result<f64, DemError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(value);
    }
    Err(DemError::InvalidParameter { parameter, range: "finite and not negative", value })
}

/// Passes a finite positive number.
pub(crate) fn positive(parameter: &'static str, value: f64) -> Result<f64, DemError> {
    if value.is_finite() && value > 0.0 {
        return Ok(value);
    }
    Err(DemError::InvalidParameter { parameter, range: "finite and positive", value })
}

/// What a search for room was left with, if there was one.
pub(super) fn left_over(overlap: f64) -> String {
    if overlap.is_nan() { String::new() } else { format!(": {overlap:.3} radii are left over") }
}
