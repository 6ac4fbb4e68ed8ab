//! SVG drawing of the pyramid as shaded spheres.
use std::fmt::Write as _;

use rrp_geom::glam::DVec3;

/// Angle in rad by which the camera looks down from the horizontal.
const ELEVATION: f64 = 0.42;

/// Sphere to be drawn, with its centre in diameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball {
    pub(super) centre: DVec3,
    /// Number of its shade on the colour scale, or [`GREY`](crate::figures::colour::GREY) for a fixed sphere.
    pub(super) shade: usize,
}

/// Rectangle in pixels for the drawing of a pyramid of `layers` layers, seen along the horizontal direction −(1, 1).
#[derive(Clone, Copy, Debug)]
pub(super) struct Panel {
    pub(super) corner: (f64, f64),
    pub(super) size: (f64, f64),
    pub(super) layers: usize,
}

impl Panel {
    /// Draws the visible spheres, from the farthest to the nearest. `balls` are in the order of the pyramid: by layers
    /// from the base upwards. `scope` is the prefix of the ids of their gradients.
    pub(super) fn svg(&self, scope: &str, balls: &[Ball]) -> String {
        let middle = 0.5 * (self.layers as f64 - 1.0);
        let width = 2.0 * middle * std::f64::consts::SQRT_2 + 1.4;
        let scale = (self.size.0 / width).min(self.size.1 / (0.72 * width));
        let centre = (self.corner.0 + 0.5 * self.size.0, self.corner.1 + 0.63 * self.size.1);
        let mut seen: Vec<(f64, (f64, f64), usize)> = Vec::new();
        let mut number = 0;
        for side in (1..=self.layers).rev() {
            for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
                let ball = balls[number];
                number += 1;
                // Two layers of spheres behind the front faces are drawn, since the first layer has gaps.
                if i + 2 < side && j + 2 < side {
                    continue;
                }
                let root = std::f64::consts::SQRT_2;
                let x = (ball.centre.x - middle) / root;
                let y = (ball.centre.y - middle) / root;
                let up = ball.centre.z * ELEVATION.cos() - (x + y) * ELEVATION.sin();
                let near = (x + y) * ELEVATION.cos() + ball.centre.z * ELEVATION.sin();
                seen.push((near, (centre.0 - scale * (x - y), centre.1 - scale * up), ball.shade));
            }
        }
        seen.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut svg = String::new();
        for (_, (x, y), shade) in seen {
            let _written = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"url(#{scope}{shade})\"/>",
                0.5 * scale
            );
        }
        svg
    }
}
