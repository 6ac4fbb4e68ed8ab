//! Side of a surface on which a centre is whose nearest point is on an edge or a corner.
//!
//! The sum of the normals around this point decides. A sliver turned over by rounding has a normal that points inwards,
//! so it counts with the normal of the surface beyond it.

use rrp_geom::glam::DVec3;

use crate::wall::mesh::face_bounds::longest_side;
use crate::wall::mesh::topology::NONE;
use crate::wall::mesh::triangle_mesh::TriangleMesh;

/// Largest number of consecutive triangles turned over by rounding that the search for the surface beyond passes.
const MOST: u32 = 16;

/// Squared length of a sum of two unit normals up to which the two cancel, as on both sides of a plate or a sharp
/// wedge.
const CANCELLED: f64 = 1e-3;

/// Whether rounding the corners of this triangle to single precision can turn the triangle over.
pub(super) fn may_be_turned([a, b, c]: [DVec3; 3]) -> bool {
    let largest = a.abs().max(b.abs()).max(c.abs()).max_element();
    (b - a).cross(c - a).length() <= 2.0 * f64::from(f32::EPSILON) * largest * longest_side([a, b, c])
}

/// Whether rounding can turn this triangle over because it is narrow, and not because it is far from the origin.
fn is_narrow([a, b, c]: [DVec3; 3]) -> bool {
    let longest = longest_side([a, b, c]);
    may_be_turned([a, b, c]) && (b - a).cross(c - a).length() < 1e-3 * longest * longest
}

impl TriangleMesh {
    /// Finds the narrow triangles whose normals are opposite to those of the neighbours across both of their longer
    /// sides, and marks them as turned over. Narrow triangles at the rim of a thin plate are not marked: the normals of
    /// their two neighbours cancel.
    pub(super) fn find_turned(&mut self) {
        let count = self.triangles.len();
        self.turned = (0..count).map(|t| is_narrow(self.corners(t))).collect();
        let points_inwards = |t: usize| {
            let edges = self.topology.edges[t];
            let mut sides = [0, 1, 2];
            sides
                .sort_unstable_by(|&one, &other| self.length_squared(t, other).total_cmp(&self.length_squared(t, one)));
            let beyond = [sides[0], sides[1]].map(|side| self.normal_beyond(t as u32, edges[side], MOST));
            let [Some(one), Some(other)] = beyond else { return false };
            let sum = one + other;
            sum.length_squared() > CANCELLED && self.normals[t].dot(sum) < -0.01 * sum.length()
        };
        let turned: Vec<bool> = (0..count).map(|t| self.turned[t] && points_inwards(t)).collect();
        self.turned = if turned.contains(&true) { turned } else { Vec::new() };
    }

    fn length_squared(&self, triangle: usize, side: usize) -> f64 {
        self.corner(triangle, side).distance_squared(self.corner(triangle, (side + 1) % 3))
    }

    /// Returns a vector to the front side of the mesh at an edge between two triangles; at an open edge the normal of
    /// its triangle.
    pub(super) fn front_at_edge(&self, edge: u32) -> DVec3 {
        let [one, other] = self.topology.sharing[edge as usize];
        if other == NONE {
            return self.normals[one as usize];
        }
        let own = self.normals[one as usize] + self.normals[other as usize];
        if self.turned.is_empty() {
            return own;
        }
        let normal = |t: u32| self.normal_by_way_of(t, edge, MOST).unwrap_or(self.normals[t as usize]);
        let sum = normal(one) + normal(other);
        if sum.length_squared() > CANCELLED { sum } else { own }
    }

    /// Returns a vector to the front side of the mesh at a point: the sum of the normals of the triangles around it,
    /// weighted by their angles at the point. A triangle turned over counts with the normal beyond its opposite side.
    pub(super) fn front_at_point(&self, point: u32) -> DVec3 {
        let weighted = |&t: &u32| {
            let corners = self.triangles[t as usize];
            let at = corners.iter().position(|&corner| corner == point).unwrap_or(0);
            let [a, b, c] = [0, 1, 2].map(|k| self.corner(t as usize, (at + k) % 3));
            let normal = match self.is_turned(t) {
                true => self.normal_beyond(t, self.topology.edges[t as usize][(at + 1) % 3], MOST),
                false => None,
            };
            (b - a).angle_between(c - a) * normal.unwrap_or(self.normals[t as usize])
        };
        self.topology.fan_of(point).iter().map(weighted).sum()
    }

    fn is_turned(&self, triangle: u32) -> bool {
        self.turned.get(triangle as usize).is_some_and(|&turned| turned)
    }

    /// Returns the normal of a triangle reached across `edge`. If rounding turned the triangle over, returns that of
    /// the neighbour across its longest other edge; `None` without a neighbour, or after `left` turned triangles.
    fn normal_by_way_of(&self, triangle: u32, edge: u32, left: u32) -> Option<DVec3> {
        if !self.is_turned(triangle) {
            return Some(self.normals[triangle as usize]);
        }
        let edges = self.topology.edges[triangle as usize];
        let length = |side: usize| self.length_squared(triangle as usize, side);
        let others = (0..3).filter(|&side| edges[side] != edge);
        let longest = others.max_by(|&one, &other| length(one).total_cmp(&length(other)))?;
        self.normal_beyond(triangle, edges[longest], left.checked_sub(1)?)
    }

    /// Returns the normal of the neighbour across this edge of a triangle, passing over at most `left` triangles that
    /// rounding has turned over. `None` without a neighbour.
    fn normal_beyond(&self, triangle: u32, edge: u32, left: u32) -> Option<DVec3> {
        self.normal_by_way_of(self.topology.beyond(edge, triangle)?, edge, left)
    }
}
