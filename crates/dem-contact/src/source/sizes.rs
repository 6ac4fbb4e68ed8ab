//! How large grains are: distributions of their radii.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::error::DemError;
use crate::error::parameter::positive;

/// What a distribution of sizes is a distribution of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Share {
    /// Of the number of grains.
    #[default]
    Number,
    /// Of their mass, at one density: the number density is the mass density over the third power of the size.
    Mass,
}

/// A distribution of radii; lengths in m.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum SizeLaw {
    /// All radii are equal.
    Equal(f64),
    /// Some radii, each with its share in any unit.
    Mix(Vec<[f64; 2]>),
    /// Uniform between two radii.
    Uniform,
    /// The normal distribution.
    Normal {
        /// Mean radius.
        mean: f64,
        /// Standard deviation of the radius.
        deviation: f64,
    },
    /// The logarithm of the radius is normal.
    Lognormal {
        /// Median radius.
        median: f64,
        /// Standard deviation of the natural logarithm of the radius.
        deviation: f64,
    },
    /// The share of larger radii is exp(−(r/scale)^shape).
    Weibull {
        /// The radius that exp(−1) are larger than.
        scale: f64,
        /// The exponent.
        shape: f64,
    },
    /// Sieves: radii of openings, ascending, and the share that passes each, from 0 to 1. Uniform in between.
    Sieves(Vec<[f64; 2]>),
}

/// Radii of grains, cut off at two ends.
///
/// ```
/// # use dem_contact::source::{GrainStream, Share, SizeLaw, Sizes};
/// let law = SizeLaw::Lognormal { median: 1e-3, deviation: 0.3 };
/// let sizes = Sizes::new(law, Share::Mass, [0.5e-3, 2e-3])?;
/// let radius = sizes.draw(&mut GrainStream { seed: 1, source: 0 }.of_grain(7));
/// assert!(radius > 0.5e-3 && radius < 2e-3);
/// # Ok::<_, dem_contact::error::DemError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sizes {
    law: SizeLaw,
    share: Share,
    low: f64,
    high: f64,
}

impl Sizes {
    /// Radii of this law between `ends` (m); laws that are lists of radii have ends of their own, and ignore these.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] for numbers without meaning, and for a law that has next to nothing between its
    /// ends.
    pub fn new(law: SizeLaw, share: Share, ends: [f64; 2]) -> Result<Self, DemError> {
        let wrong = |parameter, range, value| Err(DemError::InvalidParameter { parameter, range, value });
        let [low, high] = match &law {
            SizeLaw::Equal(radius) => [*radius; 2],
            SizeLaw::Mix(table) | SizeLaw::Sieves(table) => {
                let radii = || table.iter().map(|row| row[0]);
                [radii().fold(f64::INFINITY, f64::min), radii().fold(0.0, f64::max)]
            }
            _ => ends,
        };
        positive("the smallest radius", low)?;
        positive("the largest radius", high)?;
        if high < low {
            return wrong("the largest radius", "at least the smallest", high);
        }
        match &law {
            SizeLaw::Equal(_) | SizeLaw::Uniform => {}
            SizeLaw::Mix(table) => {
                table.iter().try_for_each(|row| positive("the share of a radius", row[1]).map(|_| ()))?;
            }
            SizeLaw::Sieves(table) => {
                let is_ascending = table.windows(2).all(|pair| pair[0][0] < pair[1][0] && pair[0][1] <= pair[1][1]);
                let [first, last] = [table.first(), table.last()].map(|row| row.map_or(f64::NAN, |row| row[1]));
                if !is_ascending || first.abs() > 0.0 || (last - 1.0).abs() > 1e-9 {
                    let range = "ascending from 0 at the smallest opening to 1 at the largest";
                    return wrong("the share that passes a sieve", range, last);
                }
            }
            SizeLaw::Normal { mean, deviation } => {
                positive("the mean radius", *mean)?;
                positive("the deviation", *deviation)?;
                if (low - mean) / deviation > 4.0 || (mean - high) / deviation > 4.0 {
                    return wrong("the mean radius", "within four deviations of the ends", *mean);
                }
            }
            SizeLaw::Lognormal { median, deviation } => {
                positive("the median radius", *median)?;
                positive("the deviation", *deviation)?;
                if (low / median).ln() / deviation > 4.0 || (median / high).ln() / deviation > 4.0 {
                    return wrong("the median radius", "within four deviations of the ends", *median);
                }
            }
            SizeLaw::Weibull { scale, shape } => {
                positive("the scale", *scale)?;
                positive("the shape", *shape)?;
                if (-(low / scale).powf(*shape)).exp() - (-(high / scale).powf(*shape)).exp() < 1e-4 {
                    return wrong("the scale", "such that a part of the sizes is between the ends", *scale);
                }
            }
        }
        Ok(Self { law, share, low, high })
    }

    /// The smallest radius in m.
    #[must_use]
    pub fn smallest(&self) -> f64 {
        self.low
    }

    /// The largest radius in m.
    #[must_use]
    pub fn largest(&self) -> f64 {
        self.high
    }

    /// The radius (m) of the grain with these random numbers.
    pub fn draw(&self, random: &mut ChaCha8Rng) -> f64 {
        if let SizeLaw::Mix(table) = &self.law {
            return self.of_mix(table, random);
        }
        loop {
            let radius = self.of_law(random);
            // Few of the largest have as much mass as many of the smallest.
            let is_taken = self.share == Share::Number || random.random::<f64>() < (self.low / radius).powi(3);
            if radius >= self.low && radius <= self.high && is_taken {
                return radius;
            }
        }
    }

    /// A radius of the law itself.
    fn of_law(&self, random: &mut ChaCha8Rng) -> f64 {
        let mut share = || random.random::<f64>();
        match &self.law {
            SizeLaw::Equal(radius) => *radius,
            SizeLaw::Uniform | SizeLaw::Mix(_) => self.low + share() * (self.high - self.low),
            SizeLaw::Normal { mean, deviation } => mean + deviation * normal([share(), share()]),
            SizeLaw::Lognormal { median, deviation } => median * (deviation * normal([share(), share()])).exp(),
            SizeLaw::Weibull { scale, shape } => scale * (-(1.0 - share()).ln()).powf(shape.recip()),
            SizeLaw::Sieves(table) => {
                let share = share();
                let above = table.partition_point(|row| row[1] <= share).clamp(1, table.len() - 1);
                let ([r0, s0], [r1, s1]) = (table[above - 1], table[above]);
                r0 + (r1 - r0) * ((share - s0) / (s1 - s0)).clamp(0.0, 1.0)
            }
        }
    }

    fn of_mix(&self, table: &[[f64; 2]], random: &mut ChaCha8Rng) -> f64 {
        let number = |row: &[f64; 2]| match self.share {
            Share::Number => row[1],
            Share::Mass => row[1] / row[0].powi(3),
        };
        let mut left = random.random::<f64>() * table.iter().map(number).sum::<f64>();
        for row in table {
            left -= number(row);
            if left < 0.0 {
                return row[0];
            }
        }
        self.high
    }
}

/// A number of the standard normal distribution from two shares in [0, 1), by Box and Muller.
fn normal([first, second]: [f64; 2]) -> f64 {
    (-2.0 * (1.0 - first).ln()).sqrt() * (std::f64::consts::TAU * second).cos()
}

#[cfg(test)]
mod tests;
