//! Sparse matrices as files have them.

use crate::fclib::FclibError;
use crate::friction::block_matrix::Entry;

/// A matrix by its entries; entries of one place add up.
#[derive(Debug, Clone, Default)]
pub(super) struct Triplets {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) entries: Vec<Entry>,
}

/// The arrays of a sparse matrix in `CSparse`'s form.
#[derive(Debug, Clone, Default)]
pub(super) struct CsparseArrays {
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Number of triplets; −1 for compressed columns, −2 for compressed rows.
    pub(super) kind: i64,
    pub(super) p: Vec<i64>,
    pub(super) i: Vec<i64>,
    pub(super) x: Vec<f64>,
}

impl Triplets {
    /// The entries of a matrix, all indices checked.
    pub(super) fn from_csparse(what: &str, arrays: &CsparseArrays) -> Result<Self, FclibError> {
        let CsparseArrays { rows, columns, kind, p, i, x } = arrays;
        let malformed = |reason: String| FclibError::Malformed { what: what.to_owned(), reason };
        let index = |value: i64, limit: usize| match usize::try_from(value) {
            Ok(found) if found < limit => Ok(found),
            _ => Err(malformed(format!("index {value} of {limit}"))),
        };
        if let Some(value) = x.iter().find(|value| !value.is_finite()) {
            return Err(malformed(format!("an entry is {value}")));
        }
        let mut entries = Vec::with_capacity(x.len());
        match *kind {
            -1 | -2 => {
                let (lines, limit) = if *kind == -1 { (*columns, *rows) } else { (*rows, *columns) };
                if p.len() < lines + 1 {
                    return Err(malformed(format!("{} starts of {lines} lines", p.len())));
                }
                for line in 0..lines {
                    let found = usize::try_from(p[line]).ok().zip(usize::try_from(p[line + 1]).ok());
                    let range = found.filter(|(a, b)| a <= b && *b <= x.len() && *b <= i.len());
                    let (first, end) = range.ok_or_else(|| malformed(format!("start of line {line}")))?;
                    for k in first..end {
                        let other = index(i[k], limit)?;
                        let (row, column) = if *kind == -1 { (other, line) } else { (line, other) };
                        entries.push(Entry { row, column, value: x[k] });
                    }
                }
            }
            count => {
                let found = usize::try_from(count)
                    .ok()
                    .filter(|&count| count <= p.len() && count <= i.len() && count <= x.len());
                let count = found.ok_or_else(|| malformed(format!("{count} triplets")))?;
                for k in 0..count {
                    entries.push(Entry { row: index(i[k], *rows)?, column: index(p[k], *columns)?, value: x[k] });
                }
            }
        }
        Ok(Self { rows: *rows, columns: *columns, entries })
    }

    /// y = Aᵀ x.
    pub(super) fn transposed_times(&self, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.columns];
        self.entries.iter().for_each(|entry| y[entry.column] += entry.value * x[entry.row]);
        y
    }
}
