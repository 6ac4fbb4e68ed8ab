use rrp_geom::glam::DVec3;
use thiserror::Error;

use crate::error::text::vector;

/// Number of bytes before the triangles of a binary STL file: 80 bytes of free text and the number of triangles.
pub(crate) const HEADER: usize = 84;
/// Number of bytes of one triangle in a binary STL file: a normal, three corners, and two unused bytes.
pub(crate) const RECORD: usize = 50;

/// Errors of triangle meshes and STL files.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A triangle has no area, a corner that is not finite, or a corner that does not exist.
    #[error("triangle {triangle}: its corners {} span no area, or one of them is missing or not finite; correct or remove it", .corners.each_ref().map(vector).join(", "))]
    DegenerateTriangle {
        /// Number of the triangle without area in the mesh or file, from zero.
        triangle: usize,
        /// Corners in m of the triangle without area; NaN for a corner that does not exist.
        corners: [DVec3; 3],
    },
    /// A mesh that should be closed has an edge with a triangle on one side only.
    #[error("triangle {triangle}: the mesh is open at its edge from {} to {}; if it should be open, read it as an open mesh, without `closed` and `inside`; if this is a crack, give its width as `join`", vector(&.ends[0]), vector(&.ends[1]))]
    OpenEdge {
        /// Number of the triangle at the open edge, from zero.
        triangle: usize,
        /// Ends of the open edge in m.
        ends: [DVec3; 2],
    },
    /// Two triangles that share an edge have their front faces on opposite sides of the surface.
    #[error("triangle {triangle} is turned over against its neighbour {neighbor} at the edge from {} to {}; exchange two of its corners", vector(&.ends[0]), vector(&.ends[1]))]
    InvertedTriangle {
        /// Number, from zero, of the triangle whose front is opposite to that of most of its neighbours.
        triangle: usize,
        /// Number of the neighbour whose front is opposite to that of the triangle.
        neighbor: usize,
        /// Ends in m of the edge at which the front faces of two triangles are on opposite sides.
        ends: [DVec3; 2],
    },
    /// More than two triangles share an edge of a closed mesh, so that inside and outside are not defined there.
    #[error("triangle {triangle}: {sharing} triangles share its edge from {} to {}, but in a closed mesh two do; give each solid a wall of its own, or read it as an open mesh, without `closed` and `inside`", vector(&.ends[0]), vector(&.ends[1]))]
    CrowdedEdge {
        /// Number of one of the triangles at the crowded edge, from zero.
        triangle: usize,
        /// Number of triangles that share the crowded edge.
        sharing: usize,
        /// Ends of the crowded edge in m.
        ends: [DVec3; 2],
    },
    /// Two triangles have the same corners and no space between them.
    #[error("triangles {} and {} have the same corners; remove one of them", .triangles[0], .triangles[1])]
    DoubledTriangle {
        /// Numbers of the two triangles that have the same corners, from zero.
        triangles: [usize; 2],
    },
    /// Two open edges of a mesh are so close that a sphere can touch both and feel two ends of the surface.
    #[error("triangle {triangle}: there is a crack of {width:e} from its open edge from {} to {} to triangle {neighbor}, and spheres would touch both of its sides; give a larger width as `join`", vector(&.ends[0]), vector(&.ends[1]))]
    Crack {
        /// Number of the triangle at one side of the crack, from zero.
        triangle: usize,
        /// Number of the triangle at the other side of the crack, from zero.
        neighbor: usize,
        /// Ends in m of the open edge at one side of the crack.
        ends: [DVec3; 2],
        /// Width of the crack in m: the distance of the two open edges.
        width: f64,
    },
    /// A closed surface that is no hollow inside another surface has no volume, or normals that point inwards.
    #[error(
        "the closed surface of triangle {triangle} has the volume {volume:?}: its normals point inwards; flip them"
    )]
    InsideOutMesh {
        /// Number of the first triangle of the inside-out surface, from zero.
        triangle: usize,
        /// Volume inside the closed surface in m³, negative if normals point inwards.
        volume: f64,
    },
    /// Faces of an open mesh were chosen without saying which of the two sides of a face is meant.
    #[error("an open mesh has faces on two sides: say in which direction they face")]
    TwoSides,
    /// No face of a mesh has a normal close enough to the wanted direction.
    #[error("no face of the mesh faces so: the nearest normal is {}, which is {angle:.3} rad off", vector(.nearest))]
    NoFaceFacing {
        /// Normal of a face of the mesh that is nearest to the wanted direction.
        nearest: DVec3,
        /// Angle in rad between the nearest normal of a face and the wanted direction.
        angle: f64,
    },
    /// No face with the wanted direction lies wholly in the box.
    #[error("no face that faces so lies wholly in the box; the mesh goes from {} to {}", vector(&.bounds[0]), vector(&.bounds[1]))]
    NoFaceWithin {
        /// Low and high corner in m of the box around the mesh.
        bounds: [DVec3; 2],
    },
    /// No place next to the faces at which a source inserts grains has room for the largest grain.
    #[error(
        "there is no room for the largest grain, of radius {radius}: it would overlap the mesh at each of {places} places next to its faces; make grains smaller, or choose other faces"
    )]
    NoRoomAtFaces {
        /// Radius in m of the largest grain of the source.
        radius: f64,
        /// Number of candidate places next to the faces at which the grain would overlap the mesh.
        places: u64,
    },
    /// A mesh has no triangles, or more than can be numbered.
    #[error("{}", size(*.triangles))]
    MeshSize {
        /// Number of triangles of the mesh.
        triangles: usize,
    },
    /// A binary STL file does not end after its last triangle: it is too short or too long.
    #[error("{}", length(*.byte, *.triangle, *.announced))]
    StlLength {
        /// Length of the STL file in bytes.
        byte: usize,
        /// Number of the first incomplete triangle, from zero; the number of triangles if more bytes follow.
        triangle: usize,
        /// Number of triangles that the header of the STL file announces.
        announced: usize,
    },
    /// A file is a text, but not in the format of STL.
    #[error("this is no STL file: it begins with {found:?}; export the mesh as STL, binary or text")]
    NotStl {
        /// First line of the file that is not empty.
        found: String,
    },
    /// A line of a text STL file is not in the format.
    #[error("line {line}, triangle {triangle}: expected {expected:?}, found {found:?}")]
    StlSyntax {
        /// Number of the line with the error in the STL file, from one.
        line: usize,
        /// Number of the triangle that the faulty line belongs to, from zero.
        triangle: usize,
        /// Content that the line of the STL file should have.
        expected: &'static str,
        /// Content of the faulty line; empty at the end of the file.
        found: String,
    },
}

fn size(triangles: usize) -> String {
    match triangles {
        0 => "there are no triangles; export the mesh again, as triangles".to_owned(),
        _ => format!("a mesh cannot have {triangles} triangles; simplify it, or cut it into several meshes"),
    }
}

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
    /// Replaces the numbers of triangles in an error by those of the file, from which some triangles were left out.
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
