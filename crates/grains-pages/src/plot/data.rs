//! Data of a plot for interactive display in a page.
use serde_json::{Value, json};

use crate::number;
use crate::plot::axis::{Axis, Scale};
use crate::plot::description::{Guide, Plot};
use crate::plot::layout::{Layout, coordinate};
use crate::plot::series::{MOST_STRETCHES, Series};
use crate::plot::thin::thin;
use crate::plot::{notation, palette};

/// Largest number of points of all series of one interactive plot; the CSV file has all points.
const BUDGET: usize = 9000;

impl Plot {
    /// Returns the plot as JSON for `plots.js`: axes, series, guides, and whether indistinguishable points were left
    /// out. The points of a series are one list x, y, x, y, … with null for gaps.
    #[must_use]
    pub fn data(&self) -> Value {
        let fit = |axis: &Axis, value: fn(&(f64, f64)) -> f64| {
            Layout::fit(axis.scale, self.series.iter().flat_map(|s| &s.points).map(value), 6)
        };
        let x = fit(&self.x, |p| p.0);
        let y = fit(&self.y, |p| p.1);
        let mut is_thinned = false;
        let series: Vec<Value> = self
            .series
            .iter()
            .enumerate()
            .map(|(i, series)| {
                let number = series.colour.unwrap_or(i);
                let pattern = palette::pattern(number).map(|[on, off]| format!("{on}px,{off}px"));
                let marker = series.marker.map(|marker| format!("{marker:?}").to_lowercase());
                let points = self.points(series, [&x, &y]);
                let given = series.points.iter().filter(|point| x.place(point.0).and(y.place(point.1)).is_some());
                is_thinned |= points.iter().flatten().count() / 2 < given.count();
                json!({
                    "name": series.html_name(), "line": series.line, "fill": series.fill, "bars": series.bars,
                    "colours": palette::both(number), "pattern": pattern, "marker": marker, "points": points,
                })
            })
            .collect();
        let guide = |guide: &Guide| match guide {
            Guide::Level { value, name } => Some(json!({ "name": name, "level": rounded(*value, 12) })),
            Guide::Upright { value, name } => Some(json!({ "name": name, "upright": rounded(*value, 12) })),
            Guide::Slope(power) => {
                let ends = self.slope_line(&y, *power)?.map(|(x, y)| [x, y].map(|at| rounded(10f64.powf(at), 6)));
                Some(json!({ "name": format!("slope {}", number::short(*power, 3)), "ends": ends }))
            }
        };
        let axis = |axis: &Axis| json!({ "label": notation::html(&axis.label()), "log": axis.scale == Scale::Log });
        json!({
            "title": self.title, "x": axis(&self.x), "y": axis(&self.y), "series": series,
            "guides": self.guides.iter().filter_map(guide).collect::<Vec<_>>(), "thinned": is_thinned,
        })
    }

    /// Returns the points of a series. If there are more than can be distinguished, each stretch between gaps is
    /// thinned.
    fn points(&self, series: &Series, layouts: [&Layout; 2]) -> Vec<Option<f64>> {
        let scales = [self.x.scale, self.y.scale];
        let place = |&(x, y): &(f64, f64)| Some((coordinate(scales[0], x)?, coordinate(scales[1], y)?));
        let placed: Vec<_> = series.points.iter().map(place).collect();
        let share = BUDGET / self.series.len().max(1);
        let mut out: Vec<Option<f64>> = Vec::new();
        // Gaps are kept if a reader could see them.
        let has_few_gaps =
            placed.split(Option::is_none).filter(|stretch| !stretch.is_empty()).count() <= MOST_STRETCHES;
        let joined: Vec<_> =
            if has_few_gaps { Vec::new() } else { placed.iter().copied().filter(Option::is_some).collect() };
        let stretched = if has_few_gaps { &placed } else { &joined };
        for stretch in stretched.split(Option::is_none) {
            let stretch: Vec<(f64, f64)> = stretch.iter().copied().flatten().collect();
            if stretch.is_empty() {
                continue;
            }
            if !out.is_empty() {
                out.extend([None, None]);
            }
            let kept =
                if series.fill { stretch } else { thin(&stretch, (share * stretch.len()).div_ceil(placed.len())) };
            out.extend(kept.into_iter().flat_map(|(x, y)| {
                [(x, scales[0], layouts[0]), (y, scales[1], layouts[1])]
                    .map(|(at, scale, layout)| Some(back(at, scale, layout)))
            }));
        }
        out
    }
}

/// Converts an axis coordinate (a number, or its decimal logarithm) to the number, with as many digits as are visible.
fn back(at: f64, scale: Scale, layout: &Layout) -> f64 {
    match scale {
        Scale::Log => rounded(10f64.powf(at), 7),
        Scale::Linear => {
            // Digits below a millionth of the axis are noise here, whatever digits precede them.
            let digits = (at.abs() / (layout.hi - layout.lo)).log10().max(0.0) as usize;
            rounded(at, (7 + digits).min(17))
        }
    }
}

fn rounded(v: f64, digits: usize) -> f64 {
    number::rounded(v, digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::marker::Marker;

    #[test]
    fn gaps_stay_and_what_has_no_place_on_a_log_axis_is_one() {
        let points = [(1.0, 1e-3), (2.0, 0.0), (3.0, 2.5e-4)];
        let plot = Plot::new("p", "t", Axis::linear("x", "s"), Axis::log("y", "J"))
            .series(Series::line("s", points).marker(Marker::Square))
            .level(1.0, "one")
            .upright(2.0, "two");
        let data = plot.data();
        assert_eq!(data["series"][0]["points"], json!([1.0, 0.001, null, null, 3.0, 0.00025]));
        assert_eq!((&data["x"]["label"], &data["y"]["log"]), (&json!("<i>x</i> [s]"), &json!(true)));
        assert_eq!((&data["series"][0]["marker"], &data["guides"][0]["level"]), (&json!("square"), &json!(1.0)));
        assert_eq!(data["guides"][1], json!({ "name": "two", "upright": 2.0 }));
        assert_eq!(data["thinned"], false);
    }

    #[test]
    fn differences_in_the_ninth_digit_survive_and_a_hundred_thousand_points_are_thinned() {
        let offset = Plot::new("p", "", Axis::linear("x", ""), Axis::linear("y", ""))
            .series(Series::line("", [(0.0, 1.25), (1.0, 1.250_000_01)]));
        assert_eq!(offset.data()["series"][0]["points"][3], json!(1.250_000_01));
        let wave = (0..100_000).map(|i| (f64::from(i), (0.01 * f64::from(i)).sin()));
        let long = Plot::new("p", "", Axis::linear("x", ""), Axis::linear("y", "")).series(Series::line("", wave));
        assert!(long.data().to_string().len() < 250_000);
        assert_eq!(long.data()["thinned"], true);
    }
}
