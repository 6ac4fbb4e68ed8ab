use crate::error::VerifyError;

/// Number of full batches at which neighbouring batches are merged pairwise, which halves their number.
const CAPACITY: usize = 256;
/// Fewest batches in a fit of the slope: fewer leave too few degrees of freedom for a standard error.
const LEAST_BATCHES: usize = 8;
/// Number of samples of a record for one sample in the first window, and for one in the last window.
const WINDOWS: u64 = 20;

/// Monitors a quantity over a run of any length in constant memory, with a handful of operations per sample.
///
/// The slope is fitted to the means of up to 256 consecutive batches. Neighbouring batches of an oscillating signal are
/// correlated, so the residuals underestimate the standard error. The fit is therefore repeated with batches merged
/// pairwise, down to 8, and the largest standard error counts (blocking, after Flyvbjerg & Petersen 1989).
#[derive(Debug, Clone)]
pub struct ConservationMonitor {
    initial: f64,
    start: f64,
    last_time: f64,
    samples: u64,
    batch_size: u64,
    full: Vec<Batch>,
    open: Batch,
    fault: Option<VerifyError>,
}

impl ConservationMonitor {
    /// Makes a conservation monitor without samples.
    #[must_use]
    pub fn new() -> Self {
        Self {
            initial: 0.0,
            start: 0.0,
            last_time: 0.0,
            samples: 0,
            batch_size: 1,
            full: Vec::with_capacity(CAPACITY),
            open: Batch::default(),
            fault: None,
        }
    }

    /// Takes a sample, the value of the quantity at `time`. Deviations are relative to the first sample.
    ///
    /// A sample that is not finite, or not later than the one before, ends the record: [`Self::report`] then returns
    /// the error, so that a loop needs no check per step.
    pub fn push(&mut self, time: f64, value: f64) {
        if self.fault.is_some() {
            return;
        }
        let index = self.samples;
        if index == 0 {
            (self.initial, self.start, self.last_time) = (value, time, time);
        }
        let deviation = value - self.initial;
        self.fault = if !time.is_finite() || !deviation.is_finite() {
            Some(VerifyError::NotFinite { index, value: if time.is_finite() { value } else { time } })
        } else if index > 0 && time <= self.last_time {
            Some(VerifyError::TimeNotIncreasing { index, previous: self.last_time, time })
        } else {
            None
        };
        if self.fault.is_some() {
            return;
        }
        self.samples += 1;
        self.last_time = time;
        self.open.push(time - self.start, deviation);
        if self.open.samples() == self.batch_size {
            self.full.push(std::mem::take(&mut self.open));
            if self.full.len() == CAPACITY {
                self.full = merged_pairwise(&self.full);
                self.batch_size *= 2;
            }
        }
    }

    /// Report on the samples so far; further samples may follow.
    ///
    /// # Errors
    /// The first bad sample: [`VerifyError::NotFinite`], [`VerifyError::TimeNotIncreasing`];
    /// [`VerifyError::TooFewSamples`] below 8.
    pub fn report(&self) -> Result<ConservationReport, VerifyError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        if self.samples < LEAST_BATCHES as u64 {
            return Err(VerifyError::TooFewSamples { needed: LEAST_BATCHES as u64, found: self.samples });
        }
        let mut batches = self.full.clone();
        if self.open.samples() > 0 {
            batches.push(self.open);
        }
        let total = batches.iter().fold(Batch::default(), |sum, batch| sum.merged(batch));
        let needed = self.samples.div_ceil(WINDOWS);
        let first_window = largest_in_window(batches.iter(), needed);
        let last_window = largest_in_window(batches.iter().rev(), needed);

        let Trend { slope, mut slope_error } = trend(&batches, &total);
        let mut used = batches.len();
        while batches.len() / 2 >= LEAST_BATCHES {
            batches = merged_pairwise(&batches);
            let merged = trend(&batches, &total);
            if merged.slope_error > slope_error {
                (slope_error, used) = (merged.slope_error, batches.len());
            }
        }
        Ok(ConservationReport {
            samples: self.samples,
            duration: self.last_time - self.start,
            initial: self.initial,
            largest_deviation: total.largest(),
            mean_deviation: total.mean(),
            first_window,
            last_window,
            slope,
            slope_error,
            batches: used,
        })
    }
}

fn merged_pairwise(batches: &[Batch]) -> Vec<Batch> {
    let mut merged = Vec::with_capacity(CAPACITY);
    merged.extend(batches.chunks(2).map(|pair| pair.iter().fold(Batch::default(), |sum, batch| sum.merged(batch))));
    merged
}

fn largest_in_window<'a>(batches: impl Iterator<Item = &'a Batch>, needed: u64) -> f64 {
    let mut samples = 0;
    let mut largest = 0.0_f64;
    for batch in batches {
        samples += batch.samples();
        largest = largest.max(batch.largest());
        if samples >= needed {
            break;
        }
    }
    largest
}

struct Trend {
    slope: f64,
    /// Standard error of the slope, from the residuals.
    slope_error: f64,
}

fn trend(batches: &[Batch], total: &Batch) -> Trend {
    let mut tt = 0.0;
    let mut tv = 0.0;
    for batch in batches {
        let time = batch.time() - total.time();
        tt += batch.weight() * time * time;
        tv += batch.weight() * time * (batch.mean() - total.mean());
    }
    let slope = tv / tt;
    let residual: f64 = batches
        .iter()
        .map(|batch| {
            let residual = batch.mean() - total.mean() - slope * (batch.time() - total.time());
            batch.weight() * residual * residual
        })
        .sum();
    #[expect(clippy::cast_precision_loss, reason = "at most 256 batches")]
    let freedom = batches.len() as f64 - 2.0;
    Trend { slope, slope_error: (residual / freedom / tt).sqrt() }
}

impl Default for ConservationMonitor {
    fn default() -> Self {
        Self::new()
    }
}

/// How well a quantity is conserved in a run, by its largest deviation and its secular slope.
///
/// Deviations are relative to the first sample, in the units of the quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ConservationReport {
    /// Number of samples of the watched quantity.
    pub samples: u64,
    /// Time from the first to the last sample, in the unit of the times given.
    pub duration: f64,
    /// Value of the quantity in the first sample.
    pub initial: f64,
    /// Largest |deviation| of a sample from the first one.
    pub largest_deviation: f64,
    /// Mean of all deviations from the first sample, signed.
    pub mean_deviation: f64,
    /// Largest |deviation| in the first window: the fewest first batches that hold 5 % of the samples.
    pub first_window: f64,
    /// Largest |deviation| in the last window: the fewest last batches that hold 5 % of the samples.
    pub last_window: f64,
    /// Slope of a line through the batch means: the secular change of the quantity per unit time.
    pub slope: f64,
    /// Standard error of the slope: the largest of several fits to shorter and longer batches, which accounts for
    /// correlation.
    pub slope_error: f64,
    /// Number of batches in the fit with the largest standard error.
    pub batches: usize,
}

impl ConservationReport {
    /// Whether the slope differs from zero by more than `sigmas` standard errors; true for a NaN.
    /// An oscillation of which the run holds only a few periods looks like a trend, and the random walk of accumulated
    /// rounding has a trend. So also compare `secular_change` with the change that matters to you.
    #[must_use]
    pub fn has_secular_slope(&self, sigmas: f64) -> bool {
        let is_known = self.slope.is_finite() && !self.slope_error.is_nan();
        !is_known || self.slope.abs() > sigmas * self.slope_error
    }

    /// Change of the quantity due to the trend: slope × duration, in the units of the quantity.
    #[must_use]
    pub fn secular_change(&self) -> f64 {
        self.slope * self.duration
    }
}

/// Sums over consecutive samples of the deviation from the first sample.
#[derive(Debug, Clone, Copy, Default)]
struct Batch {
    samples: u64,
    time: f64,
    deviation: f64,
    largest: f64,
}

impl Batch {
    fn push(&mut self, time: f64, deviation: f64) {
        self.samples += 1;
        self.time += time;
        self.deviation += deviation;
        self.largest = self.largest.max(deviation.abs());
    }

    fn merged(self, later: &Self) -> Self {
        Self {
            samples: self.samples + later.samples,
            time: self.time + later.time,
            deviation: self.deviation + later.deviation,
            largest: self.largest.max(later.largest),
        }
    }

    fn samples(&self) -> u64 {
        self.samples
    }

    fn weight(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "exact below 2^53 samples")]
        let weight = self.samples as f64;
        weight
    }

    fn time(&self) -> f64 {
        self.time / self.weight()
    }

    fn mean(&self) -> f64 {
        self.deviation / self.weight()
    }

    fn largest(&self) -> f64 {
        self.largest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn watch(samples: u32, dt: f64, signal: impl Fn(f64) -> f64) -> ConservationReport {
        let mut monitor = ConservationMonitor::new();
        (0..samples).map(|k| dt * f64::from(k)).for_each(|time| monitor.push(time, signal(time)));
        monitor.report().unwrap()
    }

    #[test]
    fn a_line_is_a_slope_without_error() {
        let report = watch(100_003, 0.1, |t| 5.0 + 1e-7 * t);
        assert!((report.slope - 1e-7).abs() < 1e-7 * 1e-8, "{report:?}");
        assert!(report.has_secular_slope(5.0) && report.slope_error < 1e-13);
        assert!((report.secular_change() - 1e-7 * 10_000.2).abs() < 1e-10);
        assert!((report.largest_deviation - 1e-7 * 10_000.2).abs() < 1e-12);
        assert!(report.last_window > 0.99e-3 && report.first_window < 0.06e-3);
    }

    #[test]
    fn an_oscillation_is_bounded_without_slope() {
        let report = watch(1_000_000, 0.1, |t| 1e-3 * (1.0 - (1.7 * t).cos()));
        assert!((1.9e-3..2.000_001e-3).contains(&report.largest_deviation));
        assert!(!report.has_secular_slope(4.0), "{report:?}");
        assert!(report.slope_error < 1e-11, "{report:?}");
        assert!((report.mean_deviation - 1e-3).abs() < 1e-7);
        assert!((report.first_window - report.last_window).abs() < 1e-6);
    }

    #[test]
    fn a_slope_far_below_the_oscillation_is_found() {
        let report = watch(1_000_000, 0.1, |t| 1e-3 * (1.7 * t).cos() + 1e-10 * t);
        assert!(report.has_secular_slope(5.0) && (report.slope - 1e-10).abs() < 5.0 * report.slope_error, "{report:?}");
        // The oscillation hides the trend from the bound 1e-3 + 1e-5.
        assert!(report.last_window < 2.05e-3);
    }

    #[test]
    fn slow_oscillations_are_no_slope() {
        // With 2 periods in the run, a fit that takes 256 batches as independent reports 4.4 standard errors.
        for periods in [2.0, 3.0, 5.5, 20.0, 100.0] {
            let report = watch(10_000, 1e-4, |t| (std::f64::consts::TAU * periods * t).sin());
            assert!(!report.has_secular_slope(3.0), "{periods} periods: {report:?}");
        }
    }

    #[test]
    fn a_constant_has_neither() {
        let report = watch(1000, 0.5, |_| 0.1);
        assert!(report.largest_deviation <= 0.0 && !report.has_secular_slope(0.0));
    }

    #[test]
    fn a_spike_in_the_last_twentieth_shows_there_only() {
        let report = watch(10_000, 1.0, |t| if t > 9990.0 { 7.0 } else { 0.0 });
        assert!((report.last_window - 7.0).abs() < 1e-15 && report.first_window < 1e-15);
    }

    #[test]
    fn bad_samples_end_the_record() {
        let mut monitor = ConservationMonitor::new();
        (0..7).for_each(|k| monitor.push(f64::from(k), 1.0));
        assert_eq!(monitor.report(), Err(VerifyError::TooFewSamples { needed: 8, found: 7 }));
        let mut late = monitor.clone();
        late.push(6.0, 1.0);
        late.push(7.0, 1.0);
        assert_eq!(late.report(), Err(VerifyError::TimeNotIncreasing { index: 7, previous: 6.0, time: 6.0 }));
        monitor.push(7.0, f64::NAN);
        assert!(matches!(monitor.report(), Err(VerifyError::NotFinite { index: 7, .. })));
        let mut first = ConservationMonitor::new();
        first.push(0.0, f64::INFINITY);
        assert!(matches!(first.report(), Err(VerifyError::NotFinite { index: 0, .. })));
    }

    proptest! {
        #[test]
        fn streaming_agrees_with_the_plain_regression(values in proptest::collection::vec(-1.0_f64..1.0, 256..2000)) {
            let mut monitor = ConservationMonitor::new();
            for (k, &value) in (0_u32..).zip(&values) {
                monitor.push(0.25 * f64::from(k), value);
            }
            let report = monitor.report().unwrap();
            let deviation = |value: &f64| value - values[0];
            let largest = values.iter().map(|value| deviation(value).abs()).fold(0.0, f64::max);
            let count = f64::from(u32::try_from(values.len()).unwrap());
            let mean = values.iter().map(deviation).sum::<f64>() / count;
            prop_assert!((report.largest_deviation - largest).abs() < 1e-15);
            prop_assert!((report.mean_deviation - mean).abs() < 1e-13);
            // White noise: the standard error is neither too small nor too large. Two σ of the uniform distribution are
            // 1.15.
            let expected = 12.0_f64.sqrt() / 3.0_f64.sqrt() / count.sqrt() / report.duration;
            prop_assert!(report.slope_error > 0.75 * expected && report.slope_error < 3.5 * expected);
            prop_assert!(!report.has_secular_slope(6.0));
        }
    }
}
