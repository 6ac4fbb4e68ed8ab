//! Series of a plot.
use crate::plot::marker::Marker;
use crate::plot::notation;
use crate::plot::palette::COLOURS;

/// Largest number of pieces of a line between gaps; more are drawn as dots on paper, and as one piece on a page.
pub(super) const MOST_STRETCHES: usize = 200;

/// Points under one name.
#[derive(Clone, Debug)]
pub struct Series {
    /// Name of the series in the legend; empty for the only series of a plot.
    pub name: String,
    /// Points of the series as x and y; NaN in both is a gap in the line.
    pub points: Vec<(f64, f64)>,
    /// Whether a line joins the points.
    pub line: bool,
    /// Shape that is drawn at each point, if any.
    pub marker: Option<Marker>,
    /// Index into the palette; by default the position in the plot.
    pub colour: Option<usize>,
    /// Whether the points go round an area, which is filled.
    pub fill: bool,
    /// Whether the points go along the tops of bars, which are filled.
    pub bars: bool,
    /// Whether the name is shown as it is; else single letters and indices are set as in formulas.
    pub plain: bool,
}

impl Series {
    /// A line through the points, in their order; a NaN interrupts it.
    #[must_use]
    pub fn line(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self {
            name: name.into(),
            points: points.into_iter().collect(),
            line: true,
            marker: None,
            colour: None,
            fill: false,
            bars: false,
            plain: false,
        }
    }

    /// The bars of a histogram, by the outline of all of them from zero to zero.
    #[must_use]
    pub fn bars(name: impl Into<String>, outline: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { bars: true, ..Self::line(name, outline) }
    }

    /// The area between two curves over x, given as (x, low, high); put it before the lines that it is to stay behind.
    #[must_use]
    pub fn band(name: impl Into<String>, points: &[(f64, f64, f64)]) -> Self {
        let there = points.iter().map(|&(x, low, _)| (x, low));
        let back = points.iter().rev().map(|&(x, _, high)| (x, high));
        Self { line: false, fill: true, ..Self::line(name, there.chain(back)) }
    }

    /// Markers alone.
    #[must_use]
    pub fn markers(name: impl Into<String>, marker: Marker, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { line: false, ..Self::line(name, points) }.marker(marker)
    }

    /// Shows the name as it is, such as that of a file.
    #[must_use]
    pub fn plain(mut self) -> Self {
        self.plain = true;
        self
    }

    /// Returns the name as HTML.
    pub(super) fn html_name(&self) -> String {
        if self.plain { self.name.replace('&', "&amp;").replace('<', "&lt;") } else { notation::html(&self.name) }
    }

    /// Sets the shape that is drawn at each point.
    #[must_use]
    pub fn marker(mut self, marker: Marker) -> Self {
        self.marker = Some(marker);
        self
    }

    /// Sets the colour. Series that belong together may share a colour and differ in the marker.
    #[must_use]
    pub fn colour(mut self, index: usize) -> Self {
        self.colour = Some(index);
        self
    }

    /// Draws the line in dashes, with the colour of the series at this position in the plot: what a quantity should be
    /// beside what it is.
    #[must_use]
    pub fn beside(self, position: usize) -> Self {
        self.colour(position + COLOURS)
    }
}
