//! Energy error over time in one long simulation of the torus of `[BG21]`.
use anyhow::Result;
use dem_contact::bond::ShearForm;
use grains_pages::number::larger;
use rrp_integrate::{Explicit, Map};

use super::ring::{Reading, Ring};

/// Time between two samples of the energy in s.
pub(super) const SAMPLING: f64 = 0.1;
/// Time in s from which the trend of the energy is evaluated; by then the torus has left the wall.
pub(super) const FREE_FROM: f64 = 25.0;

/// Settings of a long simulation of the torus.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) reading: Reading,
    pub(super) map: Map,
    /// Time step of the simulation in s.
    pub(super) h: f64,
    /// Simulated time in s.
    pub(super) duration: f64,
    /// Whether grains repel each other where they touch.
    pub(super) contacts: bool,
}

/// Relative energy error E/E₀ − 1 over time in one simulation that starts with the energy E₀.
#[derive(Debug)]
pub(super) struct Course {
    /// Samples of the time t in s and of the error E/E₀ − 1.
    pub(super) samples: Vec<(f64, f64)>,
    /// Temperature of the relative motion of bonded neighbours along their bonds, as energy over E₀, averaged from
    /// [`FREE_FROM`] on.
    pub(super) temperature: f64,
}

impl Course {
    /// Simulates the torus. Simulations with different `member`s differ at the start by rounding errors only.
    pub(super) fn run(setting: Setting, member: usize) -> Result<Self> {
        let Setting { reading, map, h, duration, contacts } = setting;
        let mut ring = Ring::new(reading, ShearForm::Printed, map)?;
        if !contacts {
            ring = ring.without_contacts()?;
        }
        ring.nudge(member);
        let start = ring.ledger().mechanical();
        let mut stepper = Explicit::new(map, h)?;
        let stride = (SAMPLING / h).round() as usize;
        let mut samples = vec![(0.0, 0.0)];
        let mut temperature = 0.0;
        let mut count = 0.0;
        for _ in 0..(duration / SAMPLING).round() as usize {
            ring.run(&mut stepper, stride)?;
            let row = ring.ledger();
            samples.push((row.time, row.mechanical() / start - 1.0));
            if row.time >= FREE_FROM {
                temperature += ring.temperature() / start;
                count += 1.0;
            }
        }
        Ok(Self { samples, temperature: temperature / count })
    }

    /// Returns the largest |E/E₀ − 1| up to the time `time` (s).
    pub(super) fn largest_until(&self, time: f64) -> f64 {
        let until = self.samples.iter().filter(|sample| sample.0 <= time);
        until.fold(0.0, |largest, sample| larger(largest, sample.1.abs()))
    }

    /// Returns the largest |E/E₀ − 1| of the whole simulation.
    pub(super) fn largest(&self) -> f64 {
        self.largest_until(f64::INFINITY)
    }

    /// Fits a line to E/E₀ − 1 from [`FREE_FROM`] on, and returns its slope in 1/s and the root mean square of the
    /// residuals.
    pub(super) fn trend(&self) -> (f64, f64) {
        let free = || self.samples.iter().filter(|sample| sample.0 > FREE_FROM - 0.5 * SAMPLING);
        let count = free().count() as f64;
        let mean = |of: &dyn Fn(f64, f64) -> f64| free().map(|&(t, error)| of(t, error)).sum::<f64>() / count;
        let time = mean(&|t, _| t);
        let level = mean(&|_, error| error);
        let slope = mean(&|t, error| (t - time) * (error - level)) / mean(&|t, _| (t - time).powi(2));
        (slope, mean(&|t, error| (error - level - slope * (t - time)).powi(2)).sqrt())
    }

    pub(super) fn slope(&self) -> f64 {
        self.trend().0
    }

    /// Returns the absolute slope of [`Self::trend`] times the last time, over the root mean square of the residuals. A
    /// value below one means that the trend is hidden in the scatter.
    pub(super) fn trend_over_scatter(&self) -> f64 {
        let (slope, scatter) = self.trend();
        slope.abs() * self.samples.last().map_or(f64::NAN, |sample| sample.0) / scatter
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_alternating_residuals_has_its_slope_and_their_size() {
        let sample = |k: i32| {
            let time = 0.1 * f64::from(k);
            let sign = f64::from(1 - 2 * (k % 2));
            // Earlier samples must not affect the trend.
            (time, if time < 24.9 { 7.0 } else { 1e-3 * time + 0.25 * sign })
        };
        let course = Course { samples: (0..=1000).map(sample).collect(), temperature: 0.0 };
        let (slope, scatter) = course.trend();
        assert!((slope - 1e-3).abs() < 1e-4 && (scatter - 0.25).abs() < 1e-3, "{slope}, {scatter}");
        assert!((course.trend_over_scatter() - slope * 100.0 / scatter).abs() < 1e-12);
        assert!((course.largest() - 7.0).abs() < 1e-15 && course.largest_until(30.0) > 6.9);
    }

    #[test]
    fn motions_a_rounding_error_apart_start_alike_and_differ() {
        let reading = Reading::UnitGrains;
        let map = Map::Rodrigues25;
        let setting = Setting { reading, map, h: 1e-2, duration: 12.0, contacts: true };
        let run = |member| Course::run(setting, member).unwrap();
        let [same, again, other] = [0, 0, 1].map(run);
        assert_eq!(same.samples, again.samples);
        assert_ne!(same.samples, other.samples);
        assert!(same.samples.iter().zip(&other.samples).all(|(a, b)| (a.1 - b.1).abs() < 1e-9));
    }
}
