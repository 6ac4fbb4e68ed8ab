//! `[[measure]]`: what is measured in the course of a run.

use serde::{Deserialize, Serialize};

use super::output::Interval;

/// A measurement. Its results are a table `measure-NAME.csv`, with a row of means for each time. With a grid the table
/// has a row for each point and time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Measure {
    /// Its name: letters, digits, `-` and `_`.
    pub name: String,
    /// How often.
    pub every: Interval,
    /// Where; all of the box if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<MeasureRegion>,
    /// Grains of this material only, a name that `contact.materials` or `contact.pairs` names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// Grains with fewer contacts are rattlers; 4 if not given, which hold a sphere without friction.
    #[serde(default = "four")]
    pub least_contacts: usize,
    /// Fields on a grid instead of means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<MeasureGrid>,
}

fn four() -> usize {
    4
}

/// Where something is measured; lengths in m.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub enum MeasureRegion {
    /// A box along the axes.
    Box {
        /// Lower corner.
        low: [f64; 3],
        /// Upper corner.
        high: [f64; 3],
    },
}

/// Coarse-grained fields at the middles of the cells of a region.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MeasureGrid {
    /// Number of cells along x, y and z.
    pub cells: [usize; 3],
    /// How grains are spread.
    pub kernel: MeasureKernel,
}

/// How a grain is spread over space; lengths in m.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub enum MeasureKernel {
    /// A Gaussian, cut off at seven widths.
    Gaussian {
        /// Its standard deviation along an axis.
        width: f64,
    },
    /// The kernel of Lucy.
    Lucy {
        /// From this distance on it is zero.
        range: f64,
    },
}
