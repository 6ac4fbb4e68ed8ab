//! A plot as data: axes, series, guides. [`Plot::svg`] draws it.
mod axis;
mod data;
mod draw;
mod marker;
mod scene;
mod slope;
mod thin;

use crate::table::labelled;

pub(crate) use marker::Marker;

/// How an axis maps numbers to length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    Linear,
    /// Values ≤ 0 have no place on it; they are dropped, and the plot says how many.
    Log,
}

/// One axis.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) quantity: String,
    /// Empty for a pure number.
    pub(crate) unit: String,
    pub(crate) scale: Scale,
}

impl Axis {
    pub(crate) fn linear(quantity: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { quantity: quantity.into(), unit: unit.into(), scale: Scale::Linear }
    }

    pub(crate) fn log(quantity: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { scale: Scale::Log, ..Self::linear(quantity, unit) }
    }

    pub(crate) fn label(&self) -> String {
        labelled(&self.quantity, &self.unit)
    }
}

/// Points under one name.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) line: bool,
    pub(crate) marker: Option<Marker>,
    /// Index into the palette; by default the position in the plot.
    pub(crate) colour: Option<usize>,
    /// The points go round an area, which is filled.
    pub(crate) fill: bool,
}

impl Series {
    /// A line through the points, in their order; a NaN interrupts it.
    pub(crate) fn line(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self {
            name: name.into(),
            points: points.into_iter().collect(),
            line: true,
            marker: None,
            colour: None,
            fill: false,
        }
    }

    /// The area between two curves over x, given as (x, low, high); put it before the lines that it is to stay behind.
    pub(crate) fn band(name: impl Into<String>, points: &[(f64, f64, f64)]) -> Self {
        let there = points.iter().map(|&(x, low, _)| (x, low));
        let back = points.iter().rev().map(|&(x, _, high)| (x, high));
        Self { line: false, fill: true, ..Self::line(name, there.chain(back)) }
    }

    /// Markers alone.
    pub(crate) fn markers(
        name: impl Into<String>,
        marker: Marker,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        Self { line: false, ..Self::line(name, points) }.marker(marker)
    }

    pub(crate) fn marker(mut self, marker: Marker) -> Self {
        self.marker = Some(marker);
        self
    }

    /// Series that belong together may share a colour and differ in the marker.
    pub(crate) fn colour(mut self, index: usize) -> Self {
        self.colour = Some(index);
        self
    }
}

/// A grey dashed reference line.
#[derive(Clone, Debug)]
pub(crate) enum Guide {
    /// y ∝ xᵖ on two log axes, beside the series whose slope is nearest.
    Slope(f64),
    /// y = value all across.
    Level { value: f64, name: String },
}

/// One pair of axes with everything in it.
#[derive(Clone, Debug)]
pub(crate) struct Plot {
    /// Last part of the file name `<figure>-<plot>.svg`.
    pub(crate) id: &'static str,
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) series: Vec<Series>,
    pub(crate) guides: Vec<Guide>,
}

impl Plot {
    pub(crate) fn new(id: &'static str, title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self { id, title: title.into(), x, y, series: Vec::new(), guides: Vec::new() }
    }

    pub(crate) fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// Reference line of slope `power`; only on two log axes.
    pub(crate) fn slope(mut self, power: f64) -> Self {
        self.guides.push(Guide::Slope(power));
        self
    }

    /// Horizontal reference line; the axis is stretched to show it.
    pub(crate) fn level(mut self, value: f64, name: impl Into<String>) -> Self {
        self.guides.push(Guide::Level { value, name: name.into() });
        self
    }
}
