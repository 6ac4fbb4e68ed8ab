//! Tables of results, read back to be drawn.

use std::path::{Path, PathBuf};

use dem_contact::error::FileError;

use crate::error::{GrainsError, Location};
use crate::files;
use crate::output::explained::{self, TableKind};
use crate::scene::units::Units;
use crate::value::nearest_name;

/// Largest number of bytes of memory that a table takes for each byte of its file: a number of eight bytes, for a file
/// with one digit and a comma per number.
const MEMORY: u64 = 8;

/// A part of the time of a run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Span {
    /// Time in s at which the part begins; the start of the run if none is given.
    pub(crate) from: Option<f64>,
    /// Time in s at which the part ends; the end of the run if none is given.
    pub(crate) until: Option<f64>,
}

impl Span {
    /// Returns whether a time (s) is in this part.
    pub(crate) fn has(self, time: f64) -> bool {
        self.from.is_none_or(|from| time >= from) && self.until.is_none_or(|until| time <= until)
    }
}

/// A table of a run: numbers by column.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    path: PathBuf,
    kind: Option<TableKind>,
    pub(crate) columns: Vec<String>,
    /// Numbers of each column, row by row. Empty fields and words are NaN.
    values: Vec<Vec<f64>>,
    /// Gate of each row of the table of grains that passed gates, which may be a name; empty for other tables.
    pub(crate) gates: Vec<String>,
    units: Units,
}

impl Table {
    /// Reads a table of a run whose scene has these `units`. A line that a running program has not finished yet is left
    /// out.
    ///
    /// # Errors
    /// [`GrainsError::Unreadable`], [`GrainsError::TooLarge`], and [`GrainsError::File`] for a row of another length than
    /// the header.
    pub(super) fn read(path: &Path, units: &Units) -> Result<Self, GrainsError> {
        let bytes = files::read(path, Location::of("output"), MEMORY)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(&bytes[..whole]);
        let refused = |line: usize, expected: &'static str, found: String| GrainsError::File {
            at: Location::of("output"),
            path: path.to_owned(),
            source: Box::new(FileError::Malformed { line, expected, found }.into()),
        };
        let no_text = |line: usize| refused(line, "text", "other bytes".to_owned());
        let header = reader.headers().map_err(|_| no_text(1))?;
        let columns: Vec<String> = header.iter().map(str::to_owned).collect();
        let mut values = vec![Vec::new(); columns.len()];
        let gate = columns.iter().position(|column| column == "gate");
        let mut gates = Vec::new();
        for (row, record) in reader.records().enumerate() {
            let record = record.map_err(|_| no_text(row + 2))?;
            if record.len() != columns.len() {
                return Err(refused(row + 2, "as many fields as the header has", format!("{} fields", record.len())));
            }
            let numbers = record.iter().map(|field| field.parse().unwrap_or(f64::NAN));
            values.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
            gates.extend(gate.map(|gate| record[gate].to_owned()));
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(Self {
            kind: TableKind::of(&file, &columns),
            path: path.to_owned(),
            columns,
            values,
            gates,
            units: units.clone(),
        })
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

    /// Checks that some row of the table is in a part of the time of the run; a table without times is in any part.
    ///
    /// # Errors
    /// [`GrainsError::NothingInside`].
    pub(crate) fn require_rows_in(&self, span: Span) -> Result<(), GrainsError> {
        let times = self.get("time").unwrap_or_default();
        match (times.first(), times.last()) {
            (Some(&first), Some(&last)) if !times.iter().any(|time| span.has(*time)) => {
                Err(GrainsError::NothingInside { path: self.path.clone(), times: [first, last] })
            }
            _ => Ok(()),
        }
    }

    /// Returns the unit of a column, empty for a pure number and for columns that the page of columns does not explain.
    pub(crate) fn unit(&self, column: &str) -> String {
        let known = self.kind.and_then(|kind| explained::explain(kind, column));
        known.map_or_else(String::new, |known| self.units.named(known.unit))
    }
}

impl Table {
    /// Returns whether the table has one row for each time, as time series and means have, or one row for each event,
    /// as the table of grains that passed gates has.
    pub(crate) fn has_one_row_a_time(&self) -> bool {
        match self.kind {
            Some(TableKind::Series | TableKind::Means | TableKind::Passed) => true,
            Some(_) => false,
            None => {
                self.get("time").is_none_or(|times| times.windows(2).all(|pair| pair[0].to_bits() != pair[1].to_bits()))
            }
        }
    }

    /// Returns the rows that one curve shows: all rows or, in a table with several rows for each time, those of the
    /// time nearest to `at` (s), by default the last time.
    pub(crate) fn rows_at(&self, at: Option<f64>) -> Vec<usize> {
        let times = self.get("time").filter(|_| !self.has_one_row_a_time());
        let Some(times) = times else { return (0..self.rows()).collect() };
        let distance = |time: f64| at.map_or(-time, |at| (time - at).abs());
        let nearest = times.iter().copied().min_by(|&one, &other| distance(one).total_cmp(&distance(other)));
        (0..self.rows()).filter(|&row| Some(times[row]) == nearest).collect()
    }

    /// Returns the column for the horizontal axis if none is given: the time, or the first direction of a grid with
    /// several cells.
    pub(crate) fn usual_abscissa(&self) -> &'static str {
        let varies = |name: &&str| {
            let column = if self.has_one_row_a_time() { None } else { self.get(name) };
            column.is_some_and(|column| column.iter().any(|value| value.to_bits() != column[0].to_bits()))
        };
        ["x", "y", "z"].into_iter().find(varies).unwrap_or("time")
    }
}

/// Returns the name of a column as a reader writes it: words instead of underscores.
pub(crate) fn in_words(column: &str) -> String {
    column.replace('_', " ")
}
