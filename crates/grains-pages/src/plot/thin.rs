//! Thinning of points without visible change of a plot.

/// Returns at most about `budget` of the points, in order. Of each stretch the first, last, leftmost, rightmost, lowest
/// and highest points remain, so that neither spikes nor the width of a band are lost.
///
/// A stretch is a slice of the x axis, one or two pixels wide, if x never decreases; otherwise a number of successive
/// points.
pub(super) fn thin(points: &[(f64, f64)], budget: usize) -> Vec<(f64, f64)> {
    if points.len() <= budget.max(6) {
        return points.to_vec();
    }
    let x0 = points[0].0;
    let x1 = points[points.len() - 1].0;
    let monotone = x1 > x0 && points.windows(2).all(|pair| pair[0].0 <= pair[1].0);
    let stretches = (budget / if monotone { 4 } else { 6 }).max(1);
    let stretch_of = |i: usize| {
        if monotone {
            (((points[i].0 - x0) / (x1 - x0) * stretches as f64) as usize).min(stretches - 1)
        } else {
            i * stretches / points.len()
        }
    };
    let mut kept = Vec::with_capacity(budget);
    let mut start = 0;
    while start < points.len() {
        let stretch = stretch_of(start);
        let end = (start..points.len()).find(|&i| stretch_of(i) != stretch).unwrap_or(points.len());
        let mut indices = [start, start, start, start, start, end - 1];
        for i in start..end {
            let better = [
                points[i].0 < points[indices[1]].0,
                points[i].0 > points[indices[2]].0,
                points[i].1 < points[indices[3]].1,
                points[i].1 > points[indices[4]].1,
            ];
            for (slot, better) in indices[1..5].iter_mut().zip(better) {
                if better {
                    *slot = i;
                }
            }
        }
        // Of equal x the last point counts as the rightmost, otherwise a monotone stretch could keep five points.
        if points[indices[2]].0 <= points[end - 1].0 {
            indices[2] = end - 1;
        }
        indices.sort_unstable();
        let mut previous = None;
        for i in indices {
            if previous != Some(i) {
                kept.push(points[i]);
            }
            previous = Some(i);
        }
        start = end;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the smallest and the largest x and y of the points as bits: thinning must keep them exactly.
    fn extremes(points: &[(f64, f64)]) -> [u64; 4] {
        points
            .iter()
            .fold([f64::MAX, f64::MIN, f64::MAX, f64::MIN], |[a, b, c, d], &(x, y)| {
                [a.min(x), b.max(x), c.min(y), d.max(y)]
            })
            .map(f64::to_bits)
    }

    #[test]
    fn a_spike_of_one_point_survives() {
        let mut points: Vec<_> = (0..100_000).map(|i| (f64::from(i), (f64::from(i) * 0.37).sin())).collect();
        points[54_321].1 = 50.0;
        points[77_777].1 = -70.0;
        let thinned = thin(&points, 1000);
        assert!(thinned.len() <= 1000, "{}", thinned.len());
        assert_eq!(extremes(&thinned), extremes(&points));
        assert!(thinned.contains(&points[54_321]) && thinned.contains(&points[77_777]));
        assert_eq!((thinned[0], thinned[thinned.len() - 1]), (points[0], points[99_999]));
    }

    #[test]
    fn a_closed_orbit_keeps_its_extremes_and_order() {
        let orbit = |i: i32| ((f64::from(i) * 0.01).cos(), (f64::from(i) * 0.013).sin());
        let points: Vec<_> = (0..50_000).map(orbit).collect();
        let thinned = thin(&points, 600);
        assert!(thinned.len() <= 600);
        assert_eq!(extremes(&thinned), extremes(&points));
    }

    #[test]
    fn short_and_degenerate_input_passes() {
        assert_eq!(thin(&[], 10), []);
        assert_eq!(thin(&[(1.0, 2.0)], 0), [(1.0, 2.0)]);
        let vertical: Vec<_> = (0..1000).map(|i| (1.0, f64::from(i % 7))).collect();
        assert_eq!(extremes(&thin(&vertical, 50)), extremes(&vertical));
    }
}
