//! Comparisons of numbers that may be NaN.

/// Returns the larger of two numbers; NaN counts as the largest.
#[inline(always)]
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}
