//! Which side of a surface a centre is on that is nearest to an edge or a point.
//!
//! The sum of the normals around says so, but for those of triangles as narrow as what points are rounded by: these may point
//! anywhere, inwards too. In place of its own normal such a triangle has that of the surface beyond it.

use rrp_geom::glam::DVec3;

use super::TriangleMesh;
use super::topology::NONE;

/// How many narrow triangles one looks beyond.
const MOST: u32 = 16;

/// Normals of squared length below this, in terms of their number, cancel out: the sheet is hardly thicker than its triangles are wide.
const CANCELLED: f64 = 1e-3;

/// Whether rounding to single precision may turn a triangle with these corners over.
pub(super) fn may_be_turned([a, b, c]: [DVec3; 3]) -> bool {
    let largest = a.abs().max(b.abs()).max(c.abs()).max_element();
    (b - a).cross(c - a).length() <= 2.0 * f64::from(f32::EPSILON) * largest * longest_side([a, b, c])
}

/// Whether it may because it is narrow, not because it is far from the origin: then what is beyond it is beside it.
pub(super) fn is_narrow([a, b, c]: [DVec3; 3]) -> bool {
    let longest = longest_side([a, b, c]);
    may_be_turned([a, b, c]) && (b - a).cross(c - a).length() < 1e-3 * longest * longest
}

fn longest_side([a, b, c]: [DVec3; 3]) -> f64 {
    a.distance(b).max(b.distance(c)).max(c.distance(a))
}

impl TriangleMesh {
    /// A vector that points to the front at an edge between two triangles; at an open one the normal of its triangle.
    pub(super) fn front_at_edge(&self, edge: u32) -> DVec3 {
        let [one, other] = self.topology.sharing[edge as usize];
        if other == NONE {
            return self.normals[one as usize];
        }
        let own = self.normals[one as usize] + self.normals[other as usize];
        if self.narrow.is_empty() {
            return own;
        }
        let sum: DVec3 = [one, other].into_iter().filter_map(|t| self.normal_by_way_of(t, edge, MOST)).sum();
        if sum.length_squared() > CANCELLED { sum } else { own }
    }

    /// The sum of the normals of the triangles around a point, weighted by their angles there.
    pub(super) fn front_at_point(&self, point: u32) -> DVec3 {
        let weighted = |&t: &u32| {
            let corners = self.triangles[t as usize];
            let at = corners.iter().position(|&corner| corner == point).unwrap_or(0);
            let [a, b, c] = [0, 1, 2].map(|k| self.corner(t as usize, (at + k) % 3));
            let normal = match self.is_narrow(t) {
                true => self.normal_beyond(t, self.topology.edges[t as usize][(at + 1) % 3], MOST),
                false => None,
            };
            (b - a).angle_between(c - a) * normal.unwrap_or(self.normals[t as usize])
        };
        self.topology.fan_of(point).iter().map(weighted).sum()
    }

    fn is_narrow(&self, triangle: u32) -> bool {
        self.narrow.get(triangle as usize).is_some_and(|&narrow| narrow)
    }

    /// The normal of a triangle, or of what is beyond it as seen across this edge of its; none where that is nothing.
    fn normal_by_way_of(&self, triangle: u32, edge: u32, left: u32) -> Option<DVec3> {
        if !self.is_narrow(triangle) {
            return Some(self.normals[triangle as usize]);
        }
        let length = |side: usize| {
            let [from, to] = [side, (side + 1) % 3].map(|corner| self.corner(triangle as usize, corner));
            from.distance_squared(to)
        };
        let edges = self.topology.edges[triangle as usize];
        let others = (0..3).filter(|&side| edges[side] != edge);
        let longest = others.max_by(|&one, &other| length(one).total_cmp(&length(other)))?;
        self.normal_beyond(triangle, edges[longest], left.checked_sub(1)?)
    }

    /// The normal of what is beyond this edge of a triangle.
    fn normal_beyond(&self, triangle: u32, edge: u32, left: u32) -> Option<DVec3> {
        self.normal_by_way_of(self.topology.beyond(edge, triangle)?, edge, left)
    }
}
