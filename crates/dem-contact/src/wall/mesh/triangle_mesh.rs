//! A surface of triangles.

#[cfg(feature = "serde")]
use std::borrow::Cow;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::mesh::MeshError;
use crate::wall::mesh::aabb_tree::Tree;
use crate::wall::mesh::closest_point::closest_point;
use crate::wall::mesh::face_bounds::FaceBounds;
use crate::wall::mesh::topology::{Topology, TriangleSide};
use crate::wall::surface::Sidedness;

/// Wall surface of triangles, which spheres touch at its faces, edges and corners.
///
/// A sphere touches the mesh at each local minimum of the distance from its centre. So it rolls over an edge between
/// two coplanar triangles as over a plane. It touches a convex edge or corner once, and both sides of a concave edge.
/// If a sphere touches a mesh at two points, the overlap that both share is counted once; see
/// [`Saddle`](crate::wall::Saddle). So a steep fold bears like two faces, a shallow fold hardly more than one face, and
/// a fine mesh of a concave surface like the surface itself.
///
/// The force is the gradient of one energy, however the surface is cut into triangles. Edges bent by rounding and
/// slivers turned by rounding have an effect proportional to their distance from the plane. If rounding has turned a
/// sliver over, the triangles beyond the sliver decide on which side of the mesh a centre is.
///
/// The corners of a triangle are in counterclockwise order, seen from the side to which its normal points. A closed
/// mesh has bodies in front of its normals; if it is [flipped](Self::flipped), it holds the bodies inside. An open mesh
/// is a thin sheet with bodies on [both sides](Sidedness::Both), unless [changed](Self::with_sides); bodies may go
/// around its edges. To read a file, see [`StlImport`](crate::wall::StlImport).
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Stored<'static>"))]
pub struct TriangleMesh {
    pub(super) points: Vec<DVec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) sides: Sidedness,
    is_closed: bool,
    /// Unit normal of each triangle, towards the front side of the mesh.
    pub(super) normals: Vec<DVec3>,
    /// Whether each triangle is a narrow one that rounding has turned over. Empty if there is no such triangle.
    pub(super) turned: Vec<bool>,
    pub(super) topology: Topology,
    pub(super) tree: Tree,
    pub(super) face_bounds: FaceBounds,
}

impl TriangleMesh {
    /// Makes a mesh of one or several closed surfaces with outward normals; the normals of a hollow point into the
    /// hollow. Each triangle has the indices of its corners in `points` (m).
    ///
    /// # Errors
    /// [`MeshError::OpenEdge`], [`MeshError::CrowdedEdge`], [`MeshError::InvertedTriangle`] and
    /// [`MeshError::InsideOutMesh`], and the errors of [`open`](Self::open).
    pub fn closed(points: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, DemError> {
        let normals = unit_normals(&points, &triangles)?;
        let topology = Topology::new(&points, &triangles)?;
        topology.check_closed(&points, &triangles)?;
        topology.check_fronts(&points, &triangles)?;
        let made = Self::assembled(points, triangles, normals, topology);
        made.check_shells()?;
        Ok(made)
    }

    /// Makes a mesh that can have open edges, with a triangle on one side only, such as a hopper. With open edges the
    /// surface is a sheet with two sides. The order of corners means nothing in a sheet: triangles are reversed until
    /// neighbours have the same orientation. Any number of triangles can share an edge of a sheet.
    ///
    /// # Errors
    /// - [`MeshError::DegenerateTriangle`] for a triangle without area, or with a corner that is not finite or not in
    ///   `points`.
    /// - [`MeshError::InvertedTriangle`] where two neighbours of a closed surface have opposite orientations.
    /// - [`MeshError::DoubledTriangle`] for two triangles with the same corners.
    /// - [`MeshError::MeshSize`] for no triangles, or too many to number.
    pub fn open(points: Vec<DVec3>, mut triangles: Vec<[u32; 3]>) -> Result<Self, DemError> {
        unit_normals(&points, &triangles)?;
        let mut topology = Topology::new(&points, &triangles)?;
        if topology.check_closed(&points, &triangles).is_ok() {
            topology.check_fronts(&points, &triangles)?;
        } else {
            topology.agree(&mut triangles);
        }
        let normals = unit_normals(&points, &triangles)?;
        Ok(Self::assembled(points, triangles, normals, topology))
    }

    /// Makes a mesh of checked parts: bodies are on one side of a closed surface, and on both sides of an open one.
    pub(super) fn assembled(
        points: Vec<DVec3>,
        triangles: Vec<[u32; 3]>,
        normals: Vec<DVec3>,
        topology: Topology,
    ) -> Self {
        let corners = triangles.iter().map(|corners| corners.map(|point| points[point as usize]));
        let tree = Tree::new(corners.clone());
        let face_bounds = FaceBounds::new(corners.zip(normals.iter().copied()));
        let is_closed = topology.check_closed(&points, &triangles).is_ok();
        let sides = if is_closed { Sidedness::Front } else { Sidedness::Both };
        let turned = Vec::new();
        let mut made = Self { points, triangles, sides, is_closed, normals, turned, topology, tree, face_bounds };
        made.find_turned();
        made
    }

    /// Sets the sides of the mesh on which bodies are.
    #[must_use]
    pub fn with_sides(self, sides: Sidedness) -> Self {
        Self { sides, ..self }
    }

    /// Reverses all normals of the mesh: a closed surface with outward normals then has bodies inside.
    #[must_use]
    pub fn flipped(mut self) -> Self {
        let all = vec![true; self.triangles.len()];
        self.turn_over(&all);
        self
    }

    /// Moves the mesh by a vector in m, in its frame.
    ///
    /// # Errors
    /// Errors of [`open`](Self::open), if rounding far from the origin leaves triangles without area.
    pub fn moved(self, by: DVec3) -> Result<Self, DemError> {
        let Self { mut points, triangles, sides, .. } = self;
        points.iter_mut().for_each(|point| *point += by);
        Ok(Self::open(points, triangles)?.with_sides(sides))
    }

    pub(super) fn turn_over(&mut self, which: &[bool]) {
        self.topology.turn_over(&mut self.triangles, which);
        for triangle in (0..which.len()).filter(|&triangle| which[triangle]) {
            // A stored mesh computes its normals from corners when it is read. The bits have to agree: negating a zero
            // gives -0.0.
            let opposite = -self.normals[triangle];
            self.normals[triangle] = area_vector(self.corners(triangle)).map_or(opposite, DVec3::normalize);
        }
    }

    /// Points of the mesh in m: the corners of its triangles.
    #[must_use]
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// Corners of each triangle, as indices of the points of the mesh.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Sides of the mesh on which bodies are.
    #[must_use]
    pub fn sides(&self) -> Sidedness {
        self.sides
    }

    /// Whether each edge of the mesh has a triangle on both sides.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Low and high corner in m of the box around the mesh.
    #[must_use]
    pub fn bounds(&self) -> [DVec3; 2] {
        self.tree.low_and_high()
    }

    /// Volume inside a closed mesh in m³, negative if its normals point inwards.
    #[must_use]
    pub fn volume(&self) -> f64 {
        // Take volumes relative to a corner of the box, so that a mesh far from the origin loses no digits.
        let [from, _] = self.bounds();
        let part = |corners: [DVec3; 3]| {
            let [a, b, c] = corners.map(|corner| corner - from);
            a.dot(b.cross(c)) / 6.0
        };
        (0..self.triangles.len()).map(|t| part(self.corners(t))).sum()
    }

    pub(crate) fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|point| self.points[point as usize])
    }

    pub(super) fn corner(&self, triangle: usize, corner: usize) -> DVec3 {
        self.points[self.triangles[triangle][corner] as usize]
    }

    pub(in crate::wall) fn is_behind(&self, centre: DVec3) -> bool {
        self.is_closed && self.sides == Sidedness::Front && self.signed_distance(centre) < 0.0
    }

    pub(crate) fn signed_distance(&self, centre: DVec3) -> f64 {
        self.nearest(centre).map_or(f64::INFINITY, |t| self.patch(t, centre).distance)
    }

    pub(crate) fn distance(&self, point: DVec3) -> f64 {
        self.nearest(point).map_or(f64::INFINITY, |t| self.distance_squared(t, point).sqrt())
    }

    /// Returns the first triangle, in the order of the mesh, whose distance from a point exceeds that of the nearest
    /// triangle by at most `tolerance` (m).
    pub(crate) fn first_nearest(&self, point: DVec3, tolerance: f64) -> Option<usize> {
        let reach = self.distance(point) + tolerance;
        let mut near = Vec::new();
        self.tree.near(point, reach, &mut near);
        near.into_iter().filter(|&t| self.distance_squared(t, point) <= reach * reach).min().map(|t| t as usize)
    }

    fn nearest(&self, point: DVec3) -> Option<u32> {
        self.tree.nearest(point, |t| self.distance_squared(t, point))
    }

    fn distance_squared(&self, triangle: u32, point: DVec3) -> f64 {
        point.distance_squared(closest_point(self.corners(triangle as usize), point).point)
    }

    pub(super) fn ends(&self, TriangleSide { triangle, side }: TriangleSide) -> [DVec3; 2] {
        [side, (side + 1) % 3].map(|corner| self.corner(triangle, corner))
    }

    pub(crate) fn normal(&self, triangle: usize) -> DVec3 {
        self.normals[triangle]
    }
}

/// Returns the normal of a triangle times twice its area (m²); `None` if the area is not far above rounding errors.
pub(super) fn area_vector([a, b, c]: [DVec3; 3]) -> Option<DVec3> {
    let normal = (b - a).cross(c - a);
    let longest = (b - a).length_squared().max((c - a).length_squared());
    let area = normal.length();
    // Bound on the smallest height of a triangle over its size, far below that of any real triangle of a file.
    (area.is_finite() && area > 1e-10 * longest).then_some(normal)
}

pub(super) fn unit_normals(points: &[DVec3], triangles: &[[u32; 3]]) -> Result<Vec<DVec3>, DemError> {
    if triangles.is_empty() || triangles.len() + 4 * points.len() > u32::MAX as usize / 4 {
        return Err(DemError::Mesh(MeshError::MeshSize { triangles: triangles.len() }));
    }
    let normal = |(triangle, numbers): (usize, &[u32; 3])| {
        let corners = numbers.map(|point| points.get(point as usize).copied().unwrap_or(DVec3::NAN));
        let vector = area_vector(corners);
        vector.map(DVec3::normalize).ok_or(DemError::Mesh(MeshError::DegenerateTriangle { triangle, corners }))
    };
    triangles.iter().enumerate().map(normal).collect()
}

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Stored<'a> {
    points: Cow<'a, [DVec3]>,
    triangles: Cow<'a, [[u32; 3]]>,
    sides: Sidedness,
}

#[cfg(feature = "serde")]
impl TryFrom<Stored<'_>> for TriangleMesh {
    type Error = DemError;

    fn try_from(Stored { points, triangles, sides }: Stored<'_>) -> Result<Self, DemError> {
        Ok(Self::open(points.into_owned(), triangles.into_owned())?.with_sides(sides))
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for TriangleMesh {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { points, triangles, sides, .. } = self;
        Stored { points: points.into(), triangles: triangles.into(), sides: *sides }.serialize(to)
    }
}
