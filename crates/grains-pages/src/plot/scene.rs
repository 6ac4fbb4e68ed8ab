//! Lines, circles and text, drawn by plotters into an SVG document or a bitmap.
use plotters::coord::Shift;
use plotters::element::{Drawable, PointCollection};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::error::PlotError;
use crate::plot::notation;
use crate::plot::palette::{DARK, INK, PAPER};
use crate::{font, png};

pub(crate) type Result<T> = std::result::Result<T, PlotError>;

pub(super) const WIDTH: f64 = 500.0;
pub(super) const HEIGHT: f64 = 400.0;

/// Length in pixels of the longest line that may be dashed; longer lines are solid.
const LONGEST: f64 = 4000.0;

/// Number of SVG coordinate units per pixel. The backend rounds coordinates to whole units; ten per pixel keep curves
/// smooth.
const SVG_UNITS: f64 = 10.0;

/// Number of dots of a bitmap along each edge of a pixel of the sheet. The mean of two by two dots is a pixel of the
/// file.
const BITMAP_UNITS: f64 = 4.0;

/// A drawing in progress, as SVG document or bitmap.
pub(crate) enum Scene<'a> {
    Svg(DrawingArea<SVGBackend<'a>, Shift>),
    Bitmap(DrawingArea<BitMapBackend<'a>, Shift>),
}

/// Style of a text, and its alignment relative to its point.
#[derive(Clone, Copy)]
pub(crate) struct Font {
    pub(crate) size: f64,
    pub(crate) colour: u32,
    pub(crate) bold: bool,
    pub(crate) upward: bool,
    pub(crate) h: HPos,
    pub(crate) v: VPos,
}

impl Font {
    pub(crate) const fn new(size: f64, h: HPos, v: VPos) -> Self {
        Self { size, colour: INK, bold: false, upward: false, h, v }
    }

    /// Estimates the width of `text` in pixels, slightly too large, since the reader's fonts are unknown.
    pub(crate) fn width(self, text: &str) -> f64 {
        0.58 * self.size * text.chars().count() as f64
    }
}

/// Calls `draw` on an empty sheet and returns the SVG document.
pub(super) fn render(title: &str, draw: impl FnOnce(&mut Scene<'_>) -> Result<()>) -> Result<String> {
    let mut svg = String::new();
    let size = (units(WIDTH, SVG_UNITS) as u32, units(HEIGHT, SVG_UNITS) as u32);
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    area.fill(&rgb(PAPER)).map_err(PlotError::new)?;
    let mut scene = Scene::Svg(area);
    draw(&mut scene)?;
    scene.finish()?;
    drop(scene);
    let body = svg.split_once('>').map_or("", |(_, body)| body);
    // The backend writes the default opacity and stroke at every element.
    let body = body.replace(" opacity=\"1\"", "").replace(" stroke=\"none\"", "").replace("\n</text>", "</text>");
    Ok(format!("{}{}", header(title), notation::spans(&body)))
}

/// Calls `draw` on an empty sheet and returns the bytes of a PNG file with twice as many pixels along each edge.
pub(super) fn render_bitmap(draw: impl FnOnce(&mut Scene<'_>) -> Result<()>) -> Result<Vec<u8>> {
    let [width, height] = [WIDTH, HEIGHT].map(|length| units(length, BITMAP_UNITS) as usize);
    let mut dots = vec![u8::MAX; 3 * width * height];
    draw_over(&mut dots, [width, height], draw)?;
    png::halved(&dots, width, height).map_err(PlotError::new)
}

/// Calls `draw` with a scene that draws over the bitmap `dots`: red, green and blue, row by row from the top, with this
/// width and height in dots. A pixel of the sheet is four dots wide and high.
pub(crate) fn draw_over(
    dots: &mut [u8],
    [width, height]: [usize; 2],
    draw: impl FnOnce(&mut Scene<'_>) -> Result<()>,
) -> Result<()> {
    font::register()?;
    let mut scene = Scene::Bitmap(BitMapBackend::with_buffer(dots, (width as u32, height as u32)).into_drawing_area());
    draw(&mut scene)?;
    scene.finish()
}

/// Returns the start tag of an SVG document that replaces the tag of plotters: it has the size in pixels of the page, a
/// name for screen readers, and colours for dark pages.
fn header(title: &str) -> String {
    let rules: String = DARK
        .iter()
        .map(|(light, dark)| {
            format!(
                ".plot [fill=\"#{light:06X}\"]{{fill:#{dark:06X}}}.plot [stroke=\"#{light:06X}\"]{{stroke:#{dark:06X}}}"
            )
        })
        .collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n<style>.plot text{{font-family:system-ui,\
         'Segoe UI',Roboto,'DejaVu Sans',sans-serif}}.plot polyline{{stroke-linejoin:round}}\
         .plot .variable{{font-style:italic;font-family:'STIX Two Text','Latin Modern Roman',Cambria,Georgia,serif}}\
         .plot .small{{font-size:75%}}\
         @media screen and (prefers-color-scheme:dark){{{rules}}}</style>",
        units(WIDTH, SVG_UNITS),
        units(HEIGHT, SVG_UNITS),
        title.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;"),
    )
}

impl Scene<'_> {
    fn element<E>(&self, element: &E) -> Result<()>
    where
        for<'b> &'b E: PointCollection<'b, (i32, i32)>,
        for<'b> E: Drawable<SVGBackend<'b>> + Drawable<BitMapBackend<'b>>,
    {
        match self {
            Self::Svg(area) => area.draw(element).map_err(PlotError::new),
            Self::Bitmap(area) => area.draw(element).map_err(PlotError::new),
        }
    }

    fn finish(&self) -> Result<()> {
        match self {
            Self::Svg(area) => area.present().map_err(PlotError::new),
            Self::Bitmap(area) => area.present().map_err(PlotError::new),
        }
    }

    fn units(&self, pixels: f64) -> i32 {
        units(pixels, self.units_in_a_pixel())
    }

    fn units_in_a_pixel(&self) -> f64 {
        match self {
            Self::Svg(_) => SVG_UNITS,
            Self::Bitmap(_) => BITMAP_UNITS,
        }
    }

    fn place(&self, (x, y): (f64, f64)) -> (i32, i32) {
        (self.units(x), self.units(y))
    }

    pub(crate) fn path(&mut self, points: &[(f64, f64)], width: f64, colour: u32) -> Result<()> {
        let points: Vec<_> = points.iter().map(|&p| self.place(p)).collect();
        let style = rgb(colour).stroke_width(self.units(width) as u32);
        if matches!(self, Self::Svg(_)) {
            return self.element(&PathElement::new(points, style));
        }
        // The backend of bitmaps mitres the corners of a line: one that turns back within a few dots gets a spike far
        // beyond its points. Pieces with discs between them have round corners, as the lines of SVG documents have.
        for pair in points.windows(2).filter(|pair| pair[0] != pair[1]) {
            self.element(&PathElement::new(pair.to_vec(), style))?;
        }
        for &point in points.iter().skip(1).take(points.len().saturating_sub(2)) {
            // A disc of radius r is 2 r + 1 dots wide.
            let radius = (self.units(width) - 1).max(0) / 2;
            self.element(&Circle::new(point, radius, rgb(colour).filled()))?;
        }
        Ok(())
    }

    pub(crate) fn area(&mut self, corners: &[(f64, f64)], colour: u32) -> Result<()> {
        self.polygon(corners, rgb(colour).filled())
    }

    /// Fills a polygon with a translucent colour.
    pub(super) fn veil(&mut self, corners: &[(f64, f64)], colour: u32) -> Result<()> {
        self.polygon(corners, rgb(colour).mix(0.3).filled())
    }

    fn polygon(&mut self, corners: &[(f64, f64)], style: ShapeStyle) -> Result<()> {
        let corners: Vec<_> = corners.iter().map(|&p| self.place(p)).collect();
        self.element(&Polygon::new(corners, style))
    }

    /// Draws a line through the points with dashes and gaps of these lengths in pixels. A line longer than [`LONGEST`]
    /// fills its area, so that dashes would be indistinguishable: such a line is drawn solid.
    pub(super) fn pattern(
        &mut self,
        points: &[(f64, f64)],
        [on, off]: [f64; 2],
        width: f64,
        colour: u32,
    ) -> Result<()> {
        let lengths = points.windows(2).map(|pair| (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1));
        if lengths.sum::<f64>() > LONGEST {
            return self.path(points, width, colour);
        }
        let mut drawing = true;
        let mut left = on;
        let mut dash = points.first().copied().into_iter().collect::<Vec<_>>();
        for pair in points.windows(2) {
            let from = pair[0];
            let to = pair[1];
            let length = (to.0 - from.0).hypot(to.1 - from.1);
            let mut done = 0.0;
            while length - done > left {
                done += left;
                let at = (from.0 + done / length * (to.0 - from.0), from.1 + done / length * (to.1 - from.1));
                if drawing {
                    dash.push(at);
                    self.path(&dash, width, colour)?;
                }
                drawing = !drawing;
                (left, dash) = (if drawing { on } else { off }, vec![at]);
            }
            left -= length - done;
            dash.push(to);
        }
        if drawing { self.path(&dash, width, colour) } else { Ok(()) }
    }

    pub(super) fn dashes(&mut self, a: (f64, f64), b: (f64, f64), width: f64, colour: u32) -> Result<()> {
        let length = (b.0 - a.0).hypot(b.1 - a.1);
        let count = (length / 8.0).ceil().max(1.0) as usize;
        let at = |t: f64| (a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1));
        for i in 0..count {
            let start = i as f64 / count as f64;
            self.path(&[at(start), at(start + 0.6 / count as f64)], width, colour)?;
        }
        Ok(())
    }

    pub(crate) fn circle(&mut self, centre: (f64, f64), radius: f64, width: f64, colour: u32) -> Result<()> {
        let element =
            Circle::new(self.place(centre), self.units(radius), rgb(colour).stroke_width(self.units(width) as u32));
        self.element(&element)
    }

    /// Draws a label in which variables are slanted.
    pub(super) fn label(&mut self, label: &str, at: (f64, f64), font: Font) -> Result<()> {
        match self {
            Self::Svg(_) => self.text(&notation::marked(label), at, font),
            Self::Bitmap(_) => self.text(label, at, font),
        }
    }

    pub(crate) fn text(&mut self, text: &str, at: (f64, f64), font: Font) -> Result<()> {
        // The backend divides font sizes by 1.24.
        let size = font.size * self.units_in_a_pixel() * 1.24;
        let colour = rgb(font.colour);
        let weight = if font.bold { FontStyle::Bold } else { FontStyle::Normal };
        let turn = if font.upward { FontTransform::Rotate270 } else { FontTransform::None };
        let style = TextStyle::from(FontDesc::new(FontFamily::SansSerif, size, weight).transform(turn))
            .color(&colour)
            .pos(Pos::new(font.h, font.v));
        self.element(&Text::new(text.to_owned(), self.place(at), style))
    }
}

fn rgb(colour: u32) -> RGBColor {
    let [_, r, g, b] = colour.to_be_bytes();
    RGBColor(r, g, b)
}

fn units(pixels: f64, in_a_pixel: f64) -> i32 {
    (pixels * in_a_pixel).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line that goes up and comes back within a pixel has a corner of a few degrees, whose mitre would be a spike many
    /// pixels long: a peak that none of the plotted numbers has.
    #[test]
    fn a_line_in_a_bitmap_stays_within_half_its_width_of_its_points() {
        let [width, height] = [400, 400];
        let mut dots = vec![u8::MAX; 3 * width * height];
        let peak = [(10.0, 80.0), (49.9, 80.0), (50.0, 50.0), (50.25, 80.0), (90.0, 80.0)];
        draw_over(&mut dots, [width, height], |scene| scene.path(&peak, 2.0, INK)).unwrap();
        let is_ink = |column: usize, row: usize| dots[3 * (row * width + column)] < 128;
        let inked = |row: usize| (0..width).any(|column| is_ink(column, row));
        let rows: Vec<usize> = (0..height).filter(|&row| inked(row)).collect();
        let [first, last] = [rows[0], rows[rows.len() - 1]].map(|row| row as f64);
        let expected = [50.0 - 1.0, 80.0 + 1.0].map(|y| y * BITMAP_UNITS);
        let is_near = (first - expected[0]).abs() <= BITMAP_UNITS && (last - expected[1]).abs() <= BITMAP_UNITS;
        assert!(is_near, "the line goes from row {first} to row {last}, its points from row to row {expected:?}");
        // Ends are those of the points, and the line is as wide as asked for.
        let rows = (0..height).filter(|&row| is_ink(100, row)).count();
        assert!((rows as f64 - 2.0 * BITMAP_UNITS).abs() <= 2.0, "{rows} rows");
        assert!(!(0..height).any(|row| (0..36).chain(366..width).any(|column| is_ink(column, row))));
    }
}
