//! A surface of triangles.

use rrp_geom::glam::{DMat3, DVec3};

use super::flats::Flats;
use super::nearest::{Spot, nearest};
use super::topology::{NONE, Topology};
use super::tree::Tree;
use crate::wall::{keep_front, merge, square};
use crate::{DemError, Patch, Sides, WallShape};

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
    flats: Flats,
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
        let flats = Flats::new(&points, &triangles, &normals, &topology);
        let tree = Tree::new(triangles.iter().map(|corners| corners.map(|point| points[point as usize])));
        let is_closed = topology.open_edge().is_none();
        let sides = if is_closed { Sides::Front } else { Sides::Both };
        Ok(Self { points, triangles, sides, is_closed, normals, flats, topology, tree })
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

    /// Whether `point` of a triangle is nearest to `centre` among all that is around it.
    fn is_nearest(&self, centre: DVec3, point: DVec3, around: &[u32], reach: f64) -> bool {
        // Far from the origin points are rounded more.
        let seam = (SEAM * reach).max(16.0 * f64::EPSILON * centre.abs().max_element());
        let same = |&t: &u32| {
            t == NONE || {
                let (other, _) = nearest(self.corners(t as usize), centre);
                other.distance_squared(point) <= seam * seam
            }
        };
        around.iter().all(same)
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

/// Nearest points closer than this, in terms of the reach, are one.
const SEAM: f64 = 1e-9;

impl WallShape for TriangleMesh {
    fn near(&self, centre: DVec3, reach: f64, pieces: &mut Vec<u32>) {
        self.tree.near(centre, reach, pieces);
    }

    fn patches(&self, centre: DVec3, reach: f64, pieces: &[u32], found: &mut Vec<Patch>) {
        let (first, square_of_reach) = (found.len(), reach * reach);
        let (faces, edges) = (self.triangles.len() as u32, self.topology.sharing.len() as u32);
        for &t in pieces {
            if self.tree.distance_squared(t, centre) >= square_of_reach {
                continue;
            }
            let triangle = t as usize;
            let (point, spot) = nearest(self.corners(triangle), centre);
            let away = centre - point;
            if away.length_squared() >= square_of_reach {
                continue;
            }
            let flat = self.normals[triangle];
            let (feature, front, open) = match spot {
                Spot::Face => {
                    let distance = (centre - self.corner(triangle, 0)).dot(flat);
                    let back = distance < 0.0 && self.sides == Sides::Both;
                    found.push(if back { Patch::flat(t, -flat, -distance) } else { Patch::flat(t, flat, distance) });
                    continue;
                }
                Spot::Edge(side) => {
                    let edge = self.topology.edges[triangle][side];
                    let sharing = self.topology.sharing[edge as usize];
                    let feature = faces + edge;
                    if known(found, first, feature) || !self.is_nearest(centre, point, &sharing, reach) {
                        continue;
                    }
                    let other = if sharing[1] == NONE { DVec3::ZERO } else { self.normals[sharing[1] as usize] };
                    (feature, self.normals[sharing[0] as usize] + other, sharing[1] == NONE)
                }
                Spot::Corner(corner) => {
                    let number = self.triangles[triangle][corner];
                    let feature = faces + edges + number;
                    let around = self.topology.fan_of(number);
                    if known(found, first, feature) || !self.is_nearest(centre, point, around, reach) {
                        continue;
                    }
                    (feature, self.normal_at(number), self.topology.rim[number as usize])
                }
            };
            let length = away.length();
            let behind = away.dot(front) < 0.0;
            let sign = if behind && !open && self.sides == Sides::Front { -1.0 } else { 1.0 };
            let normal = if length > 0.0 { away * (sign / length) } else { flat };
            let turning = match spot {
                _ if length <= 0.0 => DMat3::ZERO,
                Spot::Edge(side) => {
                    let along = (self.corner(triangle, (side + 1) % 3) - self.corner(triangle, side)).normalize();
                    square(along.cross(normal).normalize_or_zero()) * (sign / length)
                }
                _ => (DMat3::IDENTITY - square(normal)) * (sign / length),
            };
            found.push(Patch { feature, normal, distance: sign * length, turning });
        }
        if found.len() > first + 1 {
            merge(found, first, reach, |patch, plane| self.flats.lies(patch, plane, reach));
        }
        if self.sides == Sides::Front {
            keep_front(found, first);
        }
    }
}

/// Whether an edge or a corner was found already, from another of its triangles.
fn known(found: &[Patch], first: usize, feature: u32) -> bool {
    found[first..].iter().any(|patch| patch.feature == feature)
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
