//! `sizes`: how large bodies of a group and grains of a source are.

use serde::{Deserialize, Serialize};

/// Radii of grains in m: a law, and by what it is counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SizeTable {
    /// All have this radius.
    Radius(f64),
    /// Some radii, each with its share in any unit.
    Mix {
        /// Radii.
        radius: Vec<f64>,
        /// Shares.
        share: Vec<f64>,
        /// What they are shares of.
        #[serde(default)]
        by: ByWhat,
    },
    /// Uniform between two radii.
    Uniform {
        /// Smallest radius.
        low: f64,
        /// Largest radius.
        high: f64,
        /// What is uniform.
        #[serde(default)]
        by: ByWhat,
    },
    /// Normal, cut off at two radii.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation.
        deviation: f64,
        /// Smallest radius.
        low: f64,
        /// Largest radius.
        high: f64,
        /// What is normal.
        #[serde(default)]
        by: ByWhat,
    },
    /// The natural logarithm of the radius is normal; cut off at two radii.
    Lognormal {
        /// Median.
        median: f64,
        /// Standard deviation of the logarithm.
        deviation: f64,
        /// Smallest radius.
        low: f64,
        /// Largest radius.
        high: f64,
        /// What it is a distribution of.
        #[serde(default)]
        by: ByWhat,
    },
    /// Radii above r have the share exp(−(r/scale)^shape); cut off at two radii.
    Weibull {
        /// The radius that a share of 1/e is above.
        scale: f64,
        /// The exponent.
        shape: f64,
        /// Smallest radius.
        low: f64,
        /// Largest radius.
        high: f64,
        /// What it is a distribution of.
        #[serde(default)]
        by: ByWhat,
    },
    /// A sieve curve: half openings, ascending, and the share that passes each, from 0 to 1.
    Sieves {
        /// Half openings.
        radius: Vec<f64>,
        /// Shares that pass.
        passing: Vec<f64>,
        /// What they are shares of; sieves weigh.
        #[serde(default = "by_mass")]
        by: ByWhat,
    },
}

fn by_mass() -> ByWhat {
    ByWhat::Mass
}

/// What a distribution of radii is a distribution of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ByWhat {
    /// Of the number of bodies.
    #[default]
    Number,
    /// Of their mass, at one density.
    Mass,
}
