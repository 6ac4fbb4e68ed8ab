use crate::double_double::DoubleDouble;
use crate::error::{VerifyError, positive_step};

/// The integral ∫ f dt by the trapezoidal rule from samples pushed one at a time, `dt` apart, in constant memory.
///
/// The sum is compensated (Neumaier), so that its rounding error does not grow with the number of samples. A NaN or
/// infinite sample makes the integral NaN or infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trapezoid {
    dt: f64,
    sum: f64,
    compensation: f64,
    first: f64,
    last: f64,
    samples: u64,
    /// Index and value of the first sample that is NaN or infinite.
    first_bad: Option<(u64, f64)>,
}

impl Trapezoid {
    /// Makes a trapezoidal rule without samples, for samples `dt` (s) apart.
    ///
    /// # Errors
    /// [`VerifyError::InvalidStep`] unless `dt` is finite and positive.
    pub fn new(dt: f64) -> Result<Self, VerifyError> {
        let dt = positive_step(dt)?;
        Ok(Self { dt, sum: 0.0, compensation: 0.0, first: 0.0, last: 0.0, samples: 0, first_bad: None })
    }

    /// Takes the sample at the time `dt · samples()` after the first sample.
    pub fn push(&mut self, value: f64) {
        if self.samples == 0 {
            self.first = value;
        }
        if !value.is_finite() {
            self.first_bad = self.first_bad.or(Some((self.samples, value)));
        }
        self.last = value;
        self.samples += 1;
        let DoubleDouble { hi, lo } = DoubleDouble::sum(self.sum, value);
        self.compensation += lo;
        self.sum = hi;
    }

    /// The integral over the samples so far; zero for fewer than two samples.
    #[must_use]
    pub fn integral(&self) -> f64 {
        if self.samples < 2 {
            return 0.0;
        }
        self.dt * ((self.sum - 0.5 * (self.first + self.last)) + self.compensation)
    }

    /// Length T (s) of the time interval between the first and the last sample; zero before the second sample.
    #[must_use]
    pub fn duration(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "exact below 2^53 samples")]
        let intervals = self.samples.saturating_sub(1) as f64;
        self.dt * intervals
    }

    /// Number of samples so far.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.samples
    }

    pub(crate) fn scale(&mut self, factor: f64) {
        for number in [&mut self.sum, &mut self.compensation, &mut self.first, &mut self.last] {
            *number *= factor;
        }
    }

    /// The integral over the samples so far, or an error for fewer than two samples or a sum that is not finite.
    pub(crate) fn checked(&self) -> Result<f64, VerifyError> {
        if self.samples < 2 {
            return Err(VerifyError::TooFewSamples { needed: 2, found: self.samples });
        }
        let value = self.integral();
        if value.is_finite() {
            return Ok(value);
        }
        // All samples are finite: the sum overflowed, at the last sample at the latest.
        let (index, value) = self.first_bad.unwrap_or((self.samples - 1, value));
        Err(VerifyError::NotFinite { index, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integrate(dt: f64, samples: impl IntoIterator<Item = f64>) -> f64 {
        let mut rule = Trapezoid::new(dt).unwrap();
        samples.into_iter().for_each(|value| rule.push(value));
        rule.integral()
    }

    #[test]
    fn a_straight_line_is_integrated_exactly() {
        let value = integrate(0.25, (0..=8).map(|k| 3.0 * 0.25 * f64::from(k) + 1.0));
        assert!((value - 8.0).abs() < 1e-15);
    }

    #[test]
    fn the_error_on_sin_squared_over_whole_periods_vanishes() {
        let dt = std::f64::consts::TAU / 16.0;
        let value = integrate(dt, (0..=16).map(|k| (dt * f64::from(k)).sin().powi(2)));
        assert!((value - std::f64::consts::PI).abs() < 1e-14);
    }

    #[test]
    fn ten_million_samples_keep_their_digits() {
        // 0.1 is not a binary number: a plain sum has an error of about 1e-10 here.
        let value = integrate(0.001, std::iter::repeat_n(0.1, 10_000_001));
        assert!((value / 1000.0 - 1.0).abs() < 4e-16, "{value}");
    }

    #[test]
    fn few_samples_and_bad_steps_are_refused() {
        let mut rule = Trapezoid::new(1.0).unwrap();
        rule.push(5.0);
        assert_eq!(rule.checked(), Err(VerifyError::TooFewSamples { needed: 2, found: 1 }));
        rule.push(f64::INFINITY);
        rule.push(1.0);
        assert_eq!(rule.checked(), Err(VerifyError::NotFinite { index: 1, value: f64::INFINITY }));
        for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(Trapezoid::new(dt), Err(VerifyError::InvalidStep { .. })));
        }
    }
}
