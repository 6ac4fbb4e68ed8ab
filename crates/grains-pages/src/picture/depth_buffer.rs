//! The nearest object at each dot of a picture.
use std::ops::Range;

use glam::DVec2;

/// Colour of empty dots.
pub(super) const PAPER: [u8; 3] = [255; 3];

/// Colour and depth of each dot, row by row from the top.
#[derive(Clone, Debug)]
pub(super) struct DepthBuffer {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Coordinate, towards the eye, of the object at each dot; minus infinity for empty dots.
    pub(super) depth: Vec<f32>,
    pub(super) colour: Vec<[u8; 3]>,
}

impl DepthBuffer {
    pub(super) fn new(width: usize, height: usize) -> Self {
        let count = width * height;
        Self { width, height, depth: vec![f32::NEG_INFINITY; count], colour: vec![PAPER; count] }
    }

    /// Returns the columns and rows of dots whose middles are in a rectangle, within the picture.
    pub(super) fn inside(&self, [low, high]: [DVec2; 2]) -> [Range<usize>; 2] {
        let range = |low: f64, high: f64, count: usize| {
            // Casts saturate, and NaN becomes zero.
            ((low - 0.5).ceil() as usize).min(count)..((high + 0.5).floor() as usize).min(count)
        };
        [range(low.x, high.x, self.width), range(low.y, high.y, self.height)]
    }

    /// Colours a dot with an object at this depth, unless the dot has a nearer object; `colour` is called only then.
    pub(super) fn put(&mut self, dot: usize, depth: f64, colour: impl FnOnce() -> [u8; 3]) {
        let depth = depth as f32;
        if depth > self.depth[dot] {
            self.depth[dot] = depth;
            self.colour[dot] = colour();
        }
    }
}

/// Mixes two colours, from `a` for a share of zero to `b` for one.
pub(super) fn mixed(a: [u8; 3], b: [u8; 3], share: f64) -> [u8; 3] {
    std::array::from_fn(|k| (f64::from(a[k]) + share * (f64::from(b[k]) - f64::from(a[k]))).round() as u8)
}
