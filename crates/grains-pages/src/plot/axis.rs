//! An axis: its quantity, unit and scale.
use crate::plot::label::labelled;

/// Scale of an axis: the map from numbers to positions along the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps for equal differences.
    Linear,
    /// Logarithmic. Values ≤ 0 are dropped, and the plot reports their number.
    Log,
}

/// An axis of a plot: quantity, unit and scale.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Name of the quantity; single letters are set as variables.
    pub quantity: String,
    /// Unit of the quantity, empty for a pure number.
    pub unit: String,
    /// Map from numbers to positions along the axis.
    pub scale: Scale,
}

impl Axis {
    /// Makes a linear axis.
    pub fn linear(quantity: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { quantity: quantity.into(), unit: unit.into(), scale: Scale::Linear }
    }

    /// Makes a logarithmic axis.
    pub fn log(quantity: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { scale: Scale::Log, ..Self::linear(quantity, unit) }
    }

    /// Returns the quantity with its unit in brackets.
    #[must_use]
    pub fn label(&self) -> String {
        labelled(&self.quantity, &self.unit)
    }
}
