//! Conversion of the triangles of a file to a surface: side of the bodies, unit of length, cracks.

use std::io::Read;

use crate::error::DemError;
use crate::error::mesh::MeshError;
use crate::error::parameter::{not_negative, positive};
use crate::wall::mesh::soup::{LeftOut, Soup};
use crate::wall::mesh::stl_read::facets;
use crate::wall::mesh::topology::Topology;
use crate::wall::mesh::triangle_mesh::{TriangleMesh, unit_normals};

/// Side of an imported surface on which bodies are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Solid {
    /// Bodies are around the solids if the surface is closed, and on both sides of an open surface.
    #[default]
    IfClosed,
    /// Bodies are around the solids; the surface must be closed.
    Inside,
    /// Bodies are inside the surface, which must be closed; the solid is around it.
    Around,
}

/// Options by which the triangles of an STL file become a [`TriangleMesh`].
///
/// Normals in the file are not used. An open surface has two sides; for a closed surface `solid` says which side is
/// solid. The order of corners matters only for a hollow inside a solid: the hollow is a space for bodies if its
/// triangles are oriented against those of the solid, or disagree among themselves.
///
/// Triangles without area and repeated triangles with the same corners are left out. Cracks up to the width `join` are
/// closed: open edges whose ends differ by rounding, and corners on the open edge of another triangle.
///
/// ```
/// use dem_contact::wall::{Revolution, Solid, StlImport};
/// use rrp_geom::glam::DVec3;
///
/// let mut file = Vec::new();
/// Revolution::rod(DVec3::Z, 20.0, [0.0, 50.0])?.mesh(32)?.write_stl(&mut file)?;
/// // A container in millimetres with bodies inside.
/// let container = StlImport { scale: 1e-3, solid: Solid::Around, ..StlImport::default() }.read(&file[..])?;
/// assert!(container.volume() < 0.0 && container.bounds()[1].z == 0.05);
/// # Ok::<(), dem_contact::error::DemError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StlImport {
    /// Side of the imported surface on which bodies are.
    pub solid: Solid,
    /// Length of the unit of the STL file in m: 0.001 for millimetres.
    pub scale: f64,
    /// Width in m of the cracks that are closed in the imported surface. `None` takes what single precision needs: 1e-6
    /// of the largest coordinate.
    pub join: Option<f64>,
}

impl Default for StlImport {
    fn default() -> Self {
        Self { solid: Solid::IfClosed, scale: 1.0, join: None }
    }
}

/// Width of cracks that are closed by default, over the largest coordinate: eight rounding errors of single precision.
const JOIN: f64 = 8.0 * f32::EPSILON as f64;

impl StlImport {
    /// Reads an STL file, binary or text, as a mesh. Corners with the same coordinates are joined.
    ///
    /// A text file may hold several solids, in upper or lower case, with any line ends, with or without a byte order
    /// mark.
    ///
    /// # Errors
    /// Errors about a triangle state its number in the file, from zero:
    /// - [`DemError::Io`].
    /// - [`DemError::InvalidParameter`] unless `scale` is positive and `join` is not negative.
    /// - [`MeshError::StlLength`] for a binary file that is too short or too long, or empty.
    /// - [`MeshError::NotStl`] for text in another format.
    /// - [`MeshError::StlSyntax`] for a line of a text file that is not in the format.
    /// - [`MeshError::DegenerateTriangle`] for a corner that is not finite, and for a triangle without area that leaves
    ///   a hole in a surface that should be closed.
    /// - [`MeshError::OpenEdge`] and [`MeshError::CrowdedEdge`] for a surface that should be closed and is not.
    /// - [`MeshError::InvertedTriangle`] for a closed surface with one side only.
    /// - [`MeshError::InsideOutMesh`] for a closed surface without volume.
    /// - [`MeshError::MeshSize`] for no triangles, or too many to number.
    pub fn read(&self, source: impl Read) -> Result<TriangleMesh, DemError> {
        let scale = positive("the scale of a file", self.scale)?;
        let join = self.join.map(|join| not_negative("the width of cracks to join", join)).transpose()?;
        let mut soup = Soup::new(&facets(source)?)?;
        soup.points.iter_mut().for_each(|point| *point *= scale);
        let left_out = soup.tidy(join.unwrap_or(JOIN * soup.size()))?;
        if let (true, Some(&LeftOut { triangle, corners })) = (soup.triangles.is_empty(), left_out.first()) {
            return Err(DemError::Mesh(MeshError::DegenerateTriangle { triangle, corners }));
        }
        let numbers = std::mem::take(&mut soup.numbers);
        let number = |triangle: usize| numbers.get(triangle).map_or(triangle, |&number| number as usize);
        self.surface(soup).map_err(|error| match error {
            DemError::Mesh(MeshError::OpenEdge { triangle, ends }) => DemError::Mesh(
                // A triangle without area, such as one with a wrong corner, may have left the hole.
                match left_out.iter().find(|left_out| left_out.corners.iter().any(|corner| ends.contains(corner))) {
                    Some(&LeftOut { triangle, corners }) => MeshError::DegenerateTriangle { triangle, corners },
                    None => MeshError::OpenEdge { triangle: number(triangle), ends },
                },
            ),
            DemError::Mesh(error) => DemError::Mesh(error.renumbered(number)),
            error => error,
        })
    }

    fn surface(&self, soup: Soup) -> Result<TriangleMesh, DemError> {
        let Soup { points, mut triangles, .. } = soup;
        let mut topology = Topology::new(&points, &triangles)?;
        let is_closed = topology.check_closed(&points, &triangles).is_ok();
        if self.solid != Solid::IfClosed {
            topology.check_closed(&points, &triangles)?;
        }
        let mixed = topology.agree(&mut triangles);
        let normals = unit_normals(&points, &triangles)?;
        if is_closed {
            topology.check_fronts(&points, &triangles)?;
        }
        let mut made = TriangleMesh::assembled(points, triangles, normals, topology);
        if is_closed {
            made.face_outwards(&mixed);
            made.check_shells()?;
        }
        Ok(if self.solid == Solid::Around { made.flipped() } else { made })
    }
}

impl TriangleMesh {
    /// Reads a closed mesh in STL format with bodies around its solids; see [`StlImport`].
    ///
    /// # Errors
    /// Errors of [`StlImport::read`].
    pub fn read_stl(source: impl Read) -> Result<Self, DemError> {
        StlImport { solid: Solid::Inside, ..StlImport::default() }.read(source)
    }

    /// Reads a mesh in STL format that can be open, such as a hopper; see [`StlImport`].
    ///
    /// # Errors
    /// Errors of [`StlImport::read`].
    pub fn read_open_stl(source: impl Read) -> Result<Self, DemError> {
        StlImport::default().read(source)
    }
}
