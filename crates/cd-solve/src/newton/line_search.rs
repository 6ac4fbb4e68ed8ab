use crate::newton::penalty::Line;

/// Slope of the energy at which a line search ends, relative to the slope at its start.
const SLOPE_TO_REACH: f64 = 0.1;

/// Largest relative slope at the end of a whole Newton step that needs no search.
const SLOPE_OF_WHOLE_STEP: f64 = 0.5;

#[derive(Debug, Clone, Copy)]
struct Point {
    t: f64,
    slope: f64,
}

/// End of the bracket that the last iteration of regula falsi has moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moved {
    Low,
    High,
}

/// Finds the step length t at which the energy along `line` is about least: the slope is at most a tenth of that at 0.
/// `None` if the energy does not fall along the line.
pub(super) fn search<const D: usize, const K: usize>(line: &Line<'_, D, K>) -> Option<f64> {
    let at = |t: f64| Point { t, slope: line.slope(t) };
    let start = at(0.0);
    if start.slope.is_nan() || start.slope >= 0.0 {
        return None;
    }
    let mut low = start;
    let mut high = at(1.0);
    if high.slope.abs() <= SLOPE_OF_WHOLE_STEP * start.slope.abs() {
        return Some(1.0);
    }
    for _ in 0..64 {
        if high.slope >= 0.0 {
            break;
        }
        low = high;
        high = at(2.0 * low.t);
    }
    if high.slope < 0.0 {
        return Some(high.t);
    }
    // Regula falsi that halves the slope of an end that stays twice (Illinois).
    let mut moved = None;
    for _ in 0..60 {
        let middle = at((low.t * high.slope - high.t * low.slope) / (high.slope - low.slope));
        if middle.slope.abs() <= SLOPE_TO_REACH * start.slope.abs() {
            return Some(middle.t);
        }
        if middle.slope < 0.0 {
            low = middle;
            high.slope *= if moved == Some(Moved::Low) { 0.5 } else { 1.0 };
            moved = Some(Moved::Low);
        } else {
            high = middle;
            low.slope *= if moved == Some(Moved::High) { 0.5 } else { 1.0 };
            moved = Some(Moved::High);
        }
    }
    (low.t > 0.0).then_some(low.t)
}
