//! Statistics of simulations of the torus whose starts differ by rounding errors.
use grains_pages::number;
use std::ops::RangeInclusive;

use anyhow::Result;
use rayon::prelude::*;
use rrp_integrate::Map;

use super::course::{Course, Setting};
use crate::model::{Context, Measured};

/// Simulations of the torus by one map from starts that differ by rounding errors.
#[derive(Debug)]
pub(super) struct Ensemble {
    pub(super) map: Map,
    pub(super) courses: Vec<Course>,
}

impl Ensemble {
    /// Runs `members` simulations with the same settings.
    pub(super) fn run(context: &Context, setting: Setting, members: usize) -> Result<Self> {
        let run = |member| {
            let course = Course::run(setting, member);
            context.progress.advance(1);
            course
        };
        Ok(Self { map: setting.map, courses: (0..members).into_par_iter().map(run).collect::<Result<_>>()? })
    }

    pub(super) fn len(&self) -> f64 {
        self.courses.len() as f64
    }

    /// Ratio √(π/2) of the standard error of a median to the standard error of a mean, for normally distributed values.
    pub(super) const OF_MEDIAN: f64 = 1.2533;

    fn values<'a>(&'a self, figure: impl Fn(&Course) -> f64 + 'a) -> impl Iterator<Item = f64> + 'a {
        self.courses.iter().map(figure)
    }

    /// Returns the median of `figure` over all simulations; NaN if any value is NaN. For an even number of values it is
    /// the mean of the middle two.
    pub(super) fn median(&self, figure: impl Fn(&Course) -> f64) -> f64 {
        let mut values: Vec<f64> = self.values(figure).collect();
        if values.is_empty() || values.iter().any(|value| value.is_nan()) {
            return f64::NAN;
        }
        values.sort_by(f64::total_cmp);
        let middle = values.len() / 2;
        if values.len() % 2 == 1 { values[middle] } else { 0.5 * (values[middle - 1] + values[middle]) }
    }

    pub(super) fn mean(&self, figure: impl Fn(&Course) -> f64) -> f64 {
        self.values(figure).sum::<f64>() / self.len()
    }

    /// Returns the standard deviation of `figure` over all simulations.
    pub(super) fn spread(&self, figure: impl Fn(&Course) -> f64) -> f64 {
        let mean = self.mean(&figure);
        (self.values(|course| (figure(course) - mean).powi(2)).sum::<f64>() / (self.len() - 1.0)).sqrt()
    }

    /// Returns the median of `figure` over all simulations with its standard error.
    pub(super) fn known_median(&self, figure: impl Fn(&Course) -> f64) -> Measured {
        Measured::within(self.median(&figure), Self::OF_MEDIAN * self.spread(&figure) / self.len().sqrt())
    }

    /// Returns the share of simulations for which `is` holds, with its standard error.
    pub(super) fn share(&self, is: impl Fn(&Course) -> bool) -> Measured {
        let share = self.mean(|course| f64::from(u8::from(is(course))));
        Measured::within(share, (share * (1.0 - share) / self.len()).sqrt())
    }
}

/// Returns the range that a claim accepts for a mean over `count` simulations with the expected value `expected`, if
/// single simulations have the standard deviation `spread`. It reaches four standard errors to both sides, so that
/// correct code fails once in ten thousand times.
pub(super) fn expected(expected: f64, spread: f64, count: f64) -> RangeInclusive<f64> {
    let width = 4.0 * spread / count.sqrt();
    let digits = |edge: f64| number::rounded(edge, 3);
    digits(expected - width)..=digits(expected + width)
}

/// Returns the range that a claim accepts for a mean of values that cannot be negative; see [`expected`].
pub(super) fn expected_size(size: f64, spread: f64, count: f64) -> RangeInclusive<f64> {
    let range = expected(size, spread, count);
    range.start().max(0.0)..=*range.end()
}

/// Returns the range that a claim accepts for a share of simulations; see [`expected`].
pub(super) fn expected_share(share: f64, count: f64) -> RangeInclusive<f64> {
    let range = expected_size(share, (share * (1.0 - share)).sqrt(), count);
    *range.start()..=range.end().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ensemble(values: &[f64]) -> Ensemble {
        let course = |&value: &f64| Course { samples: Vec::new(), temperature: value };
        Ensemble { map: Map::Rodrigues25, courses: values.iter().map(course).collect() }
    }

    #[test]
    fn statistics_of_known_numbers() {
        let four = ensemble(&[4.0, 1.0, 3.0, 2.0]);
        assert!((four.median(|c| c.temperature) - 2.5).abs() < 1e-15);
        assert!((four.mean(|c| c.temperature) - 2.5).abs() < 1e-15);
        assert!((four.spread(|c| c.temperature) - (5.0_f64 / 3.0).sqrt()).abs() < 1e-15);
        let share = four.share(|c| c.temperature < 2.0);
        assert!(
            (share.value - 0.25).abs() < 1e-15
                && share.standard_error.is_some_and(|e| (e - 0.1875_f64.sqrt() / 2.0).abs() < 1e-15)
        );
        assert_eq!(ensemble(&[5.0]).known_median(|c| c.temperature), Measured::from(5.0));
        assert!((ensemble(&[5.0, 1.0, 3.0]).median(|c| c.temperature) - 3.0).abs() < 1e-15);
        assert!(ensemble(&[1.0, f64::NAN, 3.0]).median(|c| c.temperature).is_nan());
        assert!(ensemble(&[]).median(|c| c.temperature).is_nan());
    }

    #[test]
    fn four_standard_errors() {
        assert_eq!(expected(1.0, 0.5, 16.0), 0.5..=1.5);
        assert_eq!(expected(-1.0, 0.5, 16.0), -1.5..=-0.5);
        assert_eq!(expected_size(1.0, 3.0, 16.0), 0.0..=4.0);
        assert_eq!(expected_share(0.5, 100.0), 0.3..=0.7);
        assert_eq!(expected_share(0.8, 2.0), 0.0..=1.0);
    }
}
