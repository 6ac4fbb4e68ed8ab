//! The points at which a sphere touches a mesh.

use rrp_geom::glam::{DMat3, DVec3};
use smallvec::SmallVec;

use crate::wall::mesh::closest_point::{ClosestPoint, Spot, closest_point};
use crate::wall::mesh::topology::{NONE, TriangleSide};
use crate::wall::mesh::triangle_mesh::TriangleMesh;
use crate::wall::patch_reduction::{End, PatchReduction};
use crate::wall::surface::{Patch, Saddle, Sidedness, WallShape, push_apart, square};

#[cfg(test)]
mod tests;

/// Factor of a sphere's reach within which triangles count as near the sphere. A touched point is also looked for on
/// periodic images of the surface, within some 1e-6 of the reach: these images have to be among the near ones.
const WIDER: f64 = 1.001;

impl WallShape for TriangleMesh {
    fn bounds(&self) -> Option<[DVec3; 2]> {
        Some(self.tree.low_and_high())
    }

    fn near(&self, centre: DVec3, reach: f64, pieces: &mut Vec<u32>) {
        let first = pieces.len();
        self.tree.near(centre, reach, pieces);
        let within = self.face_bounds.reach(centre, WIDER * reach);
        let mut stays = first;
        for index in first..pieces.len() {
            let triangle = pieces[index];
            if self.face_bounds.may_reach(triangle, &within) {
                pieces[stays] = triangle;
                stays += 1;
            }
        }
        pieces.truncate(stays);
    }

    fn patches(&self, centre: DVec3, reach: f64, pieces: &[u32], found: &mut Vec<Patch>) {
        let mut reached = PatchReduction::default();
        let mut nearest_points: SmallVec<[(u32, ClosestPoint); 12]> = SmallVec::new();
        let within = self.face_bounds.reach(centre, reach);
        for &t in pieces {
            if !self.face_bounds.may_reach(t, &within) || self.tree.distance_squared(t, centre) >= reach * reach {
                continue;
            }
            let nearest_point = closest_point(self.corners(t as usize), centre);
            let distance = match nearest_point.spot {
                Spot::Face => self.height(t, centre).abs(),
                Spot::Edge(_) | Spot::Corner(_) => centre.distance(nearest_point.point),
            };
            if distance < reach {
                reached.push(t, distance);
                nearest_points.push((t, nearest_point));
            }
        }
        let patch = |t: u32| {
            let known = nearest_points.iter().find(|(triangle, _)| *triangle == t);
            known.map_or_else(|| self.patch(t, centre), |(_, nearest_point)| self.patch_at(t, centre, nearest_point))
        };
        reached.sort();
        let Some(first) = reached.pieces().first() else { return };
        let nearest = found.len();
        let first = patch(first.number);
        found.push(first);
        if first.distance < 0.0 || reached.pieces().len() == 1 {
            return;
        }
        self.seams(centre, reach, &mut reached);
        let largest = self.bounds().into_iter().fold(centre.abs(), |most, corner| most.max(corner.abs()));
        let looks_behind = |t: u32| self.sides == Sidedness::Front && patch(t).distance < 0.0;
        reached.join(reach, largest.max_element(), looks_behind);
        for piece in &reached.pieces()[1..] {
            let saddle = match piece.end {
                End::Part => continue,
                End::Stays => None,
                End::Joins(seam) => Some(self.saddle(seam, centre)),
            };
            push_apart(found, nearest, Patch { saddle, ..patch(piece.number) }, reach);
        }
    }
}

struct SidePoint {
    point: DVec3,
    is_end: bool,
}

impl TriangleMesh {
    fn height(&self, triangle: u32, centre: DVec3) -> f64 {
        (centre - self.corner(triangle as usize, 0)).dot(self.normals[triangle as usize])
    }

    pub(super) fn patch(&self, t: u32, centre: DVec3) -> Patch {
        self.patch_at(t, centre, &closest_point(self.corners(t as usize), centre))
    }

    fn patch_at(&self, t: u32, centre: DVec3, &ClosestPoint { point, spot }: &ClosestPoint) -> Patch {
        let triangle = t as usize;
        let flat = self.normals[triangle];
        let faces = self.triangles.len() as u32;
        let edges = self.topology.sharing.len() as u32;
        let (feature, front, open) = match spot {
            Spot::Face => {
                let distance = self.height(t, centre);
                let back = distance < 0.0 && self.sides == Sidedness::Both;
                return if back { Patch::flat(t, -flat, -distance) } else { Patch::flat(t, flat, distance) };
            }
            Spot::Edge(side) => {
                let edge = self.topology.edges[triangle][side];
                let [_, other] = self.topology.sharing[edge as usize];
                (faces + edge, self.front_at_edge(edge), other == NONE)
            }
            Spot::Corner(corner) => {
                let number = self.triangles[triangle][corner];
                let is_seen = self.sides == Sidedness::Front;
                let front = if is_seen { self.front_at_point(number) } else { DVec3::ZERO };
                (faces + edges + number, front, self.topology.rim[number as usize])
            }
        };
        let away = centre - point;
        let behind = self.sides == Sidedness::Front && !open && away.dot(front) < 0.0;
        let length = away.length();
        let sign = if behind { -1.0 } else { 1.0 };
        if length <= 0.0 {
            return Patch::flat(feature, flat, 0.0);
        }
        let normal = away * (sign / length);
        let turning = match spot {
            Spot::Edge(side) => self.turning_at_edge(TriangleSide { triangle, side }, normal) * (sign / length),
            _ => (DMat3::IDENTITY - square(normal)) * (sign / length),
        };
        Patch { turning, ..Patch::flat(feature, normal, sign * length) }
    }

    /// Returns, as a [`Saddle`], the point nearest to a sphere's centre on a seam, where two triangles meet. Seam
    /// numbers are first those of the edges, then those of the points where triangles meet only by their corners.
    fn saddle(&self, seam: u32, centre: DVec3) -> Saddle {
        let (point, along) = match seam.checked_sub(self.topology.sharing.len() as u32) {
            Some(corner) => (self.points[corner as usize], None),
            None => {
                let side = self.topology.side_of(seam);
                let SidePoint { point, is_end } = self.nearest_on(side, centre);
                (point, (!is_end).then_some(side))
            }
        };
        let away = centre - point;
        let distance = away.length();
        let normal = away.normalize_or(DVec3::Z);
        let turning = match along {
            _ if distance <= 0.0 => DMat3::ZERO,
            Some(side) => self.turning_at_edge(side, normal) / distance,
            None => (DMat3::IDENTITY - square(normal)) / distance,
        };
        Saddle { normal, distance, turning }
    }

    /// Derivative of the unit normal of a contact with an edge by the sphere's centre, times the distance of the centre
    /// from the edge; dimensionless.
    fn turning_at_edge(&self, side: TriangleSide, normal: DVec3) -> DMat3 {
        let [from, to] = self.ends(side);
        let along = (to - from).normalize();
        square(along.cross(normal).normalize_or_zero())
    }

    fn nearest_on(&self, side: TriangleSide, centre: DVec3) -> SidePoint {
        let [from, to] = self.ends(side);
        let along = to - from;
        let way = (centre - from).dot(to - from);
        if way <= 0.0 {
            SidePoint { point: from, is_end: true }
        } else if way >= along.length_squared() {
            SidePoint { point: to, is_end: true }
        } else {
            SidePoint { point: from + along * (way / along.length_squared()), is_end: false }
        }
    }

    /// Adds the seams of the mesh within reach of a sphere's centre: edges between two triangles within reach, and
    /// points where two such triangles meet only by their corners.
    fn seams(&self, centre: DVec3, reach: f64, reached: &mut PatchReduction) {
        if self.topology.is_manifold() {
            self.shared_edges(centre, reach, reached);
            return;
        }
        self.crowded_edges(centre, reach, reached);
        if self.topology.has_pinches() {
            self.pinches(centre, reach, reached);
        }
    }

    /// Adds to the seams the edges within reach between two triangles within reach, in a mesh where no edge has more
    /// than two triangles.
    fn shared_edges(&self, centre: DVec3, reach: f64, reached: &mut PatchReduction) {
        for index in 0..reached.pieces().len() {
            let triangle = reached.pieces()[index].number;
            for edge in self.topology.edges[triangle as usize] {
                let Some(beyond) = self.topology.beyond(edge, triangle) else { continue };
                let mut later = reached.pieces()[index + 1..].iter();
                if let Some(other) = later.position(|piece| piece.number == beyond) {
                    self.push_edge(edge, [index as u32, (index + 1 + other) as u32], centre, reach, reached);
                }
            }
        }
    }

    /// Adds to the seams the edges within reach between triangles within reach, where any number of triangles may share
    /// an edge.
    fn crowded_edges(&self, centre: DVec3, reach: f64, reached: &mut PatchReduction) {
        let mut sides: SmallVec<[(u32, u32); 36]> = SmallVec::new();
        for (index, piece) in (0..).zip(reached.pieces()) {
            sides.extend(self.topology.edges[piece.number as usize].map(|edge| (edge, index)));
        }
        sides.sort_unstable();
        for two in sides.windows(2).filter(|two| two[0].0 == two[1].0) {
            self.push_edge(two[0].0, [two[0].1, two[1].1], centre, reach, reached);
        }
    }

    /// Adds an edge as a seam between two triangles, given by their indices among the triangles within reach, if the
    /// edge is within reach.
    fn push_edge(&self, edge: u32, between: [u32; 2], centre: DVec3, reach: f64, reached: &mut PatchReduction) {
        let distance = centre.distance(self.nearest_on(self.topology.side_of(edge), centre).point);
        if distance < reach {
            reached.push_seam(edge, distance, between);
        }
    }

    /// Adds to the seams the points within reach at which two triangles share a corner but no edge.
    fn pinches(&self, centre: DVec3, reach: f64, reached: &mut PatchReduction) {
        let edges = self.topology.sharing.len() as u32;
        let mut corners: SmallVec<[(u32, u32); 36]> = SmallVec::new();
        for (index, piece) in (0..).zip(reached.pieces()) {
            let pinched =
                self.triangles[piece.number as usize].into_iter().filter(|&point| self.topology.pinch[point as usize]);
            corners.extend(pinched.map(|point| (point, index)));
        }
        corners.sort_unstable();
        for two in corners.windows(2).filter(|two| two[0].0 == two[1].0) {
            let distance = centre.distance(self.points[two[0].0 as usize]);
            if distance < reach {
                reached.push_seam(edges + two[0].0, distance, [two[0].1, two[1].1]);
            }
        }
    }
}
