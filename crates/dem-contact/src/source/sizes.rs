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
mod tests {
    use super::*;
    use crate::source::stream::GrainStream;

    /// The share of `law` below a radius, without its ends, by an error function of 1.2e-7 at most.
    fn below(law: &SizeLaw, ends: [f64; 2], r: f64) -> f64 {
        match law {
            SizeLaw::Equal(_) | SizeLaw::Mix(_) => 0.0,
            SizeLaw::Uniform => (r - ends[0]) / (ends[1] - ends[0]),
            SizeLaw::Normal { mean, deviation } => gauss((r - mean) / deviation),
            SizeLaw::Lognormal { median, deviation } => gauss((r / median).ln() / deviation),
            SizeLaw::Weibull { scale, shape } => 1.0 - (-(r / scale).powf(*shape)).exp(),
            SizeLaw::Sieves(table) => {
                let k = table.partition_point(|row| row[0] <= r).clamp(1, table.len() - 1);
                let ([r0, s0], [r1, s1]) = (table[k - 1], table[k]);
                s0 + (s1 - s0) * (r - r0) / (r1 - r0)
            }
        }
    }

    /// The standard normal distribution function, by Numerical Recipes' `erfcc`.
    fn gauss(x: f64) -> f64 {
        let z = x.abs() / std::f64::consts::SQRT_2;
        let t = 1.0 / (1.0 + 0.5 * z);
        let terms = [
            1.00002368,
            0.37409196,
            0.09678418,
            -0.18628806,
            0.27886807,
            -1.13520398,
            1.48851587,
            -0.82215223,
            0.17087277,
        ];
        let sum = terms.iter().rev().fold(0.0, |sum, term| term + t * sum);
        let erfc = t * (-z * z - 1.26551223 + t * sum).exp();
        if x > 0.0 { 1.0 - 0.5 * erfc } else { 0.5 * erfc }
    }

    fn laws() -> [(SizeLaw, [f64; 2]); 5] {
        [
            (SizeLaw::Uniform, [0.4, 1.0]),
            (SizeLaw::Normal { mean: 1.0, deviation: 0.2 }, [0.6, 1.5]),
            (SizeLaw::Lognormal { median: 1.0, deviation: 0.3 }, [0.5, 2.0]),
            (SizeLaw::Weibull { scale: 1.0, shape: 2.0 }, [0.4, 2.0]),
            (SizeLaw::Sieves(vec![[0.5, 0.0], [0.7, 0.2], [1.0, 0.7], [1.4, 1.0]]), [0.5, 1.4]),
        ]
    }

    /// The share of the number of grains below each of the radii, which ascend, for a law by number or by mass: the
    /// number density is the mass density over the third power of the radius.
    fn numbers_below(law: &SizeLaw, share: Share, ends: [f64; 2], radii: &[f64]) -> Vec<f64> {
        let (cells, weight) = (20_000_u32, |r: f64| if share == Share::Mass { r.powi(-3) } else { 1.0 });
        let node = |k: usize| ends[0] + (ends[1] - ends[0]) * k as f64 / f64::from(cells);
        let part = |from: f64, to: f64| (below(law, ends, to) - below(law, ends, from)) * weight(0.5 * (from + to));
        let mut sums = vec![0.0];
        for k in 0..cells as usize {
            sums.push(sums[k] + part(node(k), node(k + 1)));
        }
        let total = sums[cells as usize];
        let share_below = |&r: &f64| {
            let k = ((r - ends[0]) / (ends[1] - ends[0]) * f64::from(cells)) as usize;
            (sums[k] + part(node(k), r)) / total
        };
        radii.iter().map(share_below).collect()
    }

    /// Kolmogorov's distance of sorted radii from the law.
    fn distance(law: &SizeLaw, share: Share, ends: [f64; 2], radii: &[f64]) -> f64 {
        let count = radii.len() as f64;
        let expected = numbers_below(law, share, ends, radii);
        expected.iter().enumerate().fold(0.0_f64, |most, (k, expected)| {
            most.max((expected - k as f64 / count).abs()).max((expected - (k + 1) as f64 / count).abs())
        })
    }

    #[test]
    fn radii_follow_their_law_by_number_and_by_mass() {
        let count = 10_000_u32;
        // One in a thousand is farther off.
        let limit = 1.95 / f64::from(count).sqrt();
        for (law, ends) in laws() {
            for (share, other) in [(Share::Number, Share::Mass), (Share::Mass, Share::Number)] {
                let sizes = Sizes::new(law.clone(), share, ends).unwrap();
                let stream = GrainStream { seed: 3, source: 1 };
                let grains = 0..u64::from(count);
                let mut radii: Vec<f64> = grains.map(|k| sizes.draw(&mut stream.of_grain(k))).collect();
                radii.sort_by(f64::total_cmp);
                let found = distance(&law, share, ends, &radii);
                assert!(found < limit, "{law:?} {share:?}: {found:.4} of {limit:.4}");
                let found = distance(&law, other, ends, &radii);
                assert!(found > 4.0 * limit, "{law:?} {share:?}: {found:.4}");
            }
        }
    }

    /// Ten grains of each law, by number and then by mass, from another implementation of ChaCha8 and of the laws.
    const GOLDEN: [[f64; 10]; 10] = [
        [
            0.9439026616915532,
            0.8734879332321491,
            0.9280383929915302,
            0.7984362061646428,
            0.48029446134226716,
            0.6694247006125343,
            0.9634408623791247,
            0.448038520525992,
            0.5380379835999851,
            0.960002762960793,
        ],
        [
            0.4097539688882047,
            0.920075090257701,
            0.6098436103538245,
            0.47081784193520126,
            0.48029446134226716,
            0.469887023152698,
            0.41923283674887246,
            0.46533540479442614,
            0.9652439468554793,
            0.4153551413461286,
        ],
        [
            1.216730438047054,
            1.0728167109610187,
            1.2774817104724332,
            0.9120924990226619,
            0.9622515319759558,
            0.9325994447229595,
            1.234410253013868,
            1.0419904082756621,
            0.9096955447925693,
            1.3226044985227812,
        ],
        [
            0.8281131893868002,
            1.2854794596675685,
            0.8242775876945123,
            0.9360271054658792,
            0.9622515319759558,
            0.9325994447229595,
            0.8782976207322102,
            1.0062921902392958,
            0.6038523591959416,
            0.7580920330912797,
        ],
        [
            1.3841630446302728,
            1.1154133642097048,
            1.5162232906310698,
            0.876462594543397,
            0.9449505300273514,
            0.9038418912778008,
            1.4213617337408613,
            1.0650115161757552,
            0.8733169917462151,
            1.6224003461706242,
        ],
        [
            0.7727264176140687,
            1.5345223953065892,
            0.7682933762455909,
            0.9085009533301873,
            0.874378408455766,
            0.9038418912778008,
            0.5099016190462816,
            1.009482966434484,
            0.5317672144487927,
            0.558826787651351,
        ],
        [
            1.5394288841305082,
            1.2476345467037537,
            1.4562956136768521,
            1.0444250711365217,
            0.6058970849524064,
            0.7720720090230986,
            1.6727218827285237,
            1.3443554307059076,
            0.5113188663629352,
            1.645636435397489,
        ],
        [
            0.550748290806618,
            1.4198035390682897,
            0.6560350580406092,
            0.43591290234738944,
            0.46498941448001196,
            0.4578067042470309,
            0.4865441627995771,
            0.6198588373630523,
            0.6422062373810632,
            0.45653843145890144,
        ],
        [
            1.2753392482034518,
            1.1188620738492203,
            1.2400853177589561,
            0.9784362061646429,
            0.6338241022371119,
            0.8494247006125343,
            1.3187574719536106,
            0.5800642008766533,
            0.718037983599985,
            1.3111172510239844,
        ],
        [
            0.5162566148136745,
            1.2223890894615577,
            0.7898436103538244,
            0.6180297365586688,
            0.6338241022371119,
            0.6890808961239918,
            1.247387028549744,
            0.5712619643161758,
            0.7827758210193041,
            0.5255919022435477,
        ],
    ];

    #[test]
    fn ten_grains_of_each_law_are_golden() {
        let laws =
            laws().into_iter().flat_map(|(law, ends)| [(law.clone(), ends, Share::Number), (law, ends, Share::Mass)]);
        for ((law, ends, share), golden) in laws.zip(GOLDEN) {
            let sizes = Sizes::new(law.clone(), share, ends).unwrap();
            for (grain, expected) in (0..).zip(golden) {
                let found = sizes.draw(&mut GrainStream { seed: 3, source: 1 }.of_grain(grain));
                // Logarithms and cosines of other systems may round otherwise.
                assert!((found / expected - 1.0).abs() < 1e-13, "{law:?} {share:?} {grain}: {found}");
            }
        }
    }

    #[test]
    fn shares_of_a_mix_are_of_number_or_of_mass() {
        let mix = SizeLaw::Mix(vec![[1.0, 3.0], [2.0, 1.0]]);
        for (share, expected) in [(Share::Number, 0.25), (Share::Mass, 1.0 / 25.0)] {
            let sizes = Sizes::new(mix.clone(), share, [0.0; 2]).unwrap();
            let stream = GrainStream { seed: 1, source: 0 };
            let large = (0..20_000).filter(|&k| sizes.draw(&mut stream.of_grain(k)) > 1.5).count();
            assert!((large as f64 / 20_000.0 - expected).abs() < 0.01, "{share:?}: {large}");
        }
    }

    #[test]
    fn laws_without_meaning_are_refused() {
        let refused = |law, ends| assert!(Sizes::new(law, Share::Number, ends).is_err());
        refused(SizeLaw::Uniform, [1.0, 0.5]);
        refused(SizeLaw::Equal(f64::NAN), [1.0, 1.0]);
        refused(SizeLaw::Mix(Vec::new()), [1.0, 1.0]);
        refused(SizeLaw::Mix(vec![[1.0, 0.0]]), [1.0, 1.0]);
        refused(SizeLaw::Sieves(vec![[1.0, 0.0], [2.0, 0.9]]), [1.0, 1.0]);
        refused(SizeLaw::Sieves(vec![[1.0, 0.0]]), [1.0, 1.0]);
        refused(SizeLaw::Normal { mean: 1.0, deviation: 0.01 }, [2.0, 3.0]);
        refused(SizeLaw::Weibull { scale: 1e-3, shape: 2.0 }, [1.0, 2.0]);
    }
}
