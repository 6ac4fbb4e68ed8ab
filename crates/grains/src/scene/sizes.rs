//! `sizes`: how large bodies of a group and grains of a source are.

use dem_contact::source::Share;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Radii of grains in m: a law, and whether it is by number or by mass. Laws of which fewer than one radius in 10 000
/// is between their ends are refused. By mass, small radii are frequent: choose `low` close to the common radii.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SizeTable {
    /// This radius for all grains, in m.
    #[schemars(extend("unit" = "m", "toml" = "{ radius = 0.005 }"))]
    Radius(f64),
    /// Some radii, each with its share in any unit.
    #[schemars(extend("toml" = "{ mix = { radius = [0.004, 0.006], share = [0.7, 0.3] } }"))]
    Mix {
        /// Radii of the mixture in m.
        #[schemars(extend("unit" = "m", "toml" = "[0.004, 0.006]"))]
        radius: Vec<f64>,
        /// Share of each radius of the mixture, in any unit.
        #[schemars(extend("toml" = "[0.7, 0.3]"))]
        share: Vec<f64>,
        /// Whether the shares are by number or by mass of grains.
        #[serde(default)]
        #[schemars(extend("toml" = r#""mass""#))]
        by: Share,
    },
    /// Radii with a uniform law between two ends.
    #[schemars(extend("toml" = "{ uniform = { low = 0.004, high = 0.006 } }"))]
    Uniform {
        /// Smallest radius of the law in m.
        #[schemars(extend("unit" = "m", "toml" = "0.004"))]
        low: f64,
        /// Largest radius of the law in m.
        #[schemars(extend("unit" = "m", "toml" = "0.006"))]
        high: f64,
        /// Whether the law of radii is by number or by mass of grains.
        #[serde(default)]
        #[schemars(extend("toml" = r#""mass""#))]
        by: Share,
    },
    /// Radii with a normal law, cut off at two ends.
    #[schemars(extend("toml" = "{ normal = { mean = 0.005, deviation = 5e-4, low = 0.004, high = 0.006 } }"))]
    Normal {
        /// Mean radius of the normal law in m, before it is cut off.
        #[schemars(extend("unit" = "m", "toml" = "0.005"))]
        mean: f64,
        /// Standard deviation of the normal law in m, before it is cut off.
        #[schemars(extend("unit" = "m", "toml" = "5e-4"))]
        deviation: f64,
        /// Smallest radius of the law in m.
        #[schemars(extend("unit" = "m", "toml" = "0.004"))]
        low: f64,
        /// Largest radius of the law in m.
        #[schemars(extend("unit" = "m", "toml" = "0.006"))]
        high: f64,
        /// Whether the law of radii is by number or by mass of grains.
        #[serde(default)]
        #[schemars(extend("toml" = r#""mass""#))]
        by: Share,
    },
    /// Radii whose natural logarithm has a normal law, cut off at two ends.
    #[schemars(extend("toml" = "{ lognormal = { median = 0.005, deviation = 0.1, low = 0.004, high = 0.006 } }"))]
    Lognormal {
        /// Median radius in m, before the law is cut off.
        #[schemars(extend("unit" = "m", "toml" = "0.005"))]
        median: f64,
        /// Standard deviation of the natural logarithm of the radius.
        #[schemars(extend("toml" = "0.1"))]
        deviation: f64,
        /// Smallest radius of the law in m.
        #[schemars(extend("unit" = "m", "toml" = "0.004"))]
        low: f64,
        /// Largest radius of the law in m.
        #[schemars(extend("unit" = "m", "toml" = "0.006"))]
        high: f64,
        /// Whether the law of radii is by number or by mass of grains.
        #[serde(default)]
        #[schemars(extend("toml" = r#""mass""#))]
        by: Share,
    },
    /// Radii of which the share exp(−(r/scale)^shape) is above r, cut off at two ends.
    #[schemars(extend("toml" = "{ weibull = { scale = 0.005, shape = 5.0, low = 0.003, high = 0.007 } }"))]
    Weibull {
        /// Radius in m that a share of 1/e is above.
        #[schemars(extend("unit" = "m", "toml" = "0.005"))]
        scale: f64,
        /// Exponent of Weibull's law; the larger, the narrower the law.
        #[schemars(extend("toml" = "5.0"))]
        shape: f64,
        /// Smallest radius of the law in m.
        #[schemars(extend("unit" = "m", "toml" = "0.003"))]
        low: f64,
        /// Largest radius of the law in m.
        #[schemars(extend("unit" = "m", "toml" = "0.007"))]
        high: f64,
        /// Whether the law of radii is by number or by mass of grains.
        #[serde(default)]
        #[schemars(extend("toml" = r#""mass""#))]
        by: Share,
    },
    /// Radii by a sieve curve: half openings, ascending, and the share that passes each, from 0 to 1.
    #[schemars(extend("toml" = "{ sieves = { radius = [0.002, 0.003, 0.004], passing = [0.0, 0.6, 1.0] } }"))]
    Sieves {
        /// Half openings of the sieves in m.
        #[schemars(extend("unit" = "m", "toml" = "[0.002, 0.003, 0.004]"))]
        radius: Vec<f64>,
        /// Share of the grains that passes each sieve.
        #[schemars(extend("toml" = "[0.0, 0.6, 1.0]"))]
        passing: Vec<f64>,
        /// Whether the shares are by number or by mass of grains; by mass if not given.
        #[serde(default = "by_mass")]
        #[schemars(extend("toml" = r#""mass""#))]
        by: Share,
    },
}

fn by_mass() -> Share {
    Share::Mass
}
