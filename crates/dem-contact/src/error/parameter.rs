//! Checks of single numbers.

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
