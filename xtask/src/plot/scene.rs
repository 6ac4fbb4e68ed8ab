//! Lines, circles and text in tenths of a pixel, through plotters' SVG backend.
use anyhow::{Context as _, Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub(super) const WIDTH: f64 = 640.0;
pub(super) const HEIGHT: f64 = 460.0;

/// The backend knows whole units only; ten of them to a pixel keep curves smooth.
const UNITS: f64 = 10.0;

pub(super) const PAPER: u32 = 0xFF_FFFF;
pub(super) const INK: u32 = 0x1F_2328;
pub(super) const FAINT: u32 = 0x6E_7781;
pub(super) const GRID: u32 = 0xE4_E7EB;
pub(super) const FRAME: u32 = 0xAF_B8C1;
pub(super) const BAND: u32 = 0xCD_D5DD;
/// Okabe and Ito's colours, which stay apart for colour-blind readers, without the yellow that white paper swallows.
pub(super) const PALETTE: [u32; 7] = [0x00_72B2, 0xD5_5E00, 0x00_9E73, 0xCC_79A7, 0xE6_9F00, 0x56_B4E9, 0x4D_4D4D];

/// What each colour becomes on a dark page.
const DARK: [(u32, u32); 10] = [
    (PAPER, 0x16_1B22),
    (INK, 0xE6_EDF3),
    (FAINT, 0x9D_A7B1),
    (GRID, 0x2A_3038),
    (FRAME, 0x57_606A),
    (BAND, 0x3D_4650),
    (PALETTE[0], 0x4C_A6E8),
    (PALETTE[1], 0xF0_7F3C),
    (PALETTE[2], 0x2F_C49A),
    (PALETTE[6], 0xC8_CDD2),
];

/// A drawing under way.
pub(super) struct Scene<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy)]
pub(super) struct Font {
    pub(super) size: f64,
    pub(super) colour: u32,
    pub(super) bold: bool,
    pub(super) upward: bool,
    pub(super) h: HPos,
    pub(super) v: VPos,
}

impl Font {
    pub(super) const fn new(size: f64, h: HPos, v: VPos) -> Self {
        Self { size, colour: INK, bold: false, upward: false, h, v }
    }

    /// Width of `text` in pixels, slightly generous: nothing here knows the reader's fonts.
    pub(super) fn width(self, text: &str) -> f64 {
        0.58 * self.size * text.chars().count() as f64
    }
}

/// Runs `draw` on an empty sheet and returns the SVG document.
pub(super) fn render(title: &str, draw: impl FnOnce(&mut Scene<'_>) -> Result<()>) -> Result<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (units(WIDTH) as u32, units(HEIGHT) as u32)).into_drawing_area();
        area.fill(&rgb(PAPER)).map_err(|e| anyhow!("SVG background: {e}"))?;
        let mut scene = Scene { area };
        draw(&mut scene)?;
        scene.area.present().map_err(|e| anyhow!("SVG end: {e}"))?;
    }
    let (_, body) = svg.split_once('>').context("plotters wrote no <svg> element")?;
    // The backend paints every element opaque and unframed in words.
    let body = body.replace(" opacity=\"1\"", "").replace(" stroke=\"none\"", "").replace("\n</text>", "</text>");
    Ok(format!("{}{body}", header(title)))
}

/// Replaces plotters' own start tag: page pixels, a name for screen readers, colours for a dark page.
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
         @media(prefers-color-scheme:dark){{{rules}}}</style>",
        units(WIDTH),
        units(HEIGHT),
        title.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;"),
    )
}

impl Scene<'_> {
    pub(super) fn path(&mut self, points: &[(f64, f64)], width: f64, colour: u32) -> Result<()> {
        let points: Vec<_> = points.iter().map(|&p| place(p)).collect();
        let element = PathElement::new(points, rgb(colour).stroke_width(units(width) as u32));
        self.area.draw(&element).map_err(|e| anyhow!("SVG line: {e}"))
    }

    /// A filled area.
    pub(super) fn area(&mut self, corners: &[(f64, f64)], colour: u32) -> Result<()> {
        let corners: Vec<_> = corners.iter().map(|&p| place(p)).collect();
        let element = Polygon::new(corners, rgb(colour).filled());
        self.area.draw(&element).map_err(|e| anyhow!("SVG area: {e}"))
    }

    /// A straight line of dashes.
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

    pub(super) fn circle(&mut self, centre: (f64, f64), radius: f64, width: f64, colour: u32) -> Result<()> {
        let element = Circle::new(place(centre), units(radius), rgb(colour).stroke_width(units(width) as u32));
        self.area.draw(&element).map_err(|e| anyhow!("SVG circle: {e}"))
    }

    pub(super) fn text(&mut self, text: &str, at: (f64, f64), font: Font) -> Result<()> {
        // The backend divides sizes by this factor.
        let size = font.size * UNITS * 1.24;
        let colour = rgb(font.colour);
        let weight = if font.bold { FontStyle::Bold } else { FontStyle::Normal };
        let turn = if font.upward { FontTransform::Rotate270 } else { FontTransform::None };
        let style = TextStyle::from(FontDesc::new(FontFamily::SansSerif, size, weight).transform(turn))
            .color(&colour)
            .pos(Pos::new(font.h, font.v));
        self.area.draw(&Text::new(text, place(at), style)).map_err(|e| anyhow!("SVG text {text:?}: {e}"))
    }
}

fn rgb(colour: u32) -> RGBColor {
    let [_, r, g, b] = colour.to_be_bytes();
    RGBColor(r, g, b)
}

fn units(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}

fn place((x, y): (f64, f64)) -> (i32, i32) {
    (units(x), units(y))
}
