//! What can go wrong with triangle meshes and STL files.

use rrp_geom::glam::DVec3;
use thiserror::Error;

use crate::error::parameter::vector;

/// What can go wrong with triangle meshes and STL files.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A triangle without area, or with a corner that is not finite or does not exist.
    #[error("triangle {triangle}: its corners {} span no area, or one of them is missing or not finite", .corners.each_ref().map(vector).join(", "))]
    DegenerateTriangle {
        /// The triangle, from zero.
        triangle: usize,
        /// Its corners in m, NaN where there is no such point.
        corners: [DVec3; 3],
    },
    /// A mesh that should be closed has an edge with a triangle on one side only.
    #[error("triangle {triangle}: the mesh is open at its edge from {} to {}; read it as an open one if that is meant", vector(&.ends[0]), vector(&.ends[1]))]
    OpenEdge {
        /// The triangle, from zero.
        triangle: usize,
        /// The ends of the edge in m.
        ends: [DVec3; 2],
    },
    /// Two triangles that share an edge do not agree on which side is the front.
    #[error("triangle {triangle} is turned over against its neighbour {neighbor} at the edge from {} to {}", vector(&.ends[0]), vector(&.ends[1]))]
    InvertedTriangle {
        /// The triangle, from zero: of the two the one that disagrees with more of its neighbours.
        triangle: usize,
        /// The other one.
        neighbor: usize,
        /// The ends of the edge in m.
        ends: [DVec3; 2],
    },
    /// A triangle wider than single precision whose normal in the file points against the order of its corners.
    #[error("triangle {triangle}: the file states the normal {}, its corners go round {}", vector(.stated), vector(.found))]
    InvertedNormal {
        /// The triangle, from zero.
        triangle: usize,
        /// The normal in the file.
        stated: DVec3,
        /// The unit normal by the order of the corners.
        found: DVec3,
    },
    /// More than two triangles share an edge: the mesh is not a surface.
    #[error("triangle {triangle}: {sharing} triangles share its edge from {} to {}, two at most can", vector(&.ends[0]), vector(&.ends[1]))]
    CrowdedEdge {
        /// One of the triangles, from zero.
        triangle: usize,
        /// How many share the edge.
        sharing: usize,
        /// The ends of the edge in m.
        ends: [DVec3; 2],
    },
    /// Two triangles with the same corners have nothing between them.
    #[error("triangles {} and {} have the same corners: there is nothing between them", .triangles[0], .triangles[1])]
    DoubledTriangle {
        /// Their numbers, from zero.
        triangles: [usize; 2],
    },
    /// The normals of a closed surface point inwards, or it holds nothing, and it is no hollow inside of another one of the mesh.
    #[error("triangle {triangle} and all around it hold a volume of {volume:?}: flip what has its normals inwards")]
    InsideOutMesh {
        /// The first triangle of the surface, from zero.
        triangle: usize,
        /// Volume inside the surface in m³.
        volume: f64,
    },
    /// A mesh without triangles, or with more than can be numbered.
    #[error("a mesh cannot have {triangles} triangles")]
    MeshSize {
        /// Number of triangles.
        triangles: usize,
    },
    /// A binary STL file does not end where its last triangle does.
    #[error("the STL file ends at byte {byte}, in or after triangle {triangle}, but announces {announced} triangles")]
    StlLength {
        /// Length of the file in bytes.
        byte: usize,
        /// The first triangle that is not whole, from zero; the number of triangles where more follows.
        triangle: usize,
        /// Number of triangles in its header.
        announced: usize,
    },
    /// A line of an STL file in text is not what the format has there.
    #[error("line {line}, triangle {triangle}: expected {expected:?}, found {found:?}")]
    StlSyntax {
        /// Number of the line, from one.
        line: usize,
        /// The triangle that the line belongs to, from zero.
        triangle: usize,
        /// What should be there.
        expected: &'static str,
        /// What is there; empty at the end of the file.
        found: String,
    },
}
