use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::error::DemError;
use crate::error::parameter::positive;

/// Smallest fraction of the radii drawn from a size law that has to be between the ends and accepted. A law with less
/// is refused, since a radius would take too many draws.
const TAKEN: f64 = 1e-4;
/// Number of cells of the density of a size law, from which the share of accepted draws is estimated.
const CELLS: u32 = 4000;

/// Whether shares of radii are by number or by mass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Share {
    /// Shares of the number of grains.
    #[default]
    Number,
    // The number density is the mass density over the third power of the radius.
    /// Shares of the mass of grains, all of the same material density.
    Mass,
}

/// Distribution of the radii of grains in m, before it is cut off at its ends.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum SizeLaw {
    /// Equal radii of all grains, in m.
    Equal(f64),
    /// Discrete radii: rows of a radius in m and its [share](Share) of the number or mass of grains, in any unit.
    Mix(Vec<[f64; 2]>),
    /// Uniform distribution of radii between the two ends.
    Uniform,
    /// Normal distribution of radii, cut off at the two ends.
    Normal {
        /// Mean radius in m.
        mean: f64,
        /// Standard deviation of the radius in m.
        deviation: f64,
    },
    /// Lognormal distribution, in which the logarithm of the radius is normal.
    Lognormal {
        /// Median radius in m.
        median: f64,
        /// Standard deviation of the natural logarithm of the radius.
        deviation: f64,
    },
    /// Weibull distribution: the share of radii above r is exp(−(r/scale)^shape).
    Weibull {
        /// Scale in m: the radius that a share of exp(−1) exceeds.
        scale: f64,
        /// Exponent (shape).
        shape: f64,
    },
    /// Sieves: rows of the radius of an opening in m, ascending, and the [share](Share) of number or mass that passes
    /// it, from 0 to 1. Radii are uniform between two openings.
    Sieves(Vec<[f64; 2]>),
}

/// Distribution of the radii of grains: a size law, cut off at two ends.
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
    /// Makes radii of this law between `ends`, the smallest and the largest radius (m). Equal radii, mixes and sieves
    /// have their own ends and ignore `ends`.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] for invalid numbers, and for a law of which [`draw`](Self::draw) accepts less
    /// than one radius in 10 000: few radii are between the ends, or, by mass, the smallest radius is far below common
    /// ones.
    pub fn new(law: SizeLaw, share: Share, ends: [f64; 2]) -> Result<Self, DemError> {
        let wrong = |parameter, range, value| Err(DemError::InvalidParameter { parameter, range, value });
        let is_list = matches!(law, SizeLaw::Equal(_) | SizeLaw::Mix(_) | SizeLaw::Sieves(_));
        let [low, high] = match &law {
            SizeLaw::Equal(radius) => [*radius; 2],
            SizeLaw::Mix(table) | SizeLaw::Sieves(table) => {
                for row in table {
                    positive("each radius", row[0])?;
                }
                let with_share = shares(&law, table).filter(|(_, share)| *share > 0.0).map(|([r0, r1], _)| [r0, r1]);
                with_share.fold([f64::INFINITY, 0.0], |[low, high], [r0, r1]| [low.min(r0), high.max(r1)])
            }
            _ => ends,
        };
        positive("the smallest radius", low)?;
        positive("the largest radius", high)?;
        if !is_list && high <= low {
            return wrong("the largest radius", "above the smallest", high);
        }
        match &law {
            SizeLaw::Equal(_) | SizeLaw::Uniform => {}
            SizeLaw::Mix(table) => {
                table.iter().try_for_each(|row| positive("the share of a radius", row[1]).map(|_| ()))?;
            }
            SizeLaw::Sieves(table) => {
                let is_ascending = table.windows(2).all(|pair| pair[0][0] < pair[1][0] && pair[0][1] <= pair[1][1]);
                let [first, last] = [table.first(), table.last()].map(|row| row.map_or(f64::NAN, |row| row[1]));
                // This comparison refuses NaN.
                let is_whole = first.abs() <= 0.0 && (last - 1.0).abs() <= 1e-9;
                if !(is_ascending && is_whole) {
                    let range = "ascending from 0 at the smallest opening to 1 at the largest";
                    return wrong("the share that passes a sieve", range, last);
                }
            }
            SizeLaw::Normal { mean, deviation } => {
                positive("the mean radius", *mean)?;
                positive("the deviation", *deviation)?;
            }
            SizeLaw::Lognormal { median, deviation } => {
                positive("the median radius", *median)?;
                positive("the deviation", *deviation)?;
            }
            SizeLaw::Weibull { scale, shape } => {
                positive("the scale", *scale)?;
                positive("the shape", *shape)?;
            }
        }
        let sizes = Self { law, share, low, high };
        let taken = sizes.taken();
        // This comparison refuses NaN.
        if taken >= TAKEN {
            return Ok(sizes);
        }
        let range = "at least 1e-4: bring the smallest and the largest radius nearer to the common ones";
        wrong("the part of radii that is between the ends and, by mass, not too rare", range, taken)
    }

    /// Share of the radii drawn from the size law that [`draw`](Self::draw) accepts.
    fn taken(&self) -> f64 {
        let Self { low, high, .. } = *self;
        // Shares of radii in cells of almost constant density.
        let cells: Vec<([f64; 2], f64)> = match &self.law {
            SizeLaw::Equal(_) | SizeLaw::Mix(_) => return 1.0,
            SizeLaw::Uniform => vec![([low, high], 1.0)],
            SizeLaw::Sieves(table) => shares(&self.law, table).collect(),
            SizeLaw::Weibull { scale, shape } => {
                let above = |radius: f64| (-(radius / scale).powf(*shape)).exp();
                let edge = |k: u32| low * (high / low).powf(f64::from(k) / f64::from(CELLS));
                let cell = |k| ([edge(k), edge(k + 1)], above(edge(k)) - above(edge(k + 1)));
                (0..CELLS).map(cell).collect()
            }
            &SizeLaw::Normal { mean, deviation } => {
                gaussian([low, high].map(|radius| (radius - mean) / deviation), |z| mean + deviation * z)
            }
            &SizeLaw::Lognormal { median, deviation } => {
                let ends = [low, high].map(|radius| (radius / median).ln() / deviation);
                gaussian(ends, |z| median * (deviation * z).exp())
            }
        };
        let weight = |[r0, r1]: [f64; 2]| match self.share {
            Share::Number => 1.0,
            // Mean of (low / r)³ between the two radii, limited to 1 against rounding.
            Share::Mass => (0.5 * low.powi(3) * (r0 + r1) / (r0 * r1).powi(2)).min(1.0),
        };
        cells.into_iter().filter(|(_, share)| *share > 0.0).map(|(ends, share)| weight(ends) * share).sum()
    }

    /// Smallest radius in m that a grain can have.
    #[must_use]
    pub fn smallest(&self) -> f64 {
        self.low
    }

    /// Largest radius in m that a grain can have.
    #[must_use]
    pub fn largest(&self) -> f64 {
        self.high
    }

    /// Draws a radius (m) from the random numbers of a grain.
    pub fn draw(&self, random: &mut ChaCha8Rng) -> f64 {
        if let SizeLaw::Mix(table) = &self.law {
            return self.of_mix(table, random);
        }
        loop {
            let radius = self.of_law(random);
            // By mass, radii are accepted in proportion to the number of grains per mass.
            let is_taken = self.share == Share::Number || random.random::<f64>() < (self.low / radius).powi(3);
            if radius >= self.low && radius <= self.high && is_taken {
                return radius;
            }
        }
    }

    /// Draws a radius (m) from the size law, without its ends and without shares by mass.
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

/// Returns intervals of radii (m) with their shares for a law given as a table; for a mix they have no length.
fn shares<'a>(law: &SizeLaw, table: &'a [[f64; 2]]) -> Box<dyn Iterator<Item = ([f64; 2], f64)> + 'a> {
    match law {
        SizeLaw::Sieves(_) => {
            Box::new(table.windows(2).map(|pair| ([pair[0][0], pair[1][0]], pair[1][1] - pair[0][1])))
        }
        _ => Box::new(table.iter().map(|row| ([row[0]; 2], row[1]))),
    }
}

/// Divides the standard normal distribution between two ends (in standard deviations from the mean) into cells. Returns
/// the two radii at the ends of each cell, by the function `radius`, and the share of the distribution in the cell.
/// Shares beyond 38 deviations are below the smallest normal double.
fn gaussian(ends: [f64; 2], radius: impl Fn(f64) -> f64) -> Vec<([f64; 2], f64)> {
    let [low, high] = ends.map(|end| end.clamp(-38.0, 38.0));
    let width = (high - low) / f64::from(CELLS);
    let density = |z: f64| (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
    let edge = |k: u32| radius(low + width * f64::from(k));
    (0..CELLS).map(|k| ([edge(k), edge(k + 1)], width * density(low + width * (f64::from(k) + 0.5)))).collect()
}

/// Returns a number of the standard normal distribution from two uniform numbers in [0, 1), by Box and Muller.
fn normal([first, second]: [f64; 2]) -> f64 {
    (-2.0 * (1.0 - first).ln()).sqrt() * (std::f64::consts::TAU * second).cos()
}

#[cfg(test)]
mod tests;
