//! A plot as data: axes, series, guides.
use crate::plot::axis::Axis;
use crate::plot::series::Series;

/// A grey dashed reference line.
#[derive(Clone, Debug)]
pub enum Guide {
    /// y ∝ xᵖ on two log axes, beside the series whose slope is nearest.
    Slope(f64),
    /// y = value all across.
    Level { value: f64, name: String },
    /// x = value from the bottom to the top.
    Upright { value: f64, name: String },
}

/// One pair of axes with everything in it.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Last part of the file name `<figure>-<plot>.svg`.
    pub id: String,
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
    pub guides: Vec<Guide>,
}

impl Plot {
    pub fn new(id: impl Into<String>, title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self { id: id.into(), title: title.into(), x, y, series: Vec::new(), guides: Vec::new() }
    }

    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// Reference line of slope `power`; only on two log axes.
    pub fn slope(mut self, power: f64) -> Self {
        self.guides.push(Guide::Slope(power));
        self
    }

    /// Horizontal reference line; the axis is stretched to show it.
    pub fn level(mut self, value: f64, name: impl Into<String>) -> Self {
        self.guides.push(Guide::Level { value, name: name.into() });
        self
    }

    /// Vertical reference line; the axis is stretched to show it.
    pub fn upright(mut self, value: f64, name: impl Into<String>) -> Self {
        self.guides.push(Guide::Upright { value, name: name.into() });
        self
    }
}
