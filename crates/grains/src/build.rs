//! From a scene to bodies, walls and fields.

pub(crate) mod bodies;
pub(crate) mod checks;
pub(crate) mod parts;
mod place;
mod pour;
mod random;
pub(crate) mod table;
mod walls;

use rrp_geom::glam::DVec3;

use crate::{GrainsError, Location};

/// Passes a vector whose components are finite.
pub(crate) fn vector(key: impl Into<String>, value: [f64; 3]) -> Result<DVec3, GrainsError> {
    match value.iter().find(|component| !component.is_finite()) {
        None => Ok(DVec3::from_array(value)),
        Some(&value) => Err(GrainsError::OutOfRange { at: Location::of(key), range: "finite", value }),
    }
}

/// Passes a finite positive number.
pub(crate) fn positive(key: impl Into<String>, value: f64) -> Result<f64, GrainsError> {
    if value.is_finite() && value > 0.0 {
        return Ok(value);
    }
    Err(GrainsError::OutOfRange { at: Location::of(key), range: "finite and positive", value })
}

/// Passes a finite number above `low`, that of the key beside it.
pub(crate) fn above(key: impl Into<String>, value: f64, low: f64) -> Result<f64, GrainsError> {
    if value.is_finite() && value > low {
        return Ok(value);
    }
    Err(GrainsError::OutOfRange { at: Location::of(key), range: "finite and above `low`", value })
}

/// Passes a finite number that is not negative.
pub(crate) fn not_negative(key: impl Into<String>, value: f64) -> Result<f64, GrainsError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(value);
    }
    Err(GrainsError::OutOfRange { at: Location::of(key), range: "finite and not negative", value })
}
