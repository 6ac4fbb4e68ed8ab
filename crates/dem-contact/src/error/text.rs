use rrp_geom::glam::DVec3;

/// Formats a number for a message: whole numbers without a decimal point, long fractions with an exponent.
pub(super) fn number(value: f64) -> String {
    if value.abs() < 1e16 && value.fract() == 0.0 { format!("{value}") } else { format!("{value:?}") }
}

pub(super) fn vector(value: &DVec3) -> String {
    format!("[{}]", value.to_array().map(number).join(", "))
}

/// Formats, for a message, the largest overlap after a search for room; returns an empty text for NaN (no search).
pub(super) fn left_over(overlap: f64) -> String {
    if overlap.is_nan() { String::new() } else { format!(": the last try left an overlap of {overlap:.3} radii") }
}
