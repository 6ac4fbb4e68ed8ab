//! Walls that are surfaces of revolution, such as drums: drawn rounder than frames have them, with marks on those that
//! turn.
//!
//! Frames have 48 flat faces around the axis, which turn with the wall. In a picture such a drum is a polygon, and one
//! that turns looks as if it stood still.

use std::f64::consts::TAU;

use dem_contact::io::VtpTable;
use rrp_geom::glam::DVec3;

/// Number of faces around the axis in a frame.
const PARTS: usize = 48;
/// Number of drawn faces for each face of a frame. With four of them the outline is within 2e-4 radii of a circle.
const FINER: usize = 4;
/// Middles and half widths of the marks on a wall that turns, in turns: the first is wider, so that turns can be counted.
const MARKS: [[f64; 2]; 4] = [[0.0, 0.008], [0.25, 0.003], [0.5, 0.003], [0.75, 0.003]];

/// The faces of a surface of revolution in a frame, as rings of points around its axis.
pub(super) struct Turned {
    rings: Vec<Ring>,
}

/// A ring of points around an axis: `centre` + cos φ `start` + sin φ `quarter`.
struct Ring {
    centre: DVec3,
    start: DVec3,
    quarter: DVec3,
}

impl Ring {
    /// Returns the point of the ring in m that is this share of a turn after its start.
    fn at(&self, turns: f64) -> DVec3 {
        let (sin, cos) = (TAU * turns).sin_cos();
        self.centre + cos * self.start + sin * self.quarter
    }
}

impl Turned {
    /// Reads the surface of revolution whose faces are these `polygons` of a frame; `None` for other walls.
    pub(super) fn of(walls: &VtpTable, polygons: &[Vec<usize>]) -> Option<Self> {
        let pieces = polygons.len() / PARTS;
        let rings = pieces + 1;
        let first = *polygons.first()?.first()?;
        let corner = |part: usize, ring: usize| first + part % PARTS * rings + ring;
        let expected = |index: usize| {
            let (part, piece) = (index / pieces, index % pieces);
            let next = part + 1;
            [corner(part, piece), corner(part, piece + 1), corner(next, piece + 1), corner(next, piece)]
        };
        let is_turned = pieces > 0
            && polygons.len() == pieces * PARTS
            && polygons.iter().enumerate().all(|(index, polygon)| polygon[..] == expected(index));
        if !is_turned || first + PARTS * rings > walls.points.len() {
            return None;
        }
        let ring = |ring: usize| {
            let [start, quarter, half] = [0, PARTS / 4, PARTS / 2].map(|part| walls.points[corner(part, ring)]);
            let centre = 0.5 * (start + half);
            Ring { centre, start: start - centre, quarter: quarter - centre }
        };
        Some(Self { rings: (0..rings).map(ring).collect() })
    }

    /// Returns the triangles of the surface. Neighbours have common corners to the last bit.
    pub(super) fn triangles(&self) -> Vec<[DVec3; 3]> {
        let count = PARTS * FINER;
        let points = |ring: &Ring| (0..count).map(|part| ring.at(part as f64 / count as f64)).collect::<Vec<_>>();
        let rings: Vec<Vec<DVec3>> = self.rings.iter().map(points).collect();
        let between = |pair: &[Vec<DVec3>]| {
            let [low, high] = [&pair[0], &pair[1]];
            (0..count)
                .flat_map(|part| {
                    let next = (part + 1) % count;
                    [[low[part], high[part], high[next]], [low[part], high[next], low[next]]]
                })
                .collect::<Vec<_>>()
        };
        rings.windows(2).flat_map(between).collect()
    }

    /// Returns the triangles of strips along the surface that turn with the wall.
    pub(super) fn marks(&self) -> Vec<[DVec3; 3]> {
        let strip = |pair: &[Ring], [middle, half]: [f64; 2]| {
            let [a, b] = [middle - half, middle + half].map(|turns| pair[0].at(turns));
            let [d, c] = [middle - half, middle + half].map(|turns| pair[1].at(turns));
            [[a, b, c], [a, c, d]]
        };
        let pieces = self.rings.windows(2);
        pieces.flat_map(|pair| MARKS.into_iter().flat_map(move |mark| strip(pair, mark))).collect()
    }
}
