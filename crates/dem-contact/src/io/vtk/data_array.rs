//! One array of a VTK file: its XML tag, and its bytes in the appended block.

use std::io::{self, Write};

/// Named numbers, stored in the appended block as little-endian bytes after their length.
#[derive(Debug)]
pub(super) struct DataArray {
    name: &'static str,
    kind: &'static str,
    components: usize,
    bytes: Vec<u8>,
}

impl DataArray {
    pub(super) fn floats<const N: usize>(name: &'static str, rows: impl IntoIterator<Item = [f64; N]>) -> Self {
        let bytes = rows.into_iter().flatten().flat_map(f64::to_le_bytes).collect();
        Self { name, kind: "Float64", components: N, bytes }
    }

    pub(super) fn integers(name: &'static str, numbers: impl IntoIterator<Item = i64>) -> Self {
        let bytes = numbers.into_iter().flat_map(i64::to_le_bytes).collect();
        Self { name, kind: "Int64", components: 1, bytes }
    }

    /// Writes the tag with the offset of the bytes in the appended block, and advances the offset.
    pub(super) fn tag(&self, offset: &mut u64, to: &mut dyn Write) -> io::Result<()> {
        let Self { name, kind, components, bytes } = self;
        writeln!(
            to,
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" offset=\"{offset}\"/>"
        )?;
        *offset += 8 + bytes.len() as u64;
        Ok(())
    }

    pub(super) fn append(&self, to: &mut dyn Write) -> io::Result<()> {
        to.write_all(&(self.bytes.len() as u64).to_le_bytes())?;
        to.write_all(&self.bytes)
    }
}
