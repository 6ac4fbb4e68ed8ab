//! Lower bounds of the distances of a centre from triangles.
//!
//! Boxes are a poor bound where triangles are oblique: the box of a strip of a cone fills a large part of the cone. A
//! triangle lies in its plane and on the inner side of each of its edges, so four inner products bound its distance. On
//! a concave surface this bound excludes nearly all triangles that are not touched.

use rrp_geom::glam::DVec3;

/// Four planes of a triangle: its own plane, and the three planes across it through its edges. Normals have length one,
/// and normals at edges point out of the triangle. Components are stored in separate arrays, so that the four inner
/// products are vector operations.
#[derive(Debug, Clone, Copy, Default)]
struct Rows {
    x: [f64; 4],
    y: [f64; 4],
    z: [f64; 4],
    /// Signed height (m) of the origin above each of the four planes.
    origin: [f64; 4],
}

/// Lower bounds of the distances of a point from the triangles of a mesh, in the frame of the mesh.
#[derive(Debug, Clone, Default)]
pub(super) struct FaceBounds {
    rows: Vec<Rows>,
    size: f64,
    largest: f64,
}

/// Centre of a sphere, and the distance from it within which triangles of a mesh are looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    centre: DVec3,
    /// Square in m² of this distance, with a margin for rounding.
    square: f64,
}

/// Height of a triangle over the longest side of the mesh below which the triangle gets no bound, since rounding turns
/// its planes too far. A smaller value would make the margin larger for all triangles.
const NARROW: f64 = 1e-6;

/// Number of rounding errors that the margin of the search distance covers. The computation of a distance from the
/// corners of a triangle makes about ten, so a number below ten would lose contacts. The margin is far below the
/// distance, so a larger number excludes hardly fewer triangles.
const ROUNDINGS: f64 = 64.0;

impl FaceBounds {
    pub(super) fn new(triangles: impl Iterator<Item = ([DVec3; 3], DVec3)> + Clone) -> Self {
        let corners = triangles.clone().map(|(corners, _)| corners);
        let largest = corners.clone().flatten().fold(0.0_f64, |most, corner| most.max(corner.abs().max_element()));
        let size = corners.fold(0.0_f64, |most, corners| most.max(longest_side(corners)));
        let rows = triangles.map(|(corners, normal)| Rows::new(corners, normal, NARROW * size)).collect();
        Self { rows, size, largest }
    }

    /// Prepares the bounds for a centre and the distance `reach` (m) within which triangles count.
    ///
    /// The margin makes sure that every triangle counts whose distance, computed from its corners, is below `reach`.
    /// Where the nearest point changes from the face to an edge of the triangle, rounding moves the limit by up to ε
    /// (size + reach)² over the smallest height of the triangle, with the rounding unit ε. Heights above planes have
    /// errors of ε times the coordinates.
    pub(super) fn reach(&self, centre: DVec3, reach: f64) -> Reach {
        let span = self.size + reach;
        let coordinates = self.largest + centre.abs().max_element();
        let margin = ROUNDINGS * f64::EPSILON * (span * span / (NARROW * self.size) + coordinates);
        Reach { centre, square: (reach + margin) * (reach + margin) }
    }

    /// Whether a triangle may be within reach of the centre. With a NaN in the centre the answer is always true.
    #[inline(always)]
    pub(super) fn may_reach(&self, triangle: u32, reach: &Reach) -> bool {
        let [height, beyond @ ..] = self.rows[triangle as usize].heights(reach.centre);
        let beyond = beyond[0].max(beyond[1]).max(beyond[2]).max(0.0);
        let is_out_of_reach = height * height + beyond * beyond > reach.square;
        !is_out_of_reach
    }
}

impl Rows {
    /// Makes the four planes of a triangle. All planes are zero, so that they bound no distance, if a height of the
    /// triangle is at most `narrow` (m).
    fn new([a, b, c]: [DVec3; 3], normal: DVec3, narrow: f64) -> Self {
        let mut made = Self::default();
        let area = (b - a).cross(c - a).length();
        let is_wide = area > narrow * longest_side([a, b, c]);
        if !is_wide {
            return made;
        }
        let out = |from: DVec3, to: DVec3, opposite: DVec3| {
            let across = (to - from).cross(normal).normalize_or_zero();
            if across.dot(opposite - from) > 0.0 { -across } else { across }
        };
        let planes = [(normal, a), (out(a, b, c), a), (out(b, c, a), b), (out(c, a, b), c)];
        for (row, (normal, point)) in planes.into_iter().enumerate() {
            made.x[row] = normal.x;
            made.y[row] = normal.y;
            made.z[row] = normal.z;
            made.origin[row] = -normal.dot(point);
        }
        made
    }

    #[inline(always)]
    fn heights(&self, at: DVec3) -> [f64; 4] {
        std::array::from_fn(|row| self.x[row] * at.x + self.y[row] * at.y + self.z[row] * at.z + self.origin[row])
    }
}

/// Length in m of the longest side of a triangle.
pub(super) fn longest_side([a, b, c]: [DVec3; 3]) -> f64 {
    a.distance(b).max(b.distance(c)).max(c.distance(a))
}
