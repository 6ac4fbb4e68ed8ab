//! Soft shadows in the gaps between grains.
//!
//! Ambient occlusion in screen space: a dot is darker if the depths around it are nearer to the eye than its own.
//! Depths are compared in opposite pairs, so that inclined planes cast no shadow on themselves.
use super::depth_buffer::{DepthBuffer, mixed};

/// Number of pairs of dots compared with each dot. Fewer pairs give visible bands, more take longer.
const PAIRS: usize = 12;
/// Fraction of the light that is taken from a dot whose surroundings are all nearer to the eye.
const DARKEST: f64 = 0.75;

/// Darkens the gaps between grains. `reach` is the range of shadows in dots, `depth` the same length in view
/// coordinates.
pub(super) fn darken(buffer: &mut DepthBuffer, reach: f64, depth: f64) {
    let offsets = offsets(reach);
    let [width, height] = [buffer.width, buffer.height].map(|count| count as isize);
    let limit = depth as f32;
    let light: Vec<f32> = (0..buffer.depth.len())
        .map(|dot| {
            let here = buffer.depth[dot];
            if here == f32::NEG_INFINITY {
                return 1.0;
            }
            let (column, row) = ((dot % buffer.width) as isize, (dot / buffer.width) as isize);
            let ahead = |dx: isize, dy: isize| {
                let (x, y) = (column + dx, row + dy);
                let is_inside = x >= 0 && y >= 0 && x < width && y < height;
                let there = if is_inside { buffer.depth[(y * width + x) as usize] } else { f32::NEG_INFINITY };
                (there - here).clamp(-limit, limit)
            };
            let hidden: f32 = offsets.iter().map(|&[dx, dy]| (ahead(dx, dy) + ahead(-dx, -dy)).max(0.0)).sum();
            1.0 - DARKEST as f32 * hidden / (2.0 * limit * PAIRS as f32)
        })
        .collect();
    for (colour, light) in buffer.colour.iter_mut().zip(light) {
        *colour = mixed([0; 3], *colour, f64::from(light));
    }
}

/// Returns offsets evenly distributed over a disc, like the seeds of a sunflower.
fn offsets(reach: f64) -> [[isize; 2]; PAIRS] {
    std::array::from_fn(|i| {
        let radius = reach * ((i as f64 + 0.5) / PAIRS as f64).sqrt();
        let angle = 2.399_963_229_728_653 * i as f64;
        [radius * angle.cos(), radius * angle.sin()].map(|x| x.round() as isize)
    })
}
