//! `[[sources]]` and `[[gates]]`: grains that come in the course of a run, and where they are counted or taken away.

use serde::{Deserialize, Serialize};

use super::output::Interval;
use super::sizes::SizeTable;

/// Grains that come in the course of a run. Explicit integrators only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Source {
    /// A name, for stages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where they come, overlapping nothing.
    pub region: SourceRegion,
    /// How much comes in a second; as much as there is room for if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Amount>,
    /// How much comes in the end; without end if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<Amount>,
    /// How often grains come, all that are due at once; every 100 steps if not given.
    #[serde(default = "hundred")]
    pub every: Interval,
    /// How large they are.
    pub sizes: SizeTable,
    /// Density in kg/m³.
    pub density: f64,
    /// Velocity in m/s.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Angular velocity in rad/s, world frame.
    #[serde(default)]
    pub spin: [f64; 3],
    /// The material, a name that `contact.materials` or `contact.pairs` names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// Seed of the random numbers. Grain k of source s has numbers of its own, whatever comes beside it.
    #[serde(default)]
    pub seed: u64,
}

impl Source {
    /// What its columns of the time series begin with, by its number.
    pub(crate) fn column(&self, index: usize) -> String {
        self.name.clone().unwrap_or(format!("source{index}"))
    }
}

impl Gate {
    /// What its columns of the time series begin with, by its number.
    pub(crate) fn column(&self, index: usize) -> String {
        self.name.clone().unwrap_or(format!("gate{index}"))
    }

    /// Its name, or else its number.
    pub(crate) fn label(&self, number: usize) -> String {
        self.name.clone().unwrap_or(number.to_string())
    }
}

fn hundred() -> Interval {
    Interval::Steps(100)
}

/// Where grains come; lengths in m.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SourceRegion {
    /// A box that holds them.
    Box {
        /// Lower corner.
        low: [f64; 3],
        /// Upper corner.
        high: [f64; 3],
    },
    /// A cylinder that holds them.
    Cylinder {
        /// The middle of its first end.
        point: [f64; 3],
        /// From the first end to the second one.
        axis: [f64; 3],
        /// Its radius.
        radius: f64,
    },
    /// A disc that their centres are on.
    Disc {
        /// Its middle.
        point: [f64; 3],
        /// Its normal, of any length.
        normal: [f64; 3],
        /// Its radius.
        radius: f64,
    },
}

/// An amount of grains.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Amount {
    /// Their number.
    Count(f64),
    /// Their mass in kg.
    Mass(f64),
    /// Their volume over that of the region.
    Fraction(f64),
}

/// A plane or a region whose grains are counted, or taken away. Taking away is for explicit integrators only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Gate {
    /// A name, for columns of the time series.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where it is.
    pub shape: GateRegion,
    /// Whether grains beyond it are taken away.
    #[serde(default)]
    pub remove: bool,
    /// How often it looks; every 100 steps if not given.
    #[serde(default = "hundred")]
    pub every: Interval,
}

/// Where a gate is; lengths in m.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub enum GateRegion {
    /// A plane, which grains pass from its front to its back.
    Plane {
        /// A point of it.
        point: [f64; 3],
        /// Its normal, against the way of the grains, of any length.
        normal: [f64; 3],
    },
    /// A box, which grains come into.
    Box {
        /// Lower corner.
        low: [f64; 3],
        /// Upper corner.
        high: [f64; 3],
    },
    /// A cylinder, which grains come into.
    Cylinder {
        /// The middle of its first end.
        point: [f64; 3],
        /// From the first end to the second one.
        axis: [f64; 3],
        /// Its radius.
        radius: f64,
    },
}
