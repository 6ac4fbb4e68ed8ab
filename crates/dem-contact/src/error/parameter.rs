use crate::error::DemError;

/// Returns a parameter if it is finite and not negative, else an error with its name.
pub(crate) fn not_negative(parameter: &'static str, value: f64) -> Result<f64, DemError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(value);
    }
    Err(DemError::InvalidParameter { parameter, range: "finite and not negative", value })
}

/// Returns a parameter if it is finite and positive, else an error with its name.
pub(crate) fn positive(parameter: &'static str, value: f64) -> Result<f64, DemError> {
    if value.is_finite() && value > 0.0 {
        return Ok(value);
    }
    Err(DemError::InvalidParameter { parameter, range: "finite and positive", value })
}

/// Returns a parameter if it is finite, else an error with its name.
pub(crate) fn finite(parameter: &'static str, value: f64) -> Result<f64, DemError> {
    if value.is_finite() { Ok(value) } else { Err(DemError::InvalidParameter { parameter, range: "finite", value }) }
}

/// Returns a parameter if it is in [0, 1], else an error with its name.
pub(crate) fn fraction(parameter: &'static str, value: f64) -> Result<f64, DemError> {
    if (0.0..=1.0).contains(&value) {
        return Ok(value);
    }
    Err(DemError::InvalidParameter { parameter, range: "in [0, 1]", value })
}
