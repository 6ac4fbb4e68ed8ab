//! A plot as data: axes, series, guides.

use crate::plot::axis::Axis;
use crate::plot::series::Series;

/// A grey dashed reference line.
#[derive(Clone, Debug)]
pub enum Guide {
    /// Line y ∝ xᵖ on two logarithmic axes, near the series with the nearest slope.
    Slope(f64),
    /// Horizontal line y = value.
    Level {
        /// Value of y along the line.
        value: f64,
        /// Name of the line in the plot.
        name: String,
    },
    /// Vertical line x = value.
    Upright {
        /// Value of x along the line.
        value: f64,
        /// Name of the line in the plot.
        name: String,
    },
}

/// A plot: a pair of axes with series and guides.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Name of the plot among other plots, such as a part of a file name.
    pub id: String,
    /// Title above the axes.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Series in the order of the legend; later ones are drawn on top.
    pub series: Vec<Series>,
    /// Reference lines.
    pub guides: Vec<Guide>,
}

impl Plot {
    /// Makes a plot without series.
    pub fn new(id: impl Into<String>, title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self { id: id.into(), title: title.into(), x, y, series: Vec::new(), guides: Vec::new() }
    }

    /// Makes a plot without series, with linear axes of these quantities and units.
    pub fn linear(
        id: impl Into<String>,
        title: impl Into<String>,
        x: (impl Into<String>, impl Into<String>),
        y: (impl Into<String>, impl Into<String>),
    ) -> Self {
        Self::new(id, title, Axis::linear(x.0, x.1), Axis::linear(y.0, y.1))
    }

    /// Makes a plot without series, with a linear x axis and a logarithmic y axis of these quantities and units.
    pub fn semilog(
        id: impl Into<String>,
        title: impl Into<String>,
        x: (impl Into<String>, impl Into<String>),
        y: (impl Into<String>, impl Into<String>),
    ) -> Self {
        Self::new(id, title, Axis::linear(x.0, x.1), Axis::log(y.0, y.1))
    }

    /// Makes a plot without series, with logarithmic axes of these quantities and units.
    pub fn loglog(
        id: impl Into<String>,
        title: impl Into<String>,
        x: (impl Into<String>, impl Into<String>),
        y: (impl Into<String>, impl Into<String>),
    ) -> Self {
        Self::new(id, title, Axis::log(x.0, x.1), Axis::log(y.0, y.1))
    }

    /// Adds a series.
    #[must_use]
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// Adds a reference line of slope `power` to a plot with two logarithmic axes.
    #[must_use]
    pub fn slope(mut self, power: f64) -> Self {
        self.guides.push(Guide::Slope(power));
        self
    }

    /// Adds a horizontal reference line; the axis is extended to include it.
    #[must_use]
    pub fn level(mut self, value: f64, name: impl Into<String>) -> Self {
        self.guides.push(Guide::Level { value, name: name.into() });
        self
    }

    /// Adds a vertical reference line; the axis is extended to include it.
    #[must_use]
    pub fn upright(mut self, value: f64, name: impl Into<String>) -> Self {
        self.guides.push(Guide::Upright { value, name: name.into() });
        self
    }
}
