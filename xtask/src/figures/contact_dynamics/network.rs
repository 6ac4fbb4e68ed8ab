//! Drawings of the contact forces in the pyramid as a network of lines between the centres of touching spheres.
use std::fmt::Write as _;

use super::pile::Pile;
use crate::figures::colour::{SHADES, bar, colour, shade};
use crate::model::{Drawing, INK, View};

/// Background colour of the drawing of contact forces on a light page.
const DAY: &str = "#F6F8FA";
/// Background colour of the drawing of contact forces on a dark page.
const NIGHT: &str = "#0D1117";
/// Colour of the pyramid's outline.
const OUTLINE: &str = "#818B95";

/// Returns the colour of a shade on a light page, where dark colours mean large forces; on a dark page bright colours
/// do.
fn by_day(shade: usize) -> String {
    colour(SHADES - 1 - shade)
}

/// Returns the style sheet that replaces the colours of the drawing on a dark page.
fn night() -> String {
    let rule = |(light, dark): (&str, &str)| {
        format!(".forces [fill=\"{light}\"]{{fill:{dark}}}.forces [stroke=\"{light}\"]{{stroke:{dark}}}")
    };
    let shades: String = (0..SHADES).map(|k| rule((&by_day(k), &colour(k)))).collect();
    format!("<style>@media screen and (prefers-color-scheme:dark){{{}{shades}}}</style>", rule((DAY, NIGHT)))
}

/// Width and height of the drawing of the pyramid in pixels.
const SIZE: (f64, f64) = (640.0, 510.0);
/// Angle in rad by which the camera looks down from the horizontal.
const ELEVATION: f64 = 0.42;

/// Camera that looks along the horizontal direction −(1, 1), so that the reflection x ↔ y of the pyramid swaps left and
/// right in the drawing.
struct Camera {
    scale: f64,
    middle: f64,
}

impl Camera {
    fn new(layers: usize) -> Self {
        let width = (layers as f64 - 1.0) * std::f64::consts::SQRT_2;
        Self { scale: (SIZE.0 - 70.0) / width, middle: 0.5 * (layers as f64 - 1.0) }
    }

    fn at(&self, [x, y, z]: [f64; 3]) -> (f64, f64) {
        let x = (x - self.middle) / std::f64::consts::SQRT_2;
        let y = (y - self.middle) / std::f64::consts::SQRT_2;
        let up = z * ELEVATION.cos() - (x + y) * ELEVATION.sin();
        let centre = (0.5 * SIZE.0, 318.0);
        (centre.0 - self.scale * (x - y), centre.1 - self.scale * up)
    }
}

/// Returns the numbers of the contacts that are visible once the front quarter of the pyramid is cut away: those in the
/// two planes of the cut and in the two front faces.
fn visible(pile: &Pile) -> Vec<usize> {
    let centre = pile.pyramid.centre();
    let middle = 0.5 * (pile.layers() as f64 - 1.0);
    // The last sphere of each row of layer k is at n − 1 − k/2.
    let last = |sphere: [f64; 3]| 2.0 * middle - sphere[2] / std::f64::consts::SQRT_2;
    let cut = |along: f64, across: f64| along > middle - 0.8 && (middle - 0.8..middle + 0.3).contains(&across);
    let seen = |&[a, b]: &[usize; 2]| {
        let a = centre[a];
        let b = centre[b];
        let at: [f64; 3] = std::array::from_fn(|d| 0.5 * (a[d] + b[d]));
        let face = |d: usize| a[d] > last(a) - 0.1 && b[d] > last(b) - 0.1 && at[1 - d] < middle + 0.3;
        cut(at[0], at[1]) || cut(at[1], at[0]) || face(0) || face(1)
    };
    pile.pyramid.pairs().iter().enumerate().filter(|(_, pair)| seen(pair)).map(|(contact, _)| contact).collect()
}

/// Draws the contact forces in the pyramid with its front quarter cut away. Lines join the centres of touching spheres;
/// their widths and colours show the forces on a scale from zero to `most` (m g).
pub(super) fn drawing(id: &'static str, title: &str, pile: &Pile, force: &[f64], most: f64) -> Drawing {
    let camera = Camera::new(pile.layers());
    let end = pile.layers() as f64 - 1.0;
    let top = [0.5 * end, 0.5 * end, end / std::f64::consts::SQRT_2];
    let mut svg = format!("<rect x=\"12\" y=\"38\" width=\"616\" height=\"418\" rx=\"4\" fill=\"{DAY}\"/>\n");
    let mut outline = |points: &[[f64; 3]]| {
        let path: Vec<String> = points.iter().map(|&p| camera.at(p)).map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        let path = path.join("L");
        let _written = writeln!(svg, "<path d=\"M{path}\" fill=\"none\" stroke=\"{OUTLINE}\" stroke-width=\"1\"/>");
    };
    let corner = |x: f64, y: f64| [x * end, y * end, 0.0];
    outline(&[corner(0.0, 1.0), corner(1.0, 1.0), corner(1.0, 0.0)]);
    outline(&[corner(0.0, 1.0), top, corner(1.0, 0.0)]);
    outline(&[corner(0.5, 1.0), corner(0.5, 0.5), corner(1.0, 0.5)]);
    outline(&[corner(0.5, 1.0), top, corner(1.0, 0.5)]);
    outline(&[corner(0.5, 0.5), top]);
    let mut paths = vec![String::new(); SHADES];
    for contact in visible(pile) {
        if force[contact] > 1e-6 * most {
            let [a, b] = pile.pyramid.pairs()[contact].map(|sphere| camera.at(pile.pyramid.centre()[sphere]));
            let path = &mut paths[shade(force[contact], most)];
            let _written = write!(path, "M{:.1} {:.1}l{:.1} {:.1}", a.0, a.1, b.0 - a.0, b.1 - a.1);
        }
    }
    for (k, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
        let width = 0.8 + 6.0 * (k as f64 + 0.5) / SHADES as f64;
        let _written = writeln!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width:.2}\" stroke-linecap=\"round\"/>",
            by_day(k)
        );
    }
    let drawing = Drawing::new(id, title, SIZE).raw(&night()).raw("<g class=\"forces\">").raw(&svg);
    let drawing = bar(drawing, (40.0, 470.0), most, by_day, "contact force [m g]").raw("</g>\n");
    drawing.text((628.0, 497.0), "front quarter cut away", 12.0, "end", INK, false)
}

/// Makes an interactive view of the contact forces in the whole pyramid, on a scale from zero to `most` (m g).
pub(super) fn view(id: &'static str, title: &str, pile: &Pile, force: &[f64], most: f64) -> View {
    let centres = pile.pyramid.centre().iter().map(|&centre| centre.into()).collect();
    View::network(id, title, centres, pile.pyramid.pairs(), force).scale("contact force [m g]", most)
}
