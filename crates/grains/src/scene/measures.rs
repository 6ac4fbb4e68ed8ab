//! `[[measure]]`: what is measured in the course of a run.

use dem_contact::measure::Kernel;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::output::Interval;
use super::regions::{BoxRegion, CylinderRegion};
use crate::error::GrainsError;

/// A measurement. Its results are a table `measure-NAME.csv`, with a row of means for each time. With a grid the table
/// has a row for each point and time, with `fragments` a row for each fragment and time.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Measure {
    /// Name of the measurement, for its table: letters, digits, `-` and `_`.
    #[schemars(extend("toml" = r#""bed""#))]
    pub name: String,
    /// Interval between two rows of the measurement's table.
    #[schemars(extend("toml" = "{ time = 0.1 }"))]
    pub every: Interval,
    /// Number of measurements that are averaged to one row; one if not given. Their times divide the time since the row
    /// before into equal parts, rounded to whole steps, with one measurement a step at most. For a grid the densities
    /// are averaged, and velocities, temperatures and stresses are computed from these means. A value that is missing
    /// in one measurement is missing in the row. `grains measure` takes one measurement of each stored state.
    #[schemars(extend("toml" = "10"))]
    pub samples: Option<u64>,
    /// Lacey's index of mixing of the grains of `material` and `group` among all grains, in cells of the region, or of
    /// the `box` of the scene without a region; it needs `material` or `group`. The column `mixing` is 0 for grains
    /// apart, about 1 for grains at random. Cells should hold some grains.
    #[schemars(extend("toml" = "{ cells = [6, 1, 6] }"))]
    pub mixing: Option<MixingGrid>,
    /// Region that is measured; all of the box if not given. A box that deforms is measured as a whole, without
    /// `region` and `grid`.
    #[schemars(extend("toml" = "{ box = { low = [0.0, 0.0, 0.0], high = [0.1, 0.1, 0.1] } }"))]
    pub region: Option<MeasureRegion>,
    /// Only grains of this material are measured, a name that `contact.materials` or `contact.pairs` names.
    #[schemars(extend("toml" = r#""glass""#))]
    pub material: Option<String>,
    /// Only grains of this group of bodies or source are measured, given by its name.
    #[schemars(extend("toml" = r#""feed""#))]
    pub group: Option<String>,
    /// Smallest number of contacts of a grain that is no rattler. If not given, 2 where contacts have friction and 4
    /// where they have none, the numbers that can hold a sphere.
    #[schemars(extend("toml" = "3"))]
    pub least_contacts: Option<usize>,
    /// Grid on which fields are measured instead of means.
    #[schemars(extend("toml" = "{ cells = [10, 1, 10], kernel = { lucy = { range = 0.02 } } }"))]
    pub grid: Option<MeasureGrid>,
    /// Number and mass of the grains of each fragment instead of means, the heaviest fragment first. A fragment is all
    /// grains that chains of intact bonds join. Of these, grains of `region`, `material` and `group` are counted.
    #[schemars(extend("toml" = "{ least-grains = 2 }"))]
    pub fragments: Option<FragmentSizes>,
}

impl Measure {
    /// Returns whether a sample of a mean is taken after `step` steps of `dt` (s) of a stage. Sample k of n between two
    /// rows is taken after k/n of the steps, rounded down.
    pub(crate) fn is_sampled(&self, step: u64, dt: f64) -> bool {
        let Some(samples) = self.samples else { return false };
        let every = self.every.steps(dt);
        let since_row = u128::from(step % every);
        let every = u128::from(every);
        let samples = u128::from(samples);
        let taken_before = |step: u128| (step * samples).div_ceil(every);
        taken_before(since_row + 1) > taken_before(since_row)
    }
}

/// Checks that no row has more samples than steps of `dt` (s).
///
/// # Errors
/// [`GrainsError::OutOfRange`] with the key.
pub(crate) fn check_samples(measures: &[Measure], dt: f64) -> Result<(), GrainsError> {
    for (index, measure) in measures.iter().enumerate() {
        if let Some(samples) = measure.samples.filter(|&samples| samples > measure.every.steps(dt)) {
            let key = format!("measure[{index}].samples");
            return Err(GrainsError::out_of_range(key, "at most the steps of `every`", samples as f64));
        }
    }
    Ok(())
}

/// Region of a measurement; lengths in m.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub enum MeasureRegion {
    /// A box along the axes, in which grains are measured.
    #[schemars(extend("toml" = "{ box = { low = [0.0, 0.0, 0.0], high = [0.1, 0.1, 0.1] } }"))]
    Box(BoxRegion),
    /// A cylinder with two ends; not with `grid` and `mixing`, whose cells lie along the axes.
    #[schemars(extend("toml" = "{ cylinder = { point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 0.1], radius = 0.05 } }"))]
    Cylinder(CylinderRegion),
}

/// Cells in which kinds of grains are counted, for the index of mixing.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MixingGrid {
    /// Number of cells for the index of mixing along x, y and z.
    #[schemars(extend("toml" = "[6, 1, 6]"))]
    pub cells: [usize; 3],
}

/// Sizes of the fragments that are in the table.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FragmentSizes {
    /// Smallest number of counted grains of a fragment in the table. A grain without an intact bond is a fragment of
    /// one grain: 2 leaves out all loose grains.
    #[serde(default = "one")]
    #[schemars(extend("toml" = "2"))]
    pub least_grains: usize,
}

fn one() -> usize {
    1
}

/// Coarse-grained fields as means over the cells of a region.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MeasureGrid {
    /// Number of cells of the grid along x, y and z. One cell along an axis gives means over the region along it: `[1,
    /// 1, 20]` is a profile over z. The part that the kernel spreads out of the region is lost, so let the region reach
    /// beyond walls.
    #[schemars(extend("toml" = "[10, 1, 10]"))]
    pub cells: [usize; 3],
    /// The kernel by which a grain is spread over space.
    #[schemars(extend("toml" = "{ lucy = { range = 0.02 } }"))]
    pub kernel: Kernel,
}
