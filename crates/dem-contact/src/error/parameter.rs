//! Checks of single numbers.

use crate::error::DemError;

/// Checks that a number is finite and not negative.
pub(crate) fn not_negative(parameter: &'static str, value: f64) -> Result<f64, DemError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(value);
    }
    Err(DemError::InvalidParameter { parameter, range: "finite and not negative", value })
}

/// Checks that a number is finite and positive.
pub(crate) fn positive(parameter: &'static str, value: f64) -> Result<f64, DemError> {
    if value.is_finite() && value > 0.0 {
        return Ok(value);
    }
    Err(DemError::InvalidParameter { parameter, range: "finite and positive", value })
}

/// Checks that a number is finite.
pub(crate) fn finite(parameter: &'static str, value: f64) -> Result<f64, DemError> {
    if value.is_finite() { Ok(value) } else { Err(DemError::InvalidParameter { parameter, range: "finite", value }) }
}
