//! Tables of bodies: CSV files with a header.

use std::path::Path;

use csv::{Reader, ReaderBuilder, StringRecord, Trim};
use rrp_geom::glam::DVec3;

use crate::error::GrainsError;

/// One row of a table of bodies; columns that the table lacks are none.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Row {
    pub(super) position: DVec3,
    pub(super) radius: Option<f64>,
    pub(super) mass: Option<f64>,
    pub(super) velocity: Option<DVec3>,
    pub(super) spin: Option<DVec3>,
}

#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(super) rows: Vec<Row>,
    /// Whether the table has columns for the ids, groups or materials that the bodies had in a run.
    pub(super) has_labels: bool,
}

/// Names of the columns that a table of bodies may have.
pub(crate) const COLUMNS: [&str; 11] = ["x", "y", "z", "radius", "mass", "vx", "vy", "vz", "wx", "wy", "wz"];

/// Names of the columns of tables converted from a checkpoint or a frame that have no effect when a table is read.
pub(crate) const LABELS: [&str; 3] = ["id", "group", "material"];

/// Reads the table in `text`, the contents of `path`. Lines that begin with `#` are comments.
///
/// # Errors
/// [`GrainsError::Table`] with line and column.
pub(super) fn read(text: &str, path: &Path) -> Result<Table, GrainsError> {
    let mut lines = Lines::new(text, path);
    let Some((head, names)) = lines.next_record()? else { return Err(lines.problem(1, "x", "the table is empty")) };
    let names: Vec<&str> = names.iter().collect();
    if let Some(name) = names.iter().find(|name| !COLUMNS.contains(name) && !LABELS.contains(name)) {
        return Err(lines.problem(head, name, "is no column of bodies"));
    }
    let column = |wanted: &str| names.iter().position(|name| *name == wanted);
    if let Some(missing) = COLUMNS[..3].iter().find(|name| column(name).is_none()) {
        return Err(lines.problem(head, missing, "is missing"));
    }
    let mut rows = Vec::new();
    while let Some((line, record)) = lines.next_record()? {
        if record.len() != names.len() {
            let name = names[record.len().min(names.len() - 1)];
            return Err(lines.problem(line, name, "the row has another number of columns"));
        }
        let number = |name: &str| -> Result<Option<f64>, GrainsError> {
            let Some(index) = column(name) else { return Ok(None) };
            let is_allowed = |value: &f64| value.is_finite() || name == "mass" && *value > 0.0;
            let value = record[index].parse().ok().filter(is_allowed);
            value.map(Some).ok_or_else(|| lines.problem(line, name, "is no finite number"))
        };
        let vector = |names: [&str; 3]| -> Result<Option<DVec3>, GrainsError> {
            let [x, y, z] = [number(names[0])?, number(names[1])?, number(names[2])?];
            let given = x.is_some() || y.is_some() || z.is_some();
            Ok(given.then(|| DVec3::new(x.unwrap_or(0.0), y.unwrap_or(0.0), z.unwrap_or(0.0))))
        };
        rows.push(Row {
            position: vector(["x", "y", "z"])?.unwrap_or_default(),
            radius: number("radius")?,
            mass: number("mass")?,
            velocity: vector(["vx", "vy", "vz"])?,
            spin: vector(["wx", "wy", "wz"])?,
        });
    }
    Ok(Table { rows, has_labels: names.iter().any(|name| LABELS.contains(name)) })
}

/// Iterator over the lines of a table that are neither empty nor comments, with their line numbers from one.
struct Lines<'a> {
    reader: Reader<&'a [u8]>,
    text: &'a str,
    path: &'a Path,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str, path: &'a Path) -> Self {
        // Spreadsheets may begin a text file with a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut builder = ReaderBuilder::new();
        builder.has_headers(false).flexible(true).comment(Some(b'#')).trim(Trim::All);
        Self { reader: builder.from_reader(text.as_bytes()), text, path }
    }

    fn next_record(&mut self) -> Result<Option<(usize, StringRecord)>, GrainsError> {
        let mut record = StringRecord::new();
        loop {
            let read = self.reader.read_record(&mut record).map_err(|error| {
                let line = error.position().map_or(1, |position| position.line() as usize);
                self.problem(line, "x", "cannot be read")
            })?;
            if !read {
                return Ok(None);
            }
            let first = record.get(0).unwrap_or_default();
            let is_blank = record.len() <= 1 && first.is_empty();
            if !is_blank && !first.starts_with('#') {
                return Ok(Some((self.line(), record)));
            }
        }
    }

    /// Returns the line number of the last record. The position stored in a CSV record is that of the comments before
    /// it.
    fn line(&self) -> usize {
        let line = self.reader.position().line() as usize;
        let end = self.reader.position().byte() as usize;
        let is_ended = end > 0 && self.text.as_bytes().get(end - 1) == Some(&b'\n');
        line - usize::from(is_ended)
    }

    fn problem(&self, line: usize, column: &str, problem: &'static str) -> GrainsError {
        GrainsError::Table { path: self.path.to_owned(), line, column: column.to_owned(), problem }
    }
}
