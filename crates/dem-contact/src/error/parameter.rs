//! Single numbers and vectors: checks, and what messages say of them.

use rrp_geom::glam::DVec3;

use crate::error::DemError;

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

/// Passes a finite number.
pub(crate) fn finite(parameter: &'static str, value: f64) -> Result<f64, DemError> {
    if value.is_finite() { Ok(value) } else { Err(DemError::InvalidParameter { parameter, range: "finite", value }) }
}

/// A number as it was given: counts without a point, others with an exponent where they would be long.
pub(super) fn number(value: f64) -> String {
    if value.abs() < 1e16 && value.fract() == 0.0 { format!("{value}") } else { format!("{value:?}") }
}

/// A vector whose components are such numbers.
pub(super) fn vector(value: &DVec3) -> String {
    format!("[{}]", value.to_array().map(number).join(", "))
}

/// What a search for room was left with, if there was one.
pub(super) fn left_over(overlap: f64) -> String {
    if overlap.is_nan() { String::new() } else { format!(": {overlap:.3} radii are left over") }
}
