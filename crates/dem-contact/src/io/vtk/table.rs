use std::io::Read;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::io::vtk::points::vectors;
use crate::io::vtk::poly_file::{ArrayRequest, PolyFile, refused};

/// Content of a `.vtp` file of one piece: its points, lines and polygons with all arrays of numbers.
/// [`VtpPoints`](crate::io::VtpPoints) lists the supported forms of files.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VtpTable {
    /// Position of each point in m.
    pub points: Vec<DVec3>,
    /// Arrays with a row for each point.
    pub point_arrays: Vec<VtpArray>,
    /// Indices in `points` of the two ends of each line.
    pub lines: Vec<[usize; 2]>,
    /// Indices in `points` of the corners of each polygon: outer index the polygon, inner index the corner.
    pub polygons: Vec<Vec<usize>>,
    /// Arrays with a row for each cell: vertices first, then lines, then polygons.
    pub cell_arrays: Vec<VtpArray>,
}

/// An array of numbers in a `.vtp` file. Integers beyond 2⁵³ are rounded.
#[derive(Debug, Clone, PartialEq)]
pub struct VtpArray {
    /// Name of the array.
    pub name: String,
    /// Number of components in each row, such as 3 for vectors.
    pub width: usize,
    /// Numbers of the array, row by row.
    pub values: Vec<f64>,
}

impl VtpTable {
    /// Reads all points, cells and arrays of a `.vtp` file.
    ///
    /// # Errors
    /// [`DemError::Io`]; [`FileError::Vtk`](crate::error::FileError::Vtk) with the array for a file that is not valid
    /// or has an unsupported form, and for lines of more or fewer than two points.
    pub fn read(from: &mut dyn Read) -> Result<Self, DemError> {
        PolyFile::read(from, Self::of)
    }

    fn of(file: &PolyFile<'_>) -> Result<Self, DemError> {
        let points = ArrayRequest { section: "Points", name: None, rows: file.points, width: 3 };
        let points = vectors(file.floats(points)?.ok_or_else(|| refused("Points", "is missing"))?);
        let lines = cells(file, "Lines", file.lines)?;
        let lines = lines.into_iter().map(|line| <[usize; 2]>::try_from(line).map_err(|_| refused("Lines", "bend")));
        let count = file.vertices.saturating_add(file.lines).saturating_add(file.polygons);
        Ok(Self {
            points,
            point_arrays: arrays(file, "PointData", file.points)?,
            lines: lines.collect::<Result<_, _>>()?,
            polygons: cells(file, "Polys", file.polygons)?,
            cell_arrays: arrays(file, "CellData", count)?,
        })
    }

    /// Returns the array of this name with a row for each point, if there is one.
    #[must_use]
    pub fn point_array(&self, name: &str) -> Option<&VtpArray> {
        self.point_arrays.iter().find(|array| array.name == name)
    }

    /// Returns the array of this name with a row for each cell, if there is one.
    #[must_use]
    pub fn cell_array(&self, name: &str) -> Option<&VtpArray> {
        self.cell_arrays.iter().find(|array| array.name == name)
    }
}

/// Reads all arrays of a section, each of `rows` rows.
fn arrays(file: &PolyFile<'_>, section: &'static str, rows: usize) -> Result<Vec<VtpArray>, DemError> {
    let read = |(name, width): (&str, usize)| {
        let request = ArrayRequest { section, name: Some(name), rows, width };
        let values = file.numbers(request)?.unwrap_or_default();
        Ok(VtpArray { name: name.to_owned(), width, values })
    };
    file.arrays(section).into_iter().map(read).collect()
}

/// Reads the `count` cells of a section, each as the indices of its points.
fn cells(file: &PolyFile<'_>, section: &'static str, count: usize) -> Result<Vec<Vec<usize>>, DemError> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let integers = |name: &'static str, rows: usize| {
        let request = ArrayRequest { section, name: Some(name), rows, width: 1 };
        file.integers(request)?.ok_or_else(|| refused(section, "has no cells, or not as many as the file says"))
    };
    let index = |number: &i64| usize::try_from(*number).map_err(|_| refused(section, "has a negative index"));
    let ends = integers("offsets", count)?.iter().map(index).collect::<Result<Vec<_>, _>>()?;
    let all = integers("connectivity", ends.last().copied().unwrap_or(0))?;
    let all = all.iter().map(index).collect::<Result<Vec<_>, _>>()?;
    if all.iter().any(|&point| point >= file.points) {
        return Err(refused(section, "has a point that the file does not have"));
    }
    let begins = std::iter::once(0).chain(ends.iter().copied());
    let cell = |(begin, &end): (usize, &usize)| {
        all.get(begin..end).map(<[usize]>::to_vec).ok_or_else(|| refused(section, "has offsets that do not ascend"))
    };
    begins.zip(&ends).map(cell).collect()
}
