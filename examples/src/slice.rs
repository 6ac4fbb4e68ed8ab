//! Pictures of a plane section of a scene.

use std::fmt::Write as _;

use rrp_integrate::{Bodies, State};

/// Margin above a picture for the title, and below it for scale and key, in diameters.
const MARGIN: f64 = 2.4;

/// Length of the scale bar, in diameters.
const SCALE: f64 = 5.0;

/// A picture of the plane y = 0 in diameters: walls, the spheres that the plane cuts, brighter for faster ones, a scale
/// bar and a key.
#[derive(Debug)]
pub struct Slice {
    low: [f64; 2],
    high: [f64; 2],
    fastest: f64,
    svg: String,
}

impl Slice {
    /// Makes an empty picture of the rectangle between two corners; spheres have the brightest colour at the speed
    /// `fastest`.
    #[must_use]
    pub fn new(title: &str, [low, high]: [[f64; 2]; 2], fastest: f64) -> Self {
        let x = low[0];
        let y = -high[1] - MARGIN;
        let width = high[0] - low[0];
        let height = high[1] - low[1] + 2.0 * MARGIN;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{x} {y} {width} {height}\" width=\"{:.0}\" height=\"{:.0}\" \
             font-family=\"sans-serif\" font-size=\"0.8\">\n\
             <rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n",
            30.0 * width,
            30.0 * height,
        );
        let middle = 0.5 * (low[0] + high[0]);
        put(&mut svg, format_args!("<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{title}</text>", y + 1.4));
        Self { low, high, fastest, svg }
    }

    /// Adds the spheres that the plane cuts; `depth` maps the y of a centre to its distance from the plane.
    #[must_use]
    pub fn spheres(mut self, bodies: &Bodies, state: &State, depth: impl Fn(f64) -> f64) -> Self {
        for i in 0..bodies.len() {
            let at = state.position().get(i);
            let radius = bodies.radius()[i];
            let cut = radius * radius - depth(at.y).powi(2);
            if cut > 0.0 {
                let colour = colour(state.velocity().get(i).length() / self.fastest);
                put(
                    &mut self.svg,
                    format_args!(
                        "<circle cx=\"{:.3}\" cy=\"{:.3}\" r=\"{:.3}\" fill=\"{colour}\"/>",
                        at.x,
                        -at.z,
                        cut.sqrt()
                    ),
                );
            }
        }
        self
    }

    /// Adds a wall through these points.
    #[must_use]
    pub fn wall(mut self, points: &[[f64; 2]]) -> Self {
        let points: String = points.iter().map(|[x, z]| format!("{x},{} ", -z)).collect();
        put(
            &mut self.svg,
            format_args!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"black\" stroke-width=\"0.12\"/>",
                points.trim()
            ),
        );
        self
    }

    /// Adds a circular wall about the origin.
    #[must_use]
    pub fn round_wall(mut self, radius: f64) -> Self {
        put(
            &mut self.svg,
            format_args!("<circle r=\"{radius}\" fill=\"none\" stroke=\"black\" stroke-width=\"0.12\"/>"),
        );
        self
    }

    /// Returns the picture as SVG, with scale bar and key.
    #[must_use]
    pub fn into_svg(mut self) -> String {
        let ([left, bottom], right) = (self.low, self.high[0]);
        let line = -bottom + 0.7;
        let text = -bottom + 1.8;
        let svg = &mut self.svg;
        let from = left + 1.0;
        put(svg, format_args!("<path d=\"M{from} {line}h{SCALE}\" stroke=\"black\" stroke-width=\"0.12\"/>"));
        let middle = from + 0.5 * SCALE;
        put(svg, format_args!("<text x=\"{middle}\" y=\"{text}\" text-anchor=\"middle\">{SCALE} d</text>"));
        // The key: bars from rest to the fastest speed.
        let bars = 10;
        let width = 0.7;
        let first = right - 1.0 - width * f64::from(bars);
        for bar in 0..bars {
            let x = first + width * f64::from(bar);
            let colour = colour((f64::from(bar) + 0.5) / f64::from(bars));
            put(
                svg,
                format_args!(
                    "<rect x=\"{x:.2}\" y=\"{:.2}\" width=\"{width}\" height=\"0.5\" fill=\"{colour}\"/>",
                    line - 0.4
                ),
            );
        }
        let middle = first + 0.5 * width * f64::from(bars);
        put(
            svg,
            format_args!(
                "<text x=\"{middle:.2}\" y=\"{text}\" text-anchor=\"middle\">speed 0 to {} √(g d)</text>",
                self.fastest
            ),
        );
        self.svg + "</svg>\n"
    }
}

fn colour(share: f64) -> String {
    format!("hsl(210,60%,{:.0}%)", 25.0 + 50.0 * share.min(1.0))
}

fn put(svg: &mut String, line: std::fmt::Arguments<'_>) {
    let _written = writeln!(svg, "{line}");
}
