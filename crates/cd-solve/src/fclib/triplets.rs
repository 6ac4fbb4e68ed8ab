use crate::error::MatrixError;
use crate::fclib::FclibError;
use crate::friction::block_matrix::Entry;

/// A sparse matrix as a list of entries; entries of one row and column add up.
#[derive(Debug, Clone, Default)]
pub(super) struct Triplets {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) entries: Vec<Entry>,
}

/// Arrays of a sparse matrix in a format of the library `CSparse`.
#[derive(Debug, Clone, Default)]
pub(super) struct CsparseArrays {
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Format: −1 for compressed columns, −2 for compressed rows, otherwise the number of triplets.
    pub(super) kind: i64,
    pub(super) p: Vec<i64>,
    pub(super) i: Vec<i64>,
    pub(super) x: Vec<f64>,
}

/// Largest difference of mirrored entries of a mass matrix that counts as symmetric, relative to the larger of the two
/// and to the geometric mean of their diagonal entries. In a public problem of a chute, inertias rotated step by step
/// differ by 2e-3.
const LARGEST_DIFFERENCE: f64 = 1e-2;

/// Sorts entries by row, then column, and adds up entries of one place in the given order.
fn sum_places(mut entries: Vec<Entry>) -> Vec<Entry> {
    entries.sort_by_key(|e| (e.row, e.column));
    entries.dedup_by(|next, sum| {
        let is_same = (next.row, next.column) == (sum.row, sum.column);
        if is_same {
            sum.value += next.value;
        }
        is_same
    });
    entries
}

impl Triplets {
    /// Makes the entries of a matrix from the arrays of `CSparse`, after a check of all indices.
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

    /// Returns the entries of a symmetric matrix, one for each place, sorted by rows. If one triangle is empty, it is
    /// filled with the mirror images of the other; otherwise both triangles are averaged.
    ///
    /// # Errors
    /// [`MatrixError::NotSquare`], or [`FclibError::NotSymmetric`] if both triangles have entries and these differ too
    /// much.
    pub(super) fn symmetric(&self, what: &str) -> Result<Vec<Entry>, FclibError> {
        if self.rows != self.columns {
            return Err(MatrixError::NotSquare { rows: self.rows, columns: self.columns }.into());
        }
        let mut entries = sum_places(self.entries.clone());
        let has = |below: bool| {
            entries.iter().any(|e| e.value.abs() > 0.0 && e.row != e.column && (e.row > e.column) == below)
        };
        if has(true) != has(false) {
            let is_lower = has(true);
            entries.retain(|e| e.row == e.column || (e.row > e.column) == is_lower);
            let mirrored = |e: &Entry| Entry { row: e.column, column: e.row, value: e.value };
            let images: Vec<Entry> = entries.iter().filter(|e| e.row != e.column).map(mirrored).collect();
            entries.extend(images);
            return Ok(sum_places(entries));
        }
        let at = |row: usize, column: usize| {
            let found = entries.binary_search_by_key(&(row, column), |e| (e.row, e.column));
            found.map_or(0.0, |k| entries[k].value)
        };
        for &Entry { row, column, value } in entries.iter().filter(|e| e.row != e.column) {
            let mirrored = at(column, row);
            // Two roots, because the product can underflow or overflow.
            let scale = at(row, row).abs().sqrt() * at(column, column).abs().sqrt();
            if (value - mirrored).abs() > LARGEST_DIFFERENCE * scale.max(value.abs()).max(mirrored.abs()) {
                let what = what.to_owned();
                return Err(FclibError::NotSymmetric { what, row, column, value, mirrored });
            }
        }
        let halves = entries.iter().flat_map(|e| {
            let value = 0.5 * e.value;
            [Entry { value, ..*e }, Entry { row: e.column, column: e.row, value }]
        });
        Ok(sum_places(halves.collect()))
    }

    /// Returns the product y = Aᵀ x for this matrix A.
    pub(super) fn transposed_times(&self, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.columns];
        self.entries.iter().for_each(|entry| y[entry.column] += entry.value * x[entry.row]);
        y
    }
}
