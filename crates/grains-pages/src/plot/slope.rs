//! Position of slope guides.
use crate::plot::axis::Scale;
use crate::plot::description::Plot;
use crate::plot::layout::{Layout, coordinate};

impl Plot {
    /// Returns the ends, in decimal logarithms, of a reference line of slope `power`. The line is just below the series
    /// whose slope is nearest to `power`, and is as long as this series. `None` unless both axes are logarithmic.
    pub(super) fn slope_line(&self, y: &Layout, power: f64) -> Option<[(f64, f64); 2]> {
        if self.x.scale != Scale::Log || self.y.scale != Scale::Log {
            return None;
        }
        let steep = |pair: &[(f64, f64)]| (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0);
        let mut best: Option<(f64, Vec<(f64, f64)>)> = None;
        for series in &self.series {
            let log = |p: &(f64, f64)| Some((coordinate(Scale::Log, p.0)?, coordinate(Scale::Log, p.1)?));
            let mut points: Vec<_> = series.points.iter().filter_map(log).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            points.dedup_by(|a, b| a.0 <= b.0);
            let distance = median(points.windows(2).map(steep)).map(|slope| (slope - power).abs());
            if let Some(distance) = distance.filter(|d| best.as_ref().is_none_or(|(least, _)| d < least)) {
                best = Some((distance, points));
            }
        }
        let (_, points) = best?;
        let ((mut from, _), (mut to, _)) = (*points.first()?, *points.last()?);
        // Round-off floors and coarse steps have other slopes; the guide belongs beside the part between them.
        let straight = points.windows(2).filter(|pair| (steep(pair) - power).abs() < 0.5).map(|pair| pair[0]);
        let intercept = |p: (f64, f64)| p.1 - power * p.0;
        let intercept = median(straight.map(intercept)).or_else(|| median(points.iter().copied().map(intercept)))?;
        let intercept = intercept - 0.06 * (y.hi - y.lo);
        if power.abs() > 0.0 {
            let p = (y.lo - intercept) / power;
            let q = (y.hi - intercept) / power;
            (from, to) = (from.max(p.min(q)), to.min(p.max(q)));
        }
        let end = |x: f64| (x, intercept + power * x);
        (to > from).then(|| [end(from), end(to)])
    }
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
