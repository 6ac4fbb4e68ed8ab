//! Exact line search for penalty energies.

use crate::penalty::Line;

/// Where the energy is least along `line`, to a tenth of its slope; `None` if the line does not lead down.
pub(crate) fn search<const D: usize, const K: usize>(line: &Line<'_, D, K>) -> Option<f64> {
    let start = line.slope(0.0);
    if start.is_nan() || start >= 0.0 {
        return None;
    }
    let (mut low, mut high) = ((0.0, start), (1.0, line.slope(1.0)));
    if high.1.abs() <= 0.5 * start.abs() {
        return Some(1.0);
    }
    for _ in 0..64 {
        if high.1 >= 0.0 {
            break;
        }
        low = high;
        high = (2.0 * low.0, line.slope(2.0 * low.0));
    }
    if high.1 < 0.0 {
        return Some(high.0);
    }
    // Regula falsi, halving the slope of an end that stays (Illinois).
    let mut kept = 0;
    for _ in 0..60 {
        let t = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
        let slope = line.slope(t);
        if slope.abs() <= 0.1 * start.abs() {
            return Some(t);
        }
        if slope < 0.0 {
            low = (t, slope);
            high.1 *= if kept < 0 { 0.5 } else { 1.0 };
            kept = -1;
        } else {
            high = (t, slope);
            low.1 *= if kept > 0 { 0.5 } else { 1.0 };
            kept = 1;
        }
    }
    (low.0 > 0.0).then_some(low.0)
}
