use std::io::Write;

use crate::error::DemError;
use crate::io::vtk::data_array::{DataArray, VtpEncoding};

/// Content of a VTK file of polygonal data: points, cells made of points, and arrays of both, at one time.
#[derive(Debug)]
pub(super) struct PolyData {
    pub(super) time: f64,
    pub(super) points: usize,
    pub(super) vertices: usize,
    pub(super) lines: usize,
    pub(super) polygons: usize,
    /// Names of the XML sections, each with its arrays.
    pub(super) sections: Vec<(&'static str, Vec<DataArray>)>,
    pub(super) encoding: VtpEncoding,
}

impl PolyData {
    /// Makes the content of a file of lines with these two ends (m) each and these cell arrays, at `time` (s).
    pub(super) fn of_lines(
        time: f64,
        ends: impl ExactSizeIterator<Item = [[f64; 3]; 2]>,
        cells: Vec<DataArray>,
        encoding: VtpEncoding,
    ) -> Self {
        let lines = ends.len();
        let sections = vec![
            ("PointData", Vec::new()),
            ("CellData", cells),
            ("Points", vec![DataArray::floats("Points", ends.flatten())]),
            ("Lines", connectivity((0..lines as i64).map(|line| [2 * line, 2 * line + 1]))),
        ];
        Self { time, points: 2 * lines, vertices: 0, lines, polygons: 0, sections, encoding }
    }

    /// Writes the VTK file as XML with an appended block of binary arrays.
    ///
    /// # Errors
    /// [`DemError::Io`].
    pub(super) fn write(self, to: &mut dyn Write) -> Result<(), DemError> {
        let Self { time, points, vertices, lines, polygons, .. } = self;
        let compressor = if self.encoding.is_compressed { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
        let sections = self.packed_sections()?;
        writeln!(to, "<?xml version=\"1.0\"?>")?;
        writeln!(
            to,
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"{compressor}>\n<PolyData>"
        )?;
        writeln!(
            to,
            "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">"
        )?;
        writeln!(to, "{time}\n</DataArray>\n</FieldData>")?;
        writeln!(
            to,
            "<Piece NumberOfPoints=\"{points}\" NumberOfVerts=\"{vertices}\" NumberOfLines=\"{lines}\" NumberOfStrips=\"0\" NumberOfPolys=\"{polygons}\">"
        )?;
        let mut offset = 0;
        for (section, arrays) in &sections {
            writeln!(to, "<{section}>")?;
            arrays.iter().try_for_each(|array| array.tag(&mut offset, to))?;
            writeln!(to, "</{section}>")?;
        }
        write!(to, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_")?;
        sections.iter().flat_map(|(_, arrays)| arrays).try_for_each(|array| array.append(to))?;
        writeln!(to, "\n</AppendedData>\n</VTKFile>")?;
        Ok(())
    }

    fn packed_sections(self) -> std::io::Result<Vec<(&'static str, Vec<DataArray>)>> {
        let encoding = self.encoding;
        let packed = |(name, arrays): (&'static str, Vec<DataArray>)| {
            let arrays = arrays.into_iter().map(|array| array.encoded(encoding)).collect::<Result<_, _>>()?;
            Ok((name, arrays))
        };
        self.sections.into_iter().map(packed).collect()
    }
}

/// Returns the VTK arrays `connectivity` and `offsets` for cells of `N` points each.
pub(super) fn connectivity<const N: usize>(cells: impl Iterator<Item = [i64; N]> + Clone) -> Vec<DataArray> {
    let ends = cells.clone().scan(0, |end, _| {
        *end += N as i64;
        Some(*end)
    });
    vec![DataArray::integers("connectivity", cells.clone().flatten()), DataArray::integers("offsets", ends)]
}

/// Returns the VTK arrays `connectivity` and `offsets` for cells with any numbers of points.
pub(super) fn polygons(cells: &[Vec<usize>]) -> Vec<DataArray> {
    let ends = cells.iter().scan(0, |end, cell| {
        *end += cell.len() as i64;
        Some(*end)
    });
    let points = cells.iter().flatten().map(|&point| point as i64);
    vec![DataArray::integers("connectivity", points), DataArray::integers("offsets", ends)]
}
