//! Errors of triangle meshes and STL files.

use rrp_geom::glam::DVec3;
use thiserror::Error;

use crate::error::text::vector;

/// Bytes before the triangles of a binary file: eighty of any content, and the number of triangles.
pub(crate) const HEADER: usize = 84;
/// Bytes of one triangle: a normal, three corners, and two of any content.
pub(crate) const RECORD: usize = 50;

/// Errors of triangle meshes and STL files.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A triangle has no area, or a corner that is not finite or does not exist.
    #[error("triangle {triangle}: its corners {} span no area, or one of them is missing or not finite; correct or remove it", .corners.each_ref().map(vector).join(", "))]
    DegenerateTriangle {
        /// The triangle, from zero.
        triangle: usize,
        /// Corners of the triangle in m; NaN if a point does not exist.
        corners: [DVec3; 3],
    },
    /// A mesh that should be closed has an edge with a triangle on one side only.
    #[error("triangle {triangle}: the mesh is open at its edge from {} to {}; if it should be open, read it as an open mesh, without `closed` and `inside`; if this is a crack, give its width as `join`", vector(&.ends[0]), vector(&.ends[1]))]
    OpenEdge {
        /// The triangle, from zero.
        triangle: usize,
        /// The ends of the edge in m.
        ends: [DVec3; 2],
    },
    /// Two triangles that share an edge disagree on the front.
    #[error("triangle {triangle} is turned over against its neighbour {neighbor} at the edge from {} to {}; exchange two of its corners", vector(&.ends[0]), vector(&.ends[1]))]
    InvertedTriangle {
        /// The triangle that disagrees with more of its neighbours, from zero.
        triangle: usize,
        /// The other triangle.
        neighbor: usize,
        /// The ends of the edge in m.
        ends: [DVec3; 2],
    },
    /// More than two triangles share an edge of a closed mesh: it has no inside and outside there.
    #[error("triangle {triangle}: {sharing} triangles share its edge from {} to {}, but in a closed mesh two do; give each solid a wall of its own, or read it as an open mesh, without `closed` and `inside`", vector(&.ends[0]), vector(&.ends[1]))]
    CrowdedEdge {
        /// One of the triangles, from zero.
        triangle: usize,
        /// Number of triangles that share the edge.
        sharing: usize,
        /// The ends of the edge in m.
        ends: [DVec3; 2],
    },
    /// Two triangles have the same corners and no space between them.
    #[error("triangles {} and {} have the same corners; remove one of them", .triangles[0], .triangles[1])]
    DoubledTriangle {
        /// The two triangles, from zero.
        triangles: [usize; 2],
    },
    /// Two open edges are so close that spheres touch both as if each was the end of a sheet.
    #[error("triangle {triangle}: there is a crack of {width:e} from its open edge from {} to {} to triangle {neighbor}, and spheres would touch both of its sides; give a larger width as `join`", vector(&.ends[0]), vector(&.ends[1]))]
    Crack {
        /// The triangle, from zero.
        triangle: usize,
        /// The triangle on the other side.
        neighbor: usize,
        /// The ends of the edge in m.
        ends: [DVec3; 2],
        /// Distance of the two edges in m.
        width: f64,
    },
    /// The normals of a closed surface point inwards, or its volume is zero, and it is not a hollow inside another
    /// surface of the mesh.
    #[error(
        "the closed surface of triangle {triangle} has the volume {volume:?}: its normals point inwards; flip them"
    )]
    InsideOutMesh {
        /// The first triangle of the surface, from zero.
        triangle: usize,
        /// Volume inside the surface in m³.
        volume: f64,
    },
    /// Faces of an open mesh were chosen without the side on which they are.
    #[error("an open mesh has faces on two sides: say in which direction they face")]
    TwoSides,
    /// No face of a mesh is near enough to a direction.
    #[error("no face of the mesh faces so: the nearest normal is {}, which is {angle:.3} rad off", vector(.nearest))]
    NoFaceFacing {
        /// The normal nearest to the direction.
        nearest: DVec3,
        /// The angle between both in rad.
        angle: f64,
    },
    /// No face with the wanted direction lies wholly in the box.
    #[error("no face that faces so lies wholly in the box; the mesh goes from {} to {}", vector(&.bounds[0]), vector(&.bounds[1]))]
    NoFaceWithin {
        /// The corners of the box around the mesh in m.
        bounds: [DVec3; 2],
    },
    /// Grains have no room next to the faces of a source.
    #[error(
        "there is no room for the largest grain, of radius {radius}: it would overlap the mesh at each of {places} places next to its faces; make grains smaller, or choose other faces"
    )]
    NoRoomAtFaces {
        /// Radius of the largest grain in m.
        radius: f64,
        /// Number of places.
        places: u64,
    },
    /// A mesh has no triangles, or more than can be numbered.
    #[error("{}", size(*.triangles))]
    MeshSize {
        /// Number of triangles.
        triangles: usize,
    },
    /// A binary STL file does not end after its last triangle.
    #[error("{}", length(*.byte, *.triangle, *.announced))]
    StlLength {
        /// Length of the file in bytes.
        byte: usize,
        /// The first incomplete triangle, from zero; the number of triangles if more bytes follow.
        triangle: usize,
        /// Number of triangles in the header.
        announced: usize,
    },
    /// A file is a text, but not in the format of STL.
    #[error("this is no STL file: it begins with {found:?}; export the mesh as STL, binary or text")]
    NotStl {
        /// The first line that is not empty.
        found: String,
    },
    /// A line of a text STL file is not in the format.
    #[error("line {line}, triangle {triangle}: expected {expected:?}, found {found:?}")]
    StlSyntax {
        /// Number of the line, from one.
        line: usize,
        /// The triangle that the line belongs to, from zero.
        triangle: usize,
        /// The expected content.
        expected: &'static str,
        /// The content of the line; empty at the end of the file.
        found: String,
    },
}

/// Returns the problem with a number of triangles.
fn size(triangles: usize) -> String {
    match triangles {
        0 => "there are no triangles; export the mesh again, as triangles".to_owned(),
        _ => format!("a mesh cannot have {triangles} triangles; simplify it, or cut it into several meshes"),
    }
}

/// Returns the problem with the length of a binary file.
fn length(byte: usize, triangle: usize, announced: usize) -> String {
    if byte == 0 {
        return "the STL file is empty; export the mesh again".to_owned();
    }
    if byte < HEADER {
        return format!(
            "the STL file ends at byte {byte}, within its header of {HEADER} bytes; copy or export it again"
        );
    }
    if triangle < announced {
        return format!(
            "the STL file ends at byte {byte}, in triangle {triangle}, but announces {announced} triangles; it was cut \
             off: copy or export it again"
        );
    }
    let more = byte.saturating_sub(HEADER + RECORD * announced);
    format!(
        "the STL file goes on for {more} bytes behind the {announced} triangles that it announces; cut them off if \
         that is all of the mesh, or export it again"
    )
}

impl MeshError {
    /// Gives triangles other numbers: those of the file, from which some triangles were left out.
    pub(crate) fn renumbered(mut self, number: impl Fn(usize) -> usize) -> Self {
        match &mut self {
            Self::DegenerateTriangle { triangle, .. }
            | Self::OpenEdge { triangle, .. }
            | Self::CrowdedEdge { triangle, .. }
            | Self::InsideOutMesh { triangle, .. } => *triangle = number(*triangle),
            Self::InvertedTriangle { triangle, neighbor, .. } | Self::Crack { triangle, neighbor, .. } => {
                (*triangle, *neighbor) = (number(*triangle), number(*neighbor));
            }
            Self::DoubledTriangle { triangles } => *triangles = triangles.map(number),
            Self::TwoSides | Self::NoFaceFacing { .. } | Self::NoFaceWithin { .. } | Self::NoRoomAtFaces { .. } => {}
            Self::MeshSize { .. } | Self::StlLength { .. } | Self::NotStl { .. } | Self::StlSyntax { .. } => {}
        }
        self
    }
}
