//! Series of a plot.
use crate::plot::marker::Marker;
use crate::plot::notation;
use crate::plot::palette::COLOURS;

/// Largest number of pieces into which gaps (NaN points) may divide a line. A line with more pieces is drawn as dots in
/// files, and without gaps in interactive plots.
pub(super) const MOST_STRETCHES: usize = 200;

/// A named series of points.
#[derive(Clone, Debug)]
pub struct Series {
    /// Name of the series in the legend; empty for the only series of a plot.
    pub name: String,
    /// Points of the series as x and y; NaN in both is a gap in the line.
    pub points: Vec<(f64, f64)>,
    /// Whether a line joins the points.
    pub line: bool,
    /// Shape at each point, if any.
    pub marker: Option<Marker>,
    /// Index of the colour in the palette; by default the index of the series in the plot.
    pub colour: Option<usize>,
    /// Whether the points surround a filled area.
    pub fill: bool,
    /// Whether the points are the outline of filled bars.
    pub bars: bool,
    /// Whether the name is shown unchanged; else single letters and indices are set as in formulas.
    pub plain: bool,
}

impl Series {
    /// Makes a line through the points in order; a NaN interrupts it.
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

    /// Makes the bars of a histogram from their common outline, which begins and ends at zero.
    #[must_use]
    pub fn bars(name: impl Into<String>, outline: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { bars: true, ..Self::line(name, outline) }
    }

    /// Makes the area between two curves over x, given as (x, low, high). Add the area before the series that should be
    /// drawn over it.
    #[must_use]
    pub fn band(name: impl Into<String>, points: &[(f64, f64, f64)]) -> Self {
        let there = points.iter().map(|&(x, low, _)| (x, low));
        let back = points.iter().rev().map(|&(x, _, high)| (x, high));
        Self { line: false, fill: true, ..Self::line(name, there.chain(back)) }
    }

    /// Makes a series of markers without line.
    #[must_use]
    pub fn markers(name: impl Into<String>, marker: Marker, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { line: false, ..Self::line(name, points) }.marker(marker)
    }

    /// Shows the name unchanged, such as that of a file.
    #[must_use]
    pub fn plain(mut self) -> Self {
        self.plain = true;
        self
    }

    /// Returns the name as HTML.
    pub(super) fn html_name(&self) -> String {
        if self.plain { self.name.replace('&', "&amp;").replace('<', "&lt;") } else { notation::html(&self.name) }
    }

    /// Sets the shape at each point.
    #[must_use]
    pub fn marker(mut self, marker: Marker) -> Self {
        self.marker = Some(marker);
        self
    }

    /// Sets the colour. Related series may share a colour and differ in the marker.
    #[must_use]
    pub fn colour(mut self, index: usize) -> Self {
        self.colour = Some(index);
        self
    }

    /// Draws the line dashed, in the colour of the series at the index `position` of the plot. Use it for an expected
    /// curve and the measured one.
    #[must_use]
    pub fn beside(self, position: usize) -> Self {
        self.colour(position + COLOURS)
    }
}
