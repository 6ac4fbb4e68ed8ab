use crate::error::{VerifyError, positive_step};

/// Period of an oscillation, measured from its zero crossings.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MeasuredPeriod {
    /// Mean period in s: time from the first to the last crossing, divided by the number of cycles.
    pub period: f64,
    /// Number of whole cycles between the first and the last crossing.
    pub cycles: u64,
    /// Longest minus shortest cycle in s: rounding for a periodic signal, more for other signals.
    pub spread: f64,
}

/// Number of samples in the interpolation of a crossing: a quintic, three samples on either side.
const STENCIL: usize = 6;

/// Measures the period of an oscillation about zero from its upward zero crossings, sample by sample.
///
/// Each crossing is the root of the quintic through the six samples around it, with an error O(dt⁶). Crossings in the
/// first two and last two intervals of a record are not found. Memory is constant: the meter keeps the first and the
/// last crossing, and the extreme distances between neighbouring crossings.
#[derive(Debug, Clone)]
pub struct PeriodMeter {
    dt: f64,
    window: [f64; STENCIL],
    samples: u64,
    crossings: u64,
    first: f64,
    last: f64,
    shortest: f64,
    longest: f64,
}

impl PeriodMeter {
    /// Makes a period meter without samples, for samples `dt` (s) apart.
    ///
    /// # Errors
    /// [`VerifyError::InvalidStep`].
    pub fn new(dt: f64) -> Result<Self, VerifyError> {
        Ok(Self {
            dt: positive_step(dt)?,
            window: [f64::NAN; STENCIL],
            samples: 0,
            crossings: 0,
            first: 0.0,
            last: 0.0,
            shortest: f64::INFINITY,
            longest: 0.0,
        })
    }

    /// Takes the next sample of the oscillation. A NaN hides the crossings near it.
    pub fn push(&mut self, value: f64) {
        self.window.rotate_left(1);
        self.window[STENCIL - 1] = value;
        self.samples += 1;
        let all_known = self.window.iter().all(|sample| sample.is_finite());
        if all_known && self.window[2] < 0.0 && self.window[3] >= 0.0 {
            #[expect(clippy::cast_precision_loss, reason = "exact below 2^53 samples")]
            let cell = (self.samples - STENCIL as u64) as f64;
            let time = (cell + root(&self.window)) * self.dt;
            if self.crossings == 0 {
                self.first = time;
            } else {
                self.shortest = self.shortest.min(time - self.last);
                self.longest = self.longest.max(time - self.last);
            }
            self.last = time;
            self.crossings += 1;
        }
    }

    /// Period of the oscillation from the crossings so far.
    ///
    /// # Errors
    /// [`VerifyError::TooFewSamples`], which counts upward crossings: two are needed.
    pub fn measured(&self) -> Result<MeasuredPeriod, VerifyError> {
        if self.crossings < 2 {
            return Err(VerifyError::TooFewSamples { needed: 2, found: self.crossings });
        }
        let cycles = self.crossings - 1;
        #[expect(clippy::cast_precision_loss, reason = "exact below 2^53 cycles")]
        let period = (self.last - self.first) / cycles as f64;
        Ok(MeasuredPeriod { period, cycles, spread: self.longest - self.shortest })
    }
}

/// The root in [2, 3] of the polynomial through (0, y₀) … (5, y₅) for samples with y₂ < 0 <= y₃.
fn root(samples: &[f64; STENCIL]) -> f64 {
    let mut coefficients = *samples;
    let mut divisor = 0.0;
    for level in 1..STENCIL {
        divisor += 1.0;
        for index in (level..STENCIL).rev() {
            coefficients[index] = (coefficients[index] - coefficients[index - 1]) / divisor;
        }
    }
    let polynomial = |at: f64| {
        let nodes = [0.0, 1.0, 2.0, 3.0, 4.0];
        coefficients[..STENCIL - 1]
            .iter()
            .zip(nodes)
            .rev()
            .fold(coefficients[STENCIL - 1], |value, (coefficient, node)| value * (at - node) + coefficient)
    };
    // 52 bisections reach the last bit of a number in [2, 3], whatever the shape of the polynomial.
    let mut low = 2.0;
    let mut high = 3.0;
    for _ in 0..52 {
        let middle = 0.5 * (low + high);
        if polynomial(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::free_top::FreeTop;
    use proptest::prelude::*;
    use rrp_geom::glam::DVec3;

    fn measure(dt: f64, samples: u32, signal: impl Fn(f64) -> f64) -> Result<MeasuredPeriod, VerifyError> {
        let mut meter = PeriodMeter::new(dt)?;
        (0..samples).for_each(|k| meter.push(signal(dt * f64::from(k))));
        meter.measured()
    }

    #[test]
    fn the_exact_top_gives_its_period_back() {
        let top = FreeTop::new(DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.01, 1.0, 0.0)).unwrap();
        let found = measure(0.1, 3000, |time| top.spin_body(time).y).unwrap();
        assert_eq!(found.cycles, 6);
        let exact = top.period().unwrap();
        assert!((found.period / exact - 1.0).abs() < 1e-9, "{found:?} {exact}");
    }

    #[test]
    fn crossings_converge_with_the_sixth_power() {
        // Harmonics shift crossings within an interval, so one cycle shows the interpolation error.
        let error = |dt: f64| {
            let found = measure(dt, 400, |time| time.sin() + 0.3 * (2.0 * time).cos() - 0.1).unwrap();
            (found.period / std::f64::consts::TAU - 1.0).abs().max(found.spread)
        };
        let ratio = error(0.4) / error(0.2);
        assert!(ratio > 20.0 && error(0.1) < 1e-7, "{ratio}");
    }

    #[test]
    fn a_quintic_is_located_exactly() {
        let quintic = |t: f64| (t - 2.371) * (t * t * t * t + 3.0);
        let samples = std::array::from_fn(|k| quintic(f64::from(u8::try_from(k).unwrap())));
        assert!((root(&samples) - 2.371).abs() < 1e-14);
        assert!((root(&[-3.0, -2.0, -1.0, 0.0, 1.0, 2.0]) - 3.0).abs() < 1e-15);
    }

    #[test]
    fn one_crossing_is_no_period() {
        let found = measure(0.1, 100, |time| time - 4.0);
        assert_eq!(found, Err(VerifyError::TooFewSamples { needed: 2, found: 1 }));
        assert!(PeriodMeter::new(f64::NAN).is_err());
        let gap = measure(0.1, 200, |time| if time < 10.0 { time.sin() } else { f64::NAN });
        assert!(gap.is_err());
    }

    proptest! {
        #[test]
        fn a_sine_of_any_phase(period in 1.0_f64..3.0, phase in 0.0_f64..6.3) {
            let rate = std::f64::consts::TAU / period;
            let found = measure(0.02, 2000, |time| (rate * time + phase).sin()).unwrap();
            prop_assert!((found.period / period - 1.0).abs() < 1e-8, "{found:?} {period}");
            prop_assert!(found.spread < 1e-6);
        }
    }
}
