//! Layout of an axis from its data: range, ticks and labels.
use crate::number;
use crate::plot::axis::Scale;

/// Largest absolute value of a number on an axis: differences of larger numbers overflow.
const LARGEST: f64 = 1e300;
/// Smallest number on a logarithmic axis and smallest range of a linear one: smaller tick steps underflow.
const SMALLEST: f64 = 1e-290;

/// A tick at an axis coordinate (a number, or its decimal logarithm) with its label.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) at: f64,
    pub(crate) label: String,
}

/// Range, ticks and labels of an axis.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    scale: Scale,
    pub(crate) lo: f64,
    pub(crate) hi: f64,
    pub(crate) ticks: Vec<Tick>,
    pub(super) minor: Vec<f64>,
    /// Text with the factor and offset common to all labels of the axis, such as `×10⁻¹⁶`.
    pub(crate) remark: String,
}

/// Returns the axis coordinate of `v` (the number, or its decimal logarithm); `None` if the axis cannot show `v`.
pub(super) fn coordinate(scale: Scale, v: f64) -> Option<f64> {
    match scale {
        Scale::Linear => (v.abs() <= LARGEST).then_some(v),
        Scale::Log => (SMALLEST..=LARGEST).contains(&v).then(|| v.log10()),
    }
}

impl Layout {
    /// Fits an axis to values, with margins at both ends. Values that the axis cannot show are ignored; without any
    /// values the axis has a default range.
    pub(super) fn fit(scale: Scale, values: impl Iterator<Item = f64>, wanted_ticks: usize) -> Self {
        Self::with_room(0.04, scale, values, wanted_ticks)
    }

    /// Fits an axis as [`fit`](Self::fit) does, but exactly from the smallest to the largest value.
    pub(crate) fn tight(scale: Scale, values: impl Iterator<Item = f64>, wanted_ticks: usize) -> Self {
        // The margin keeps a tick at an end despite rounding.
        Self::with_room(1e-9, scale, values, wanted_ticks)
    }

    fn with_room(room: f64, scale: Scale, values: impl Iterator<Item = f64>, wanted_ticks: usize) -> Self {
        let (lo, hi) = values
            .filter_map(|v| coordinate(scale, v))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(v), hi.max(v)));
        let (lo, hi) = padded(scale, lo, hi, room);
        let mut axis = Self { scale, lo, hi, ticks: Vec::new(), minor: Vec::new(), remark: String::new() };
        match scale {
            Scale::Linear => axis.linear_ticks(wanted_ticks),
            Scale::Log => axis.log_ticks(wanted_ticks),
        }
        axis
    }

    /// Returns the position of `v` along the axis, from 0 (low end) to 1 (high end).
    pub(crate) fn place(&self, v: f64) -> Option<f64> {
        coordinate(self.scale, v).map(|v| self.fraction(v))
    }

    pub(crate) fn fraction(&self, at: f64) -> f64 {
        (at - self.lo) / (self.hi - self.lo)
    }

    fn linear_ticks(&mut self, wanted: usize) {
        let grid = Grid::inside(self.lo, self.hi, wanted);
        // Labels count from `origin` if the values share so many leading digits that full labels would fill the margin.
        let largest = self.lo.abs().max(self.hi.abs());
        let origin = if largest / grid.step > 2e4 { grid.first } else { 0 };
        if origin != 0 {
            let decimals = usize::try_from(-grid.exponent).unwrap_or(0);
            let value = grid.value(origin);
            let digits =
                if largest < 1e6 { format!("{:+.decimals$}", value.abs()) } else { format!("{:+e}", value.abs()) };
            self.remark = if value < 0.0 { number::minus(&digits.replace('+', "-")) } else { digits };
        }
        let reach = grid.value((grid.last - origin).abs().max((grid.first - origin).abs()));
        let power = exponent_of(reach);
        let power = if (-2..5).contains(&power) { 0 } else { power };
        if power != 0 {
            self.remark = format!("×{} {}", number::power_of_ten(power), self.remark).trim().to_owned();
        }
        let decimals = usize::try_from(power - grid.exponent).unwrap_or(0);
        for i in grid.first..=grid.last {
            // Labels are built from integers, so that they never show 0.30000000000000004 or −0.
            let label =
                format!("{:.decimals$}", (i - origin) as f64 * grid.mantissa * 10f64.powi(grid.exponent - power));
            self.ticks.push(Tick { at: grid.value(i), label: number::minus(&label) });
        }
    }

    fn log_ticks(&mut self, wanted: usize) {
        let first = self.lo.ceil() as i32;
        let last = self.hi.floor() as i32;
        let powers = usize::try_from(last - first + 1).unwrap_or(0);
        let span = self.hi - self.lo;
        let inside = |at: &f64| (self.lo..=self.hi).contains(at);
        let decades = self.lo.floor() as i32..=last.max(first);
        let between = |multiples: &[f64]| -> Vec<f64> {
            decades
                .clone()
                .flat_map(|p| multiples.iter().map(move |m| f64::from(p) + m.log10()))
                .filter(inside)
                .collect()
        };
        if powers >= 3 || (powers == 2 && span > 1.6) {
            let every = i32::try_from(powers.div_ceil(wanted)).unwrap_or(1);
            let labelled = |p: &i32| p.rem_euclid(every) == 0;
            let tick = |p: i32| Tick { at: f64::from(p), label: number::power_of_ten(p) };
            let ticks = (first..=last).filter(labelled).map(tick).collect();
            let minor = if every > 1 {
                (first..=last).filter(|p| !labelled(p)).map(f64::from).collect()
            } else if span < 6.0 {
                between(&[2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])
            } else {
                Vec::new()
            };
            (self.ticks, self.minor) = (ticks, minor);
        } else if span > 0.7 {
            let tick = |at: f64| Tick { at, label: number::short(number::rounded(10f64.powf(at), 3), 3) };
            let ticks = between(&[1.0, 2.0, 5.0]).into_iter().map(tick).collect();
            let minor = between(&[3.0, 4.0, 6.0, 7.0, 8.0, 9.0]);
            (self.ticks, self.minor) = (ticks, minor);
        } else {
            let grid = Grid::inside(10f64.powf(self.lo), 10f64.powf(self.hi), wanted);
            let tick =
                |i| Tick { at: grid.value(i).log10(), label: number::short(number::rounded(grid.value(i), 12), 6) };
            self.ticks = (grid.first..=grid.last).map(tick).collect();
        }
    }
}

/// Equidistant round numbers for ticks: `i · mantissa · 10^exponent` for `first ≤ i ≤ last`.
struct Grid {
    mantissa: f64,
    exponent: i32,
    step: f64,
    first: i64,
    last: i64,
}

impl Grid {
    fn inside(lo: f64, hi: f64, wanted: usize) -> Self {
        let rough = (hi - lo) / wanted as f64;
        let exponent = exponent_of(rough);
        let excess = rough / 10f64.powi(exponent);
        let (mantissa, exponent) = match excess {
            e if e < 1.5 => (1.0, exponent),
            e if e < 3.0 => (2.0, exponent),
            e if e < 7.0 => (5.0, exponent),
            _ => (1.0, exponent + 1),
        };
        let step = mantissa * 10f64.powi(exponent);
        // `padded` makes no range narrower than 1e-12 of its magnitude, so that the conversions do not overflow.
        Self { mantissa, exponent, step, first: (lo / step).ceil() as i64, last: (hi / step).floor() as i64 }
    }

    fn value(&self, i: i64) -> f64 {
        if self.exponent < 0 { i as f64 * self.mantissa / 10f64.powi(-self.exponent) } else { i as f64 * self.step }
    }
}

fn exponent_of(v: f64) -> i32 {
    if v > 0.0 { v.log10().floor() as i32 } else { 0 }
}

/// Widens the range of the data, `lo` to `hi`, by the fraction `room` at both ends. If the range is empty or has no
/// width, a default width replaces it.
fn padded(scale: Scale, lo: f64, hi: f64, room: f64) -> (f64, f64) {
    if lo > hi {
        return if scale == Scale::Log { (-1.0, 1.0) } else { (0.0, 1.0) };
    }
    let span = hi - lo;
    let centre = 0.5 * (lo + hi);
    match scale {
        Scale::Log if span < 0.02 => (centre - 0.5, centre + 0.5),
        // Differences in the last few bits would give ticks with equal labels.
        Scale::Linear if span <= SMALLEST.max(1e-12 * lo.abs().max(hi.abs())) => {
            let half = if centre.abs() < SMALLEST { 1.0 } else { 0.1 * centre.abs() };
            (centre - half, centre + half)
        }
        _ => (lo - room * span, hi + room * span),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(scale: Scale, values: &[f64]) -> Layout {
        Layout::fit(scale, values.iter().copied(), 6)
    }

    fn labels(axis: &Layout) -> Vec<&str> {
        axis.ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn zeros_have_no_place_on_a_log_axis_and_do_not_move_it() {
        let axis = fit(Scale::Log, &[0.0, -1.0, f64::NAN, 1e-8, 1e-2]);
        assert_eq!(axis.place(0.0), None);
        assert_eq!(axis.place(-1.0), None);
        assert!(axis.lo < -8.0 && axis.lo > -9.0 && axis.hi > -2.0 && axis.hi < -1.0);
        assert_eq!(labels(&axis), ["10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²"]);
    }

    #[test]
    fn a_log_axis_within_one_decade_labels_round_numbers() {
        assert_eq!(labels(&fit(Scale::Log, &[0.011, 0.1])), ["0.02", "0.05", "0.1"]);
        assert!(labels(&fit(Scale::Log, &[1.0, 1.2])).len() >= 3);
    }

    #[test]
    fn tiny_values_share_a_power_of_ten() {
        let axis = fit(Scale::Linear, &[-3e-16, 4e-16]);
        assert_eq!(axis.remark, "×10⁻¹⁶");
        assert_eq!(labels(&axis), ["−3", "−2", "−1", "0", "1", "2", "3", "4"]);
    }

    #[test]
    fn a_common_offset_is_taken_out_of_the_labels() {
        let axis = fit(Scale::Linear, &[1.25, 1.250_000_04]);
        assert_eq!(axis.remark, "×10⁻⁸ +1.25000000");
        assert_eq!(labels(&axis), ["0", "1", "2", "3", "4"]);
    }

    #[test]
    fn degenerate_data_still_give_an_axis() {
        for scale in [Scale::Linear, Scale::Log] {
            for values in [
                &[][..],
                &[0.0],
                &[3.0],
                &[1.0, 1.0 + f64::EPSILON],
                &[f64::NAN, f64::INFINITY],
                &[-f64::MAX, f64::MAX],
                &[1e-320, 1e-310],
                &[-1e300, 1e300],
                &[5e-324],
            ] {
                let axis = fit(scale, values);
                assert!(axis.lo < axis.hi && axis.lo.is_finite() && axis.hi.is_finite(), "{scale:?} {values:?}");
                assert!((1..20).contains(&axis.ticks.len()), "{scale:?} {values:?}: {:?}", axis.ticks);
                assert!(axis.ticks.iter().all(|t| (0.0..=1.0).contains(&axis.fraction(t.at))), "{scale:?} {values:?}");
            }
        }
    }
}
