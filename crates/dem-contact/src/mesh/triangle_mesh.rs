//! A surface of triangles.

use rrp_geom::glam::{DMat3, DVec3};
use smallvec::SmallVec;

use super::nearest::{Spot, nearest};
use super::topology::{NONE, Topology};
use super::tree::Tree;
use crate::wall::{End, Reached, square};
use crate::{DemError, Patch, Saddle, Sides, WallShape};

/// A surface of triangles that spheres touch at its faces, edges and corners.
///
/// A sphere touches where the surface is nearest to its centre, among the points around. So it rolls over the edge between
/// two triangles of one plane as over the plane, touches an edge or a corner that sticks out once, and both sides of one
/// that goes in. A fine mesh of a surface that is hollow is a chain of such edges: inside of a cylinder of radius R a sphere of
/// radius r touches R/(R − r) triangles in the mean, and the wall is about as much stiffer.
///
/// What lies in the plane that a sphere touches, but for single precision (2⁻²² of the largest coordinate, 1/100 of its radius at
/// most), and is turned by no more than that turns it, is that plane: slivers are not felt. So a mesh should not be far from the origin of
/// its frame, against its size; [`Wall::new`](crate::Wall::new) places it.
///
/// The corners of a triangle go round counterclockwise as seen from where its normal points. A closed mesh has bodies in
/// front of it, where its normals point; [flipped](Self::flipped), it holds them inside. An open mesh is a thin sheet with
/// bodies on [both sides](Sides::Both), unless [told otherwise](Self::with_sides); around its edges bodies may go.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Stored", into = "Stored"))]
pub struct TriangleMesh {
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    sides: Sides,
    is_closed: bool,
    /// Unit normals.
    normals: Vec<DVec3>,
    topology: Topology,
    tree: Tree,
}

impl TriangleMesh {
    /// A closed surface with its normals outwards. Each triangle has the numbers of its corners among `points` (m).
    ///
    /// # Errors
    /// [`DemError::OpenEdge`] and [`DemError::InsideOutMesh`], and those of [`open`](Self::open).
    pub fn closed(points: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, DemError> {
        let made = Self::open(points, triangles)?;
        if let Some((triangle, side)) = made.topology.open_edge() {
            let ends = [side, (side + 1) % 3].map(|corner| made.corner(triangle, corner));
            return Err(DemError::OpenEdge { triangle, ends });
        }
        let volume = made.volume();
        if volume <= 0.0 {
            return Err(DemError::InsideOutMesh { volume });
        }
        Ok(made)
    }

    /// A surface that may have edges with a triangle on one side only, such as a hopper; if it has, it is a sheet with two
    /// sides.
    ///
    /// # Errors
    /// [`DemError::DegenerateTriangle`] for a triangle without area, with a corner that is not finite or one that does not
    /// exist; [`DemError::InvertedTriangle`] where two neighbours do not agree on the front; [`DemError::CrowdedEdge`] where
    /// more than two triangles meet; [`DemError::MeshSize`] without triangles, or with more than can be numbered.
    pub fn open(points: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, DemError> {
        if triangles.is_empty() || triangles.len() + 4 * points.len() > u32::MAX as usize / 4 {
            return Err(DemError::MeshSize { triangles: triangles.len() });
        }
        let mut normals = Vec::with_capacity(triangles.len());
        for (triangle, numbers) in triangles.iter().enumerate() {
            let corners = numbers.map(|point| points.get(point as usize).copied().unwrap_or(DVec3::NAN));
            let [a, b, c] = corners;
            let (normal, longest) = ((b - a).cross(c - a), (b - a).length_squared().max((c - a).length_squared()));
            // The smallest height of a triangle against its size, far below what any file means.
            if !(normal.is_finite() && normal.length() > 1e-10 * longest) {
                return Err(DemError::DegenerateTriangle { triangle, corners });
            }
            normals.push(normal.normalize());
        }
        let topology = Topology::new(&points, &triangles)?;
        let tree = Tree::new(triangles.iter().map(|corners| corners.map(|point| points[point as usize])));
        let is_closed = topology.open_edge().is_none();
        let sides = if is_closed { Sides::Front } else { Sides::Both };
        Ok(Self { points, triangles, sides, is_closed, normals, topology, tree })
    }

    /// The same surface with bodies on these sides.
    #[must_use]
    pub fn with_sides(self, sides: Sides) -> Self {
        Self { sides, ..self }
    }

    /// The same surface with all normals turned around: a closed one holds bodies inside.
    #[must_use]
    pub fn flipped(mut self) -> Self {
        self.triangles.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
        self.topology.edges.iter_mut().for_each(|[a, _, c]| std::mem::swap(a, c));
        self.normals.iter_mut().for_each(|normal| *normal = -*normal);
        self
    }

    /// The points in m.
    #[must_use]
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// The corners of each triangle, as numbers of points.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// On which sides bodies are.
    #[must_use]
    pub fn sides(&self) -> Sides {
        self.sides
    }

    /// Whether each edge has a triangle on both sides.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// The corners of the box around it, in m.
    #[must_use]
    pub fn bounds(&self) -> [DVec3; 2] {
        self.tree.low_and_high()
    }

    /// The volume inside a closed mesh in m³, negative if its normals point inwards.
    #[must_use]
    pub fn volume(&self) -> f64 {
        // From a corner of the box, so that a mesh far from the origin keeps its digits.
        let [from, _] = self.bounds();
        let part = |corners: [DVec3; 3]| {
            let [a, b, c] = corners.map(|corner| corner - from);
            a.dot(b.cross(c)) / 6.0
        };
        (0..self.triangles.len()).map(|t| part(self.corners(t))).sum()
    }

    /// The corners of a triangle in m.
    pub(super) fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|point| self.points[point as usize])
    }

    fn corner(&self, triangle: usize, corner: usize) -> DVec3 {
        self.points[self.triangles[triangle][corner] as usize]
    }

    /// The unit normal of a triangle.
    pub(super) fn normal(&self, triangle: usize) -> DVec3 {
        self.normals[triangle]
    }

    /// How far a centre is in front of the plane of a triangle, in m.
    fn height(&self, triangle: u32, centre: DVec3) -> f64 {
        (centre - self.corner(triangle as usize, 0)).dot(self.normals[triangle as usize])
    }

    /// Where a triangle is nearest to a centre.
    fn patch(&self, t: u32, centre: DVec3) -> Patch {
        let triangle = t as usize;
        let flat = self.normals[triangle];
        let (faces, edges) = (self.triangles.len() as u32, self.topology.sharing.len() as u32);
        let (point, spot) = nearest(self.corners(triangle), centre);
        let (feature, front, open) = match spot {
            Spot::Face => {
                let distance = self.height(t, centre);
                let back = distance < 0.0 && self.sides == Sides::Both;
                return if back { Patch::flat(t, -flat, -distance) } else { Patch::flat(t, flat, distance) };
            }
            Spot::Edge(side) => {
                let edge = self.topology.edges[triangle][side];
                let [one, other] = self.topology.sharing[edge as usize];
                let beside = if other == NONE { DVec3::ZERO } else { self.normals[other as usize] };
                (faces + edge, self.normals[one as usize] + beside, other == NONE)
            }
            Spot::Corner(corner) => {
                let number = self.triangles[triangle][corner];
                let is_seen = self.sides == Sides::Front;
                let front = if is_seen { self.normal_at(number) } else { DVec3::ZERO };
                (faces + edges + number, front, self.topology.rim[number as usize])
            }
        };
        let away = centre - point;
        let behind = self.sides == Sides::Front && !open && away.dot(front) < 0.0;
        let (length, sign) = (away.length(), if behind { -1.0 } else { 1.0 });
        if length <= 0.0 {
            return Patch::flat(feature, flat, 0.0);
        }
        let normal = away * (sign / length);
        let turning = match spot {
            Spot::Edge(side) => self.turning_at_edge(triangle, side, normal) * (sign / length),
            _ => (DMat3::IDENTITY - square(normal)) * (sign / length),
        };
        Patch { turning, ..Patch::flat(feature, normal, sign * length) }
    }

    /// The nearest point of an edge, as a saddle between two triangles.
    fn saddle(&self, edge: u32, centre: DVec3) -> Saddle {
        let (triangle, side) = self.side_of(edge);
        let (point, is_end) = self.nearest_on(triangle, side, centre);
        let away = centre - point;
        let distance = away.length();
        let normal = away.normalize_or(self.normals[triangle]);
        let turning = match distance {
            0.0 => DMat3::ZERO,
            _ if is_end => (DMat3::IDENTITY - square(normal)) / distance,
            _ => self.turning_at_edge(triangle, side, normal) / distance,
        };
        Saddle { normal, distance, turning }
    }

    /// How the unit normal out of an edge turns with the centre, times the distance.
    fn turning_at_edge(&self, triangle: usize, side: usize, normal: DVec3) -> DMat3 {
        let along = (self.corner(triangle, (side + 1) % 3) - self.corner(triangle, side)).normalize();
        square(along.cross(normal).normalize_or_zero())
    }

    /// A triangle that has this edge, and which of its sides it is.
    fn side_of(&self, edge: u32) -> (usize, usize) {
        let triangle = self.topology.sharing[edge as usize][0] as usize;
        (triangle, self.topology.edges[triangle].iter().position(|&other| other == edge).unwrap_or(0))
    }

    /// The point of a side of a triangle that is nearest to a centre, and whether it is an end.
    fn nearest_on(&self, triangle: usize, side: usize, centre: DVec3) -> (DVec3, bool) {
        let (from, to) = (self.corner(triangle, side), self.corner(triangle, (side + 1) % 3));
        let (along, way) = (to - from, (centre - from).dot(to - from));
        if way <= 0.0 {
            (from, true)
        } else if way >= along.length_squared() {
            (to, true)
        } else {
            (from + along * (way / along.length_squared()), false)
        }
    }

    /// Adds the edges between triangles that are reached, if they are within reach too.
    fn seams(&self, centre: DVec3, reach: f64, reached: &mut Reached) {
        let mut sides: SmallVec<[(u32, u32); 36]> = SmallVec::new();
        for (place, piece) in (0..).zip(reached.pieces()) {
            sides.extend(self.topology.edges[piece.number as usize].map(|edge| (edge, place)));
        }
        sides.sort_unstable();
        for two in sides.windows(2).filter(|two| two[0].0 == two[1].0) {
            let (triangle, side) = self.side_of(two[0].0);
            let distance = centre.distance(self.nearest_on(triangle, side, centre).0);
            if distance < reach {
                reached.push_seam(two[0].0, distance, [two[0].1, two[1].1]);
            }
        }
    }

    /// The sum of the normals of the triangles around a point, weighted by their angles there; which side of the surface a
    /// centre is on that is nearest to the point.
    fn normal_at(&self, point: u32) -> DVec3 {
        let angle = |&t: &u32| {
            let corners = self.triangles[t as usize];
            let at = corners.iter().position(|&corner| corner == point).unwrap_or(0);
            let [a, b, c] = [0, 1, 2].map(|k| self.corner(t as usize, (at + k) % 3));
            (b - a).angle_between(c - a) * self.normals[t as usize]
        };
        self.topology.fan_of(point).iter().map(angle).sum()
    }
}

/// Distances closer than this, in terms of the reach, are one.
const ALIKE: f64 = 1e-12;

impl WallShape for TriangleMesh {
    fn near(&self, centre: DVec3, reach: f64, pieces: &mut Vec<u32>) {
        self.tree.near(centre, reach, pieces);
    }

    fn patches(&self, centre: DVec3, reach: f64, pieces: &[u32], found: &mut Vec<Patch>) {
        let mut reached = Reached::default();
        for &t in pieces {
            if self.tree.distance_squared(t, centre) >= reach * reach {
                continue;
            }
            let distance = match nearest(self.corners(t as usize), centre) {
                (_, Spot::Face) => self.height(t, centre).abs(),
                (point, _) => centre.distance(point),
            };
            if distance < reach {
                reached.push(t, distance);
            }
        }
        reached.sort();
        let Some(first) = reached.pieces().first() else { return };
        let patch = self.patch(first.number, centre);
        let is_behind = patch.distance < 0.0;
        found.push(patch);
        if is_behind || reached.pieces().len() == 1 {
            return;
        }
        self.seams(centre, reach, &mut reached);
        // Far from the origin points are rounded more.
        let tolerance = (ALIKE * reach).max(16.0 * f64::EPSILON * centre.abs().max_element());
        let looks_behind = |t: u32| self.sides == Sides::Front && self.patch(t, centre).distance < 0.0;
        reached.join(tolerance, looks_behind);
        for piece in &reached.pieces()[1..] {
            let saddle = match piece.end {
                End::Part => continue,
                End::Stays => None,
                End::Joins(edge) => Some(self.saddle(edge, centre)),
            };
            found.push(Patch { saddle, ..self.patch(piece.number, centre) });
        }
    }
}

/// What a mesh is made from, as it is stored.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Stored {
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    sides: Sides,
}

#[cfg(feature = "serde")]
impl TryFrom<Stored> for TriangleMesh {
    type Error = DemError;

    fn try_from(Stored { points, triangles, sides }: Stored) -> Result<Self, DemError> {
        Ok(Self::open(points, triangles)?.with_sides(sides))
    }
}

#[cfg(feature = "serde")]
impl From<TriangleMesh> for Stored {
    fn from(TriangleMesh { points, triangles, sides, .. }: TriangleMesh) -> Self {
        Self { points, triangles, sides }
    }
}
