//! STL files from triangles, binary or text.

use std::io::Write;

use crate::error::DemError;
use crate::wall::mesh::triangle_mesh::TriangleMesh;

impl TriangleMesh {
    /// Writes the mesh as a binary STL file, in single precision.
    ///
    /// # Errors
    /// [`DemError::Io`].
    pub fn write_stl(&self, mut sink: impl Write) -> Result<(), DemError> {
        let mut header = [0; 80];
        header[..13].copy_from_slice(b"triangle mesh");
        sink.write_all(&header)?;
        sink.write_all(&(self.triangles().len() as u32).to_le_bytes())?;
        for t in 0..self.triangles().len() {
            let [a, b, c] = self.corners(t);
            for number in [self.normal(t), a, b, c].iter().flat_map(|vector| vector.to_array()) {
                sink.write_all(&(number as f32).to_le_bytes())?;
            }
            sink.write_all(&[0; 2])?;
        }
        Ok(())
    }

    /// Writes the mesh as a text STL file. Reading the file restores all bits of the coordinates.
    ///
    /// # Errors
    /// [`DemError::Io`].
    pub fn write_text_stl(&self, mut sink: impl Write) -> Result<(), DemError> {
        writeln!(sink, "solid mesh")?;
        for t in 0..self.triangles().len() {
            let normal = self.normal(t);
            writeln!(sink, "facet normal {} {} {}\nouter loop", normal.x, normal.y, normal.z)?;
            for corner in self.corners(t) {
                writeln!(sink, "vertex {} {} {}", corner.x, corner.y, corner.z)?;
            }
            writeln!(sink, "endloop\nendfacet")?;
        }
        writeln!(sink, "endsolid mesh")?;
        Ok(())
    }
}
