//! Tables of results, read back to be drawn.

use std::path::{Path, PathBuf};

use crate::error::{GrainsError, Location};
use crate::files;
use crate::output::explained::{self, TableKind};
use crate::value::nearest_name;

/// Largest memory in bytes that a table takes per byte of its file: a number of eight bytes for a digit and a comma.
const MEMORY: u64 = 8;

/// A table of a run: numbers by column.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    path: PathBuf,
    kind: Option<TableKind>,
    pub(crate) columns: Vec<String>,
    /// Numbers of each column, row by row. Empty fields and words are NaN.
    values: Vec<Vec<f64>>,
}

impl Table {
    /// Reads a table. A line that a running program has not finished yet is left out.
    ///
    /// # Errors
    /// [`GrainsError::Unreadable`], [`GrainsError::TooLarge`], and [`GrainsError::Table`] for a row of another length
    /// than the header.
    pub(crate) fn read(path: &Path) -> Result<Self, GrainsError> {
        let bytes = files::read(path, Location::of("output"), MEMORY)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(&bytes[..whole]);
        let refused = |line: usize, problem: &'static str| GrainsError::Table {
            path: path.to_owned(),
            line,
            column: String::new(),
            problem,
        };
        let header = reader.headers().map_err(|_| refused(1, "is no text"))?;
        let columns: Vec<String> = header.iter().map(str::to_owned).collect();
        let mut values = vec![Vec::new(); columns.len()];
        for (row, record) in reader.records().enumerate() {
            let record = record.map_err(|_| refused(row + 2, "is no text"))?;
            if record.len() != columns.len() {
                return Err(refused(row + 2, "has another number of fields than the header"));
            }
            let numbers = record.iter().map(|field| field.parse().unwrap_or(f64::NAN));
            values.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(Self { kind: TableKind::of(&file, &columns), path: path.to_owned(), columns, values })
    }

    /// Returns the number of rows of the table.
    pub(crate) fn rows(&self) -> usize {
        self.values.first().map_or(0, Vec::len)
    }

    pub(crate) fn kind(&self) -> Option<TableKind> {
        self.kind
    }

    /// Returns the numbers of a column.
    ///
    /// # Errors
    /// [`GrainsError::UnknownColumn`].
    pub(crate) fn column(&self, name: &str) -> Result<&[f64], GrainsError> {
        let found = self.columns.iter().position(|column| column == name);
        found.map(|index| &self.values[index][..]).ok_or_else(|| GrainsError::UnknownColumn {
            path: self.path.clone(),
            found: name.to_owned(),
            nearest: nearest_name(name, &self.columns),
            known: self.columns.clone().into(),
        })
    }

    /// Returns the numbers of a column if the table has it.
    pub(crate) fn get(&self, name: &str) -> Option<&[f64]> {
        self.column(name).ok()
    }

    /// Returns the unit of a column, empty for a pure number and for columns that the page of columns does not explain.
    pub(crate) fn unit(&self, column: &str) -> &'static str {
        self.kind.and_then(|kind| explained::explain(kind, column)).map_or("", |known| known.unit)
    }
}

/// Returns the name of a column as a reader writes it: words instead of underscores.
pub(crate) fn in_words(column: &str) -> String {
    column.replace('_', " ")
}
