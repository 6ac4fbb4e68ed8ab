//! Colour scale of drawings, with even steps of lightness that colour-blind readers can distinguish, and gradients for
//! drawing spheres in its colours.
use grains_pages::number;
use std::fmt::Write as _;

use crate::model::{Drawing, INK};

/// Number of shades in the colour scale. More shades make larger SVG files, since each shade has its own path.
pub(super) const SHADES: usize = 48;

/// Shade number of fixed spheres, which are drawn grey since they have no value on the scale.
pub(super) const GREY: usize = SHADES;

/// RGB values of the colour map Viridis at nine evenly spaced points; shades between them are interpolated linearly.
const ANCHORS: [[f64; 3]; 9] = [
    [68.0, 1.0, 84.0],
    [71.0, 44.0, 122.0],
    [59.0, 81.0, 139.0],
    [44.0, 113.0, 142.0],
    [33.0, 144.0, 141.0],
    [39.0, 173.0, 129.0],
    [92.0, 200.0, 99.0],
    [170.0, 220.0, 50.0],
    [253.0, 231.0, 37.0],
];

/// Returns the number of the shade for `value` on a colour scale from zero to `most`. Values outside get the shade of
/// the nearer end.
pub(super) fn shade(value: f64, most: f64) -> usize {
    let at = (value / most * SHADES as f64).floor();
    // The cast turns NaN into the first shade.
    at.clamp(0.0, (SHADES - 1) as f64) as usize
}

/// Returns the colour of a shade as a hexadecimal string such as `#440557`.
pub(super) fn colour(shade: usize) -> String {
    let [r, g, b] = channels(shade);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Returns the red, green and blue values of a shade.
pub(super) fn channels(shade: usize) -> [u8; 3] {
    let at = (shade as f64 + 0.5) / SHADES as f64 * (ANCHORS.len() - 1) as f64;
    let below = (at.floor() as usize).min(ANCHORS.len() - 2);
    let t = at - below as f64;
    std::array::from_fn(|c| (ANCHORS[below][c] + t * (ANCHORS[below + 1][c] - ANCHORS[below][c])).round() as u8)
}

/// Returns SVG definitions of one radial gradient for each shade, with which a circle looks like a ball lit from the
/// upper left. The ids begin with `scope`, so that drawings on one page do not share ids.
pub(super) fn gradients(scope: &str) -> String {
    let ball = |shade: usize| {
        let [r, g, b] = if shade == GREY { [140, 149, 159] } else { channels(shade) };
        let mix = |t: f64, to: f64| {
            let channel = |c: u8| (f64::from(c) + t * (to - f64::from(c))).round();
            format!("rgb({},{},{})", channel(r), channel(g), channel(b))
        };
        format!(
            "<radialGradient id=\"{scope}{shade}\" cx=\"0.36\" cy=\"0.32\" r=\"0.75\"><stop offset=\"0\" stop-color=\"{}\"/>\
             <stop offset=\"0.4\" stop-color=\"{}\"/><stop offset=\"1\" stop-color=\"{}\"/></radialGradient>",
            mix(0.6, 255.0),
            mix(0.0, 0.0),
            mix(0.6, 0.0)
        )
    };
    format!("<defs>{}</defs>\n", (0..=GREY).map(ball).collect::<String>())
}

/// Draws the colour scale from zero to `most` as a bar of 320 pixels with its top left corner at `corner`; `of_shade`
/// returns the colour of a shade.
pub(super) fn bar(
    mut drawing: Drawing,
    corner: (f64, f64),
    most: f64,
    of_shade: fn(usize) -> String,
    label: &str,
) -> Drawing {
    const WIDTH: f64 = 320.0;
    let mut cells = String::new();
    for k in 0..SHADES {
        let left = corner.0 + WIDTH * k as f64 / SHADES as f64;
        let step = WIDTH / SHADES as f64;
        let _written = writeln!(
            cells,
            "<rect x=\"{left:.2}\" y=\"{:.1}\" width=\"{:.2}\" height=\"12\" fill=\"{}\"/>",
            corner.1,
            step + 0.3,
            of_shade(k)
        );
    }
    drawing = drawing.raw(&cells);
    for quarter in 0..=4 {
        let x = corner.0 + 0.25 * WIDTH * f64::from(quarter);
        let value = 0.25 * most * f64::from(quarter);
        drawing = drawing.text((x, corner.1 + 27.0), &number::short(value, 3), 12.0, "middle", INK, false);
    }
    drawing.text((corner.0 + WIDTH + 18.0, corner.1 + 11.0), label, 12.0, "start", INK, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_scale_have_its_end_colours() {
        assert_eq!(
            [shade(-1.0, 2.0), shade(0.0, 2.0), shade(2.0, 2.0), shade(9.0, 2.0)],
            [0, 0, SHADES - 1, SHADES - 1]
        );
        assert_eq!(shade(f64::NAN, 1.0), 0);
        assert_eq!((&*colour(0), &*colour(SHADES - 1)), ("#440557", "#f6e626"));
    }
}
