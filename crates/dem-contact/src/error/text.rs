//! The text of numbers and vectors in messages.

use rrp_geom::glam::DVec3;

/// Formats a number for a message: integers without a point, others with an exponent if they are long.
pub(super) fn number(value: f64) -> String {
    if value.abs() < 1e16 && value.fract() == 0.0 { format!("{value}") } else { format!("{value:?}") }
}

/// Formats the components of a vector for a message.
pub(super) fn vector(value: &DVec3) -> String {
    format!("[{}]", value.to_array().map(number).join(", "))
}

/// Formats, for a message, the overlap that a search for room left; empty if there was no search.
pub(super) fn left_over(overlap: f64) -> String {
    if overlap.is_nan() { String::new() } else { format!(": the last try left an overlap of {overlap:.3} radii") }
}
