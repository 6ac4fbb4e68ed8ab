//! Lines that show the shape of translucent walls: borders, folds, and contours where walls turn away from the eye.
use glam::{DVec2, DVec3};

use super::camera::View;

/// Cosine of the largest angle, 30 degrees, between two triangles of one smooth wall.
const SMOOTH: f64 = 0.87;

struct Edge {
    /// Coordinates of both ends as bits, sorted, so that both triangles at the edge have the same key.
    key: [[u64; 3]; 2],
    ends: [DVec3; 2],
    /// Corner of the triangle that is not on the edge.
    apex: DVec3,
    normal: DVec3,
}

/// Returns the edges of triangles, in view coordinates, that are drawn as lines. An edge is drawn unless exactly two
/// triangles share it. A shared edge is drawn if its triangles meet at more than 30 degrees, or are on the same side of
/// it as the eye sees them.
pub(super) fn edges(view: &View, walls: &[[DVec3; 3]]) -> Vec<[DVec3; 2]> {
    let mut all: Vec<Edge> = Vec::with_capacity(3 * walls.len());
    for &[a, b, c] in walls {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        for [from, to, apex] in [[a, b, c], [b, c, a], [c, a, b]] {
            // Adding zero gives both zeros the same bits.
            let mut key = [from, to].map(|end| end.to_array().map(|x| (x + 0.0).to_bits()));
            key.sort_unstable();
            all.push(Edge { key, ends: [from, to], apex, normal });
        }
    }
    all.sort_by_key(|edge| edge.key);
    let is_shown = |shared: &[Edge]| match shared {
        [one, other] => {
            let [from, to] = one.ends.map(|end| view.dot(end));
            let side = |apex: DVec3| DVec2::perp_dot(to - from, view.dot(apex) - from);
            one.normal.dot(other.normal).abs() < SMOOTH || side(one.apex) * side(other.apex) > 0.0
        }
        _ => true,
    };
    all.chunk_by(|a, b| a.key == b.key).filter(|shared| is_shown(shared)).map(|shared| shared[0].ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Camera;
    use crate::picture::camera::Area;
    use crate::picture::scenery::Scenery;

    /// Counts the drawn edges of two triangles with a common edge, seen from above; `top` is a corner of the second
    /// one.
    fn count(top: [f64; 3]) -> usize {
        let area = Area { low: DVec2::ZERO, high: DVec2::splat(100.0) };
        let view = View::fit(&Camera::from_direction(DVec3::Z), &Scenery::default(), area);
        let [a, b, c] = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]].map(DVec3::from_array);
        let walls = [[a, b, c], [a, c, DVec3::from_array(top)]];
        edges(&view, &walls.map(|corners| corners.map(|corner| view.place(corner)))).len()
    }

    #[test]
    fn a_diagonal_is_drawn_only_where_a_wall_folds_or_turns_away() {
        assert_eq!(count([0.0, 1.0, 0.0]), 4);
        assert_eq!(count([0.0, 1.0, 0.2]), 4);
        assert_eq!(count([0.0, 1.0, 1.0]), 5);
        // Nearly folded flat on the other triangle, like the contour of a thin plate.
        assert_eq!(count([1.0, 0.0, -0.1]), 5);
    }
}
