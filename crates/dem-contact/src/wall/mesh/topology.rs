//! The edges of a mesh, the triangles that meet at edges and points, and their orientations.

use std::cmp::Reverse;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::mesh::MeshError;

/// Number in place of the missing second triangle of an open edge.
pub(super) const NONE: u32 = u32::MAX;

/// Side of a triangle of a mesh: from the corner of the number `side` to the next corner.
#[derive(Debug, Clone, Copy)]
pub(super) struct TriangleSide {
    pub(super) triangle: usize,
    pub(super) side: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Side {
    /// Points at the ends of the side, the smaller number first.
    pub(super) points: [u32; 2],
    pub(super) triangle: u32,
    pub(super) side: u32,
}

pub(super) fn of_one_edge(one: &Side, two: &Side) -> bool {
    one.points == two.points
}

/// Returns the sides of all triangles, sorted so that the sides of one edge are adjacent.
pub(super) fn sorted_sides(triangles: &[[u32; 3]]) -> Vec<Side> {
    let mut sides: Vec<Side> = Vec::with_capacity(3 * triangles.len());
    for (triangle, corners) in (0_u32..).zip(triangles) {
        for side in 0..3 {
            let a = corners[side];
            let b = corners[(side + 1) % 3];
            sides.push(Side { points: [a.min(b), a.max(b)], triangle, side: side as u32 });
        }
    }
    sides.sort_unstable();
    sides
}

/// Whether the two triangles of an edge have opposite orientations; `None` unless the edge has two triangles.
fn disagree(triangles: &[[u32; 3]], edge: &[Side]) -> Option<bool> {
    let begins = |side: &Side| triangles[side.triangle as usize][side.side as usize];
    if let [one, other] = edge { Some(begins(one) == begins(other)) } else { None }
}

/// Returns the rank of a triangle as a candidate for reversal, the largest first: the number of neighbours with the
/// opposite orientation, then (reversed) the number of neighbours with the same orientation.
fn doubt(triangles: &[[u32; 3]], sides: &[Side], triangle: u32) -> (usize, Reverse<usize>) {
    let edges = sides.chunk_by(of_one_edge).filter(|edge| edge.iter().any(|side| side.triangle == triangle));
    let (bad, good): (Vec<_>, Vec<_>) =
        edges.filter_map(|edge| disagree(triangles, edge)).partition(|&disagrees| disagrees);
    (bad.len(), Reverse(good.len()))
}

/// Edges of a mesh, and the triangles that meet at its edges and points.
#[derive(Debug, Clone, Default)]
pub(super) struct Topology {
    /// Numbers of the three edges of each triangle; an edge goes from one corner to the next.
    pub(super) edges: Vec<[u32; 3]>,
    /// Numbers of the two triangles that share each edge; the second is [`NONE`] at an open edge.
    pub(super) sharing: Vec<[u32; 2]>,
    /// Index in `fans` of the first of the triangles that meet at each point of the mesh.
    start: Vec<u32>,
    fans: Vec<u32>,
    /// Whether each point of the mesh is the end of an open edge (with a triangle on one side only).
    pub(super) rim: Vec<bool>,
    /// Whether triangles that are not connected by edges meet at each point of the mesh. Empty if there is no such
    /// point.
    pub(super) pinch: Vec<bool>,
    /// First edge that three or more triangles share, if there is one. In `sharing` such an edge has one triangle.
    crowded: Option<CrowdedEdge>,
}

#[derive(Debug, Clone, Copy)]
struct CrowdedEdge {
    triangle: usize,
    sharing: usize,
    ends: [DVec3; 2],
}

impl Topology {
    /// Finds the edges of a mesh of triangles with these corners.
    ///
    /// # Errors
    /// [`MeshError::DoubledTriangle`] if two neighbours have the same corners.
    pub(super) fn new(points: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, DemError> {
        let sides = sorted_sides(triangles);
        let mut made = Self {
            edges: vec![[0; 3]; triangles.len()],
            sharing: Vec::with_capacity(sides.len() / 2),
            rim: vec![false; points.len()],
            ..Self::default()
        };
        for edge in sides.chunk_by(of_one_edge) {
            let number = made.sharing.len() as u32;
            let ends = edge[0].points.map(|point| points[point as usize]);
            let triangle = |k: usize| edge[k].triangle as usize;
            if edge.len() > 2 {
                made.crowded.get_or_insert(CrowdedEdge { triangle: triangle(2), sharing: edge.len(), ends });
            }
            let has_the_same_corners = |other: &Side| {
                let [one, other] = [edge[0].triangle, other.triangle].map(|t| triangles[t as usize]);
                one.iter().all(|corner| other.contains(corner))
            };
            if let Some(k) = (1..edge.len()).find(|&k| has_the_same_corners(&edge[k])) {
                return Err(DemError::Mesh(MeshError::DoubledTriangle { triangles: [0, k].map(triangle) }));
            }
            for &Side { points, triangle, side } in edge {
                made.edges[triangle as usize][side as usize] = number;
                if edge.len() == 1 {
                    for point in points {
                        made.rim[point as usize] = true;
                    }
                }
            }
            let second = edge.get(1).filter(|_| edge.len() == 2);
            made.sharing.push([edge[0].triangle, second.map_or(NONE, |second| second.triangle)]);
        }
        made.fan(points.len(), triangles);
        made.find_pinches(triangles);
        Ok(made)
    }

    /// Checks that each edge of the mesh has exactly two triangles.
    ///
    /// # Errors
    /// [`MeshError::CrowdedEdge`] and [`MeshError::OpenEdge`].
    pub(super) fn check_closed(&self, points: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), DemError> {
        if let Some(CrowdedEdge { triangle, sharing, ends }) = self.crowded {
            return Err(DemError::Mesh(MeshError::CrowdedEdge { triangle, sharing, ends }));
        }
        let Some(TriangleSide { triangle, side }) = self.open_edge() else { return Ok(()) };
        let ends = [side, (side + 1) % 3].map(|corner| points[triangles[triangle][corner] as usize]);
        Err(DemError::Mesh(MeshError::OpenEdge { triangle, ends }))
    }

    /// Checks that neighbouring triangles have their fronts on the same side of the mesh.
    ///
    /// # Errors
    /// [`MeshError::InvertedTriangle`].
    pub(super) fn check_fronts(&self, points: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), DemError> {
        let sides = sorted_sides(triangles);
        for edge in sides.chunk_by(of_one_edge) {
            if disagree(triangles, edge) == Some(true) {
                let triangle = |k: usize| edge[k].triangle as usize;
                let ends = edge[0].points.map(|point| points[point as usize]);
                let [one, other] = [0, 1].map(|k| (doubt(triangles, &sides, edge[k].triangle), triangle(k)));
                let (neighbor, triangle) = if one.0 > other.0 { (other.1, one.1) } else { (one.1, other.1) };
                return Err(DemError::Mesh(MeshError::InvertedTriangle { triangle, neighbor, ends }));
            }
        }
        Ok(())
    }

    /// Reverses the corners of triangles until neighbours have their fronts on the same side; in each connected surface
    /// the minority is reversed. Returns which triangles are reversed. Surfaces with one side only, such as Möbius
    /// strips, keep a seam where orientations disagree.
    pub(super) fn agree(&mut self, triangles: &mut [[u32; 3]]) -> Vec<bool> {
        let mut turned = vec![false; triangles.len()];
        let mut is_known = vec![false; triangles.len()];
        let mut connected: Vec<u32> = Vec::new();
        for first in 0..triangles.len() {
            if is_known[first] {
                continue;
            }
            connected.clear();
            connected.push(first as u32);
            is_known[first] = true;
            let mut next = 0;
            while let Some(&triangle) = connected.get(next) {
                next += 1;
                for side in 0..3 {
                    let edge = self.edges[triangle as usize][side];
                    let Some(other) = self.beyond(edge, triangle) else { continue };
                    let begins = |t: u32| {
                        let at = self.edges[t as usize].iter().position(|&known| known == edge).unwrap_or(0);
                        triangles[t as usize][at]
                    };
                    if !std::mem::replace(&mut is_known[other as usize], true) {
                        turned[other as usize] = turned[triangle as usize] ^ (begins(triangle) == begins(other));
                        connected.push(other);
                    }
                }
            }
            let count = connected.iter().filter(|&&triangle| turned[triangle as usize]).count();
            if 2 * count > connected.len() {
                connected.iter().for_each(|&triangle| turned[triangle as usize] ^= true);
            }
        }
        self.turn_over(triangles, &turned);
        turned
    }

    pub(super) fn turn_over(&mut self, triangles: &mut [[u32; 3]], which: &[bool]) {
        for ((corners, edges), _) in triangles.iter_mut().zip(&mut self.edges).zip(which).filter(|(_, turn)| **turn) {
            corners.swap(1, 2);
            edges.swap(0, 2);
        }
    }

    /// Whether triangles meet only at edges between two of them: no edge has three or more triangles, and no triangles
    /// meet only by their corners.
    pub(super) fn is_manifold(&self) -> bool {
        self.crowded.is_none() && !self.has_pinches()
    }

    pub(super) fn has_pinches(&self) -> bool {
        !self.pinch.is_empty()
    }

    fn find_pinches(&mut self, triangles: &[[u32; 3]]) {
        let mut pinch = vec![false; self.rim.len()];
        for (point, pinch) in (0..).zip(&mut pinch) {
            let fan = self.fan_of(point);
            let Some(&first) = fan.first() else { continue };
            // Walk around the point from the first triangle one way; and the other way too, unless the first walk came
            // back.
            let mut connected = 1;
            for way in 0..2 {
                let mut came_by = self.edges_at(point, triangles, first)[way];
                let mut triangle = first;
                // Where edges have three or more triangles, the walk may enter a ring that never comes back to the
                // first triangle.
                while connected < fan.len()
                    && let Some(next) = self.beyond(came_by, triangle).filter(|&next| next != first)
                {
                    connected += 1;
                    let [one, other] = self.edges_at(point, triangles, next);
                    (came_by, triangle) = (if one == came_by { other } else { one }, next);
                }
                if self.beyond(came_by, triangle) == Some(first) {
                    break;
                }
            }
            *pinch = connected < fan.len();
        }
        if pinch.contains(&true) {
            self.pinch = pinch;
        }
    }

    fn edges_at(&self, point: u32, triangles: &[[u32; 3]], triangle: u32) -> [u32; 2] {
        let corners = triangles[triangle as usize];
        let edges = self.edges[triangle as usize];
        let at = corners.iter().position(|&corner| corner == point).unwrap_or(0);
        [edges[at], edges[(at + 2) % 3]]
    }

    /// Number of the triangle on the other side of an edge of `triangle`; `None` at an open edge.
    pub(super) fn beyond(&self, edge: u32, triangle: u32) -> Option<u32> {
        let [one, other] = self.sharing[edge as usize];
        Some(if one == triangle { other } else { one }).filter(|&next| next != NONE)
    }

    fn fan(&mut self, points: usize, triangles: &[[u32; 3]]) {
        self.start = vec![0; points + 1];
        triangles.iter().flatten().for_each(|&point| self.start[point as usize + 1] += 1);
        (0..points).for_each(|point| self.start[point + 1] += self.start[point]);
        let mut next = self.start.clone();
        self.fans = vec![0; 3 * triangles.len()];
        for (t, corners) in (0_u32..).zip(triangles) {
            for &point in corners {
                self.fans[next[point as usize] as usize] = t;
                next[point as usize] += 1;
            }
        }
    }

    pub(super) fn fan_of(&self, point: u32) -> &[u32] {
        &self.fans[self.start[point as usize] as usize..self.start[point as usize + 1] as usize]
    }

    pub(super) fn shells(&self) -> Vec<u32> {
        let mut shell = vec![NONE; self.edges.len()];
        let mut waiting = Vec::new();
        for first in 0..self.edges.len() {
            if shell[first] != NONE {
                continue;
            }
            waiting.push(first);
            shell[first] = first as u32;
            while let Some(triangle) = waiting.pop() {
                for next in self.edges[triangle].iter().flat_map(|&edge| self.sharing[edge as usize]) {
                    if next != NONE && shell[next as usize] == NONE {
                        shell[next as usize] = first as u32;
                        waiting.push(next as usize);
                    }
                }
            }
        }
        shell
    }

    pub(super) fn side_of(&self, edge: u32) -> TriangleSide {
        let triangle = self.sharing[edge as usize][0] as usize;
        let side = self.edges[triangle].iter().position(|&other| other == edge).unwrap_or(0);
        TriangleSide { triangle, side }
    }

    pub(super) fn open_edge(&self) -> Option<TriangleSide> {
        let open = |edge: &u32| self.sharing[*edge as usize][1] == NONE;
        let triangles = self.edges.iter().enumerate();
        let mut sides = triangles
            .filter_map(|(triangle, edges)| edges.iter().position(open).map(|side| TriangleSide { triangle, side }));
        sides.next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the search for pinches ends: three triangles are a ring around point 0, and a strip of two triangles
    /// with lower numbers leads to an edge of this ring. A walk that enters the ring never comes back to the strip.
    #[test]
    fn a_ring_beside_an_edge_of_three_triangles_is_left() {
        let points: Vec<DVec3> = (0..6).map(|k| DVec3::new(f64::from(k), f64::from(k * k), f64::from(k % 3))).collect();
        let triangles = [[0, 1, 2], [0, 3, 4], [0, 4, 5], [0, 5, 3], [0, 2, 3]];
        let made = Topology::new(&points, &triangles).unwrap();
        assert!(!made.is_manifold() && made.edges.len() == 5);
    }
}
