//! Pictures of grains as PNG files, without window or graphics card.
//!
//! `scenery` holds spheres, walls and lines in metres, `camera` the view, `colouring` the meaning of colours. `drawing`
//! finds the nearest object at each dot of a `depth_buffer`, `occlusion` darkens the gaps, `outline` finds lines that
//! show the shape of walls, and `legend` draws title and scales around them. The folder uses `number` and the text of
//! `plot`; it knows no simulations.
mod camera;
mod colouring;
mod depth_buffer;
mod drawing;
mod legend;
mod occlusion;
mod outline;
mod scenery;

pub use camera::Camera;
pub use colouring::Colouring;
pub use scenery::{Paint, Scenery, Sphere, Stroke, Triangle};

use glam::{DVec3, dvec2};

use crate::error::PlotError;
use crate::plot::scene::{Scene, draw_over};
use crate::png;

use camera::{Area, View};
use colouring::{NO_VALUE, Palette};
use depth_buffer::{DepthBuffer, PAPER, mixed};
use legend::{DOTS, Key, Sheet};

/// Number of drawn dots along each edge of a pixel of the file. A pixel is the mean of its dots, which smooths edges.
const DOTS_IN_A_PIXEL: usize = 2;
/// Largest number of pixels of a picture: drawing takes some 75 bytes of memory per pixel.
const MOST_PIXELS: usize = 1 << 24;
/// Smallest edge in pixels of a picture with text.
const SMALLEST_WITH_WORDS: usize = 200;
const OUTLINE: [u8; 3] = [0x7A, 0x84, 0x8E];

/// A picture to be drawn: scenery, camera, and labels around it.
#[derive(Clone, Debug)]
pub struct Picture {
    scenery: Scenery,
    camera: Camera,
    size: [usize; 2],
    title: String,
    colouring: Option<Colouring>,
    stroke_colouring: Option<Colouring>,
    opacity: f64,
    /// Name of the unit of coordinates and radii.
    unit: String,
    is_bare: bool,
}

impl Picture {
    /// Returns a picture of 1200 × 900 pixels from the default direction, without title and colours.
    #[must_use]
    pub fn new(scenery: Scenery) -> Self {
        Self {
            scenery,
            camera: Camera::default(),
            size: [1200, 900],
            title: String::new(),
            colouring: None,
            stroke_colouring: None,
            opacity: 1.0,
            unit: "m".into(),
            is_bare: false,
        }
    }

    /// Sets width and height in pixels. Text scales with the picture.
    #[must_use]
    pub fn size(mut self, width: usize, height: usize) -> Self {
        self.size = [width, height];
        self
    }

    /// Sets the direction of view and the projection.
    #[must_use]
    pub fn camera(mut self, camera: Camera) -> Self {
        self.camera = camera;
        self
    }

    /// Sets the title above the picture, such as `t = 0.25 s`.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Sets the meaning of the values of spheres, and of lines without their own colouring.
    #[must_use]
    pub fn colouring(mut self, colouring: Colouring) -> Self {
        self.colouring = Some(colouring);
        self
    }

    /// Sets the meaning of the values of lines, which then have their own colour bar.
    #[must_use]
    pub fn stroke_colouring(mut self, colouring: Colouring) -> Self {
        self.stroke_colouring = Some(colouring);
        self
    }

    /// Sets the opacity of spheres over lines and walls inside and behind them: 1, the default, is opaque, 0 leaves out
    /// the spheres. A sphere always hides the spheres behind it.
    #[must_use]
    pub fn opacity(mut self, opacity: f64) -> Self {
        self.opacity = if opacity.is_nan() { 1.0 } else { opacity.clamp(0.0, 1.0) };
        self
    }

    /// Sets the unit of coordinates and radii, which the scale bar names; metres by default.
    #[must_use]
    pub fn length_unit(mut self, unit: &str) -> Self {
        self.unit = unit.into();
        self
    }

    /// Leaves out title, colour bar, scale bar and axes. Pictures with an edge below 200 pixels never have them.
    #[must_use]
    pub fn bare(mut self) -> Self {
        self.is_bare = true;
        self
    }

    /// Draws the picture and returns the bytes of a PNG file; equal pictures give equal bytes.
    ///
    /// # Errors
    /// If the size is zero or above 16 million pixels, or if the text backend or the encoder fails. Scenery that is not
    /// finite is left out.
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        let [width, height] = self.size;
        if width == 0 || height == 0 || width.checked_mul(height).is_none_or(|pixels| pixels > MOST_PIXELS) {
            return Err(PlotError::new(format!(
                "{width} × {height} pixels: between 1 and {MOST_PIXELS} pixels in all can be drawn"
            )));
        }
        let dots = self.size.map(|edge| edge * DOTS_IN_A_PIXEL);
        let [width, height] = dots.map(|edge| edge as f64 / DOTS);
        let sheet = Sheet { width, height, factor: (width * height / (600.0 * 450.0)).sqrt() };
        let has_words = !self.is_bare && self.size.into_iter().min() >= Some(SMALLEST_WITH_WORDS);
        let [spheres, strokes] = self.palettes();
        let keys = if has_words { self.keys(&spheres, &strokes) } else { Vec::new() };

        let f = sheet.factor;
        let columns: Vec<f64> = keys.iter().map(|key| sheet.column(key)).collect();
        let right = width - 14.0 * f - columns.iter().sum::<f64>();
        let top = if has_words && !self.title.is_empty() { 34.0 } else { 14.0 };
        let bottom = if has_words { 36.0 } else { 14.0 };
        let area = Area { low: DOTS * dvec2(14.0 * f, top * f), high: DOTS * dvec2(right, height - bottom * f) };
        let view = View::fit(&self.camera, &self.scenery, area);
        let mut bytes = self.drawn(&view, dots, [&spheres, &strokes]).colour.into_flattened();
        if has_words {
            draw_over(&mut bytes, dots, |scene: &mut Scene<'_>| {
                sheet.title(scene, &self.title)?;
                let mut left = right + 14.0 * f;
                for (key, column) in keys.iter().zip(columns) {
                    sheet.key(scene, key, left)?;
                    left += column;
                }
                sheet.axes(scene, &view)?;
                sheet.scale_bar(scene, &view, right, &self.unit)
            })?;
        }
        png::halved(&bytes, dots[0], dots[1]).map_err(PlotError::new)
    }

    fn palettes(&self) -> [Palette; 2] {
        let of_spheres = || self.scenery.spheres.iter().filter(|s| s.is_drawable()).map(|s| s.value);
        let strokes = self.scenery.strokes.iter().filter(|s| s.is_drawable());
        let of_strokes = strokes.filter_map(|s| if let Paint::Value(value) = s.paint { Some(value) } else { None });
        match (&self.colouring, &self.stroke_colouring) {
            (colouring, Some(strokes)) => [
                colouring.as_ref().map_or(Palette::Plain, |colouring| colouring.palette(of_spheres())),
                strokes.palette(of_strokes),
            ],
            (Some(colouring), None) => {
                let both = colouring.palette(of_spheres().chain(of_strokes));
                [both.clone(), both]
            }
            (None, None) => [Palette::Plain, Palette::Plain],
        }
    }

    fn keys(&self, spheres: &Palette, strokes: &Palette) -> Vec<Key<'_>> {
        let greys = self.scenery.spheres.iter().any(|s| s.is_drawable() && spheres.of(s.value).is_none());
        let key = |colouring, palette: &Palette, has_grey| Key { colouring, palette: palette.clone(), has_grey };
        let of_spheres = self.colouring.iter().map(|colouring| key(colouring, spheres, greys));
        of_spheres.chain(self.stroke_colouring.iter().map(|colouring| key(colouring, strokes, false))).collect()
    }

    /// Draws spheres, walls and lines into a depth buffer, without text.
    fn drawn(&self, view: &View, [width, height]: [usize; 2], palettes: [&Palette; 2]) -> DepthBuffer {
        let mut buffer = DepthBuffer::new(width, height);
        let mut spheres: Vec<(DVec3, f64, f64)> = (self.scenery.spheres.iter())
            .filter(|s| s.is_drawable())
            .map(|s| (view.place(s.centre), view.length(s.radius), s.value))
            .collect();
        // The nearest sphere first, so that hidden dots of the others are skipped.
        spheres.sort_by(|a, b| (b.0.z + b.1).total_cmp(&(a.0.z + a.1)));
        for &(centre, radius, value) in &spheres {
            drawing::sphere(&mut buffer, view, centre, radius, palettes[0].of(value).unwrap_or(NO_VALUE));
        }
        if !spheres.is_empty() {
            let middle = spheres.len() / 2;
            let (_, &mut (_, typical, _), _) = spheres.select_nth_unstable_by(middle, |a, b| a.1.total_cmp(&b.1));
            let reach = (typical / view.dot_length(0.0)).clamp(2.0, 80.0);
            occlusion::darken(&mut buffer, reach, reach * view.dot_length(0.0));
        }

        let mut lines = DepthBuffer::new(width, height);
        for stroke in self.scenery.strokes.iter().filter(|s| s.is_drawable()) {
            let colour = match stroke.paint {
                Paint::Fixed(colour) => colour,
                Paint::Value(value) => palettes[1].of(value).unwrap_or(NO_VALUE),
            };
            let ends = stroke.ends.map(|end| view.place(end));
            drawing::stroke(&mut lines, view, ends, view.length(0.5 * stroke.width.abs()), colour);
        }
        let walls = self.scenery.walls.iter().filter(|wall| wall.is_drawable());
        let walls: Vec<_> = walls.map(|wall| wall.corners.map(|corner| view.place(corner))).collect();
        for ends in outline::edges(view, &walls) {
            drawing::stroke(&mut lines, view, ends, 0.0, OUTLINE);
        }
        for dot in 0..buffer.depth.len() {
            if lines.depth[dot] > buffer.depth[dot] {
                (buffer.depth[dot], buffer.colour[dot]) = (lines.depth[dot], lines.colour[dot]);
            } else if self.opacity < 1.0 && buffer.depth[dot] > f32::NEG_INFINITY {
                let behind = if lines.depth[dot] > f32::NEG_INFINITY { lines.colour[dot] } else { PAPER };
                buffer.colour[dot] = mixed(behind, buffer.colour[dot], self.opacity);
                // Walls behind a translucent sphere are visible, too.
                buffer.depth[dot] = lines.depth[dot];
            }
        }
        drawing::walls(&mut buffer, view, walls);
        buffer
    }
}
