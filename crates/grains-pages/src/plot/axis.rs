//! An axis: its quantity, unit and scale.
use crate::plot::label::labelled;

/// How an axis maps numbers to length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Linear,
    /// Logarithmic. Values ≤ 0 are dropped, and the plot says how many.
    Log,
}

/// One axis.
#[derive(Clone, Debug)]
pub struct Axis {
    pub quantity: String,
    /// Unit, empty for a pure number.
    pub unit: String,
    pub scale: Scale,
}

impl Axis {
    pub fn linear(quantity: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { quantity: quantity.into(), unit: unit.into(), scale: Scale::Linear }
    }

    pub fn log(quantity: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { scale: Scale::Log, ..Self::linear(quantity, unit) }
    }

    pub fn label(&self) -> String {
        labelled(&self.quantity, &self.unit)
    }
}
