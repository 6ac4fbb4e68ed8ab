use faer::MatRef;

use crate::error::{FrictionError, MatrixError, SolveError};

/// The matrix W of a friction problem in dense blocks, one for each pair of contacts that act on each other.
///
/// Diagonal blocks are stored even if they are zero. W need not be symmetric.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockMatrix {
    block: usize,
    /// Index of the first block of each block row, and at the end the number of blocks.
    start: Vec<usize>,
    column: Vec<u32>,
    diagonal: Vec<usize>,
    /// Entries of the stored blocks of W, one block after the other, each row by row.
    values: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) value: f64,
}

impl BlockMatrix {
    /// Makes the blocks of a dense matrix of contacts with `block` components (3, 5 or 6); zero blocks are left out.
    ///
    /// # Errors
    /// [`FrictionError::InvalidBlock`], [`NotSquare`](MatrixError::NotSquare),
    /// [`NotWholeContacts`](FrictionError::NotWholeContacts), [`NotFinite`](SolveError::NotFinite) or
    /// [`TooMany`](SolveError::TooMany).
    pub fn from_dense(block: usize, matrix: MatRef<'_, f64>) -> Result<Self, SolveError> {
        let contacts = count_contacts(block, matrix.nrows(), matrix.ncols())?;
        let mut entries = Vec::new();
        for column in 0..matrix.ncols() {
            for row in 0..matrix.nrows() {
                let value = matrix[(row, column)];
                if !value.is_finite() {
                    let index = column * matrix.nrows() + row;
                    return Err(SolveError::NotFinite { what: "matrix entry", index, value });
                }
                if value.abs() > 0.0 {
                    entries.push(Entry { row, column, value });
                }
            }
        }
        Ok(Self::from_entries(block, contacts, entries))
    }

    /// Makes a block matrix from entries; entries of one row and column are added up in the given order.
    pub(crate) fn from_entries(block: usize, contacts: usize, entries: Vec<Entry>) -> Self {
        let of_entry = |entry: &Entry| (entry.row / block, entry.column / block);
        let mut places: Vec<(usize, usize)> = entries.iter().map(of_entry).collect();
        places.extend((0..contacts).map(|i| (i, i)));
        places.sort_unstable();
        places.dedup();
        let mut matrix = Self {
            block,
            start: vec![0; contacts + 1],
            column: places.iter().map(|place| place.1 as u32).collect(),
            diagonal: Vec::with_capacity(contacts),
            values: vec![0.0; places.len() * block * block],
        };
        for (k, &(i, j)) in places.iter().enumerate() {
            matrix.start[i + 1] = k + 1;
            if i == j {
                matrix.diagonal.push(k);
            }
        }
        for entry in &entries {
            let (i, j) = of_entry(entry);
            let row = matrix.row(i);
            let found = matrix.column[row.clone()].binary_search(&(j as u32));
            let k = row.start + found.unwrap_or_else(|place| place);
            matrix.values[(k * block + entry.row % block) * block + entry.column % block] += entry.value;
        }
        matrix
    }

    /// Number of contacts, each with one block row of the matrix W (velocity per force).
    #[must_use]
    pub fn contacts(&self) -> usize {
        self.diagonal.len()
    }

    /// Number of components of the local force of a contact: the rows and columns of a block.
    #[must_use]
    pub fn block(&self) -> usize {
        self.block
    }

    /// Number of blocks of the matrix W (velocity per force) that are stored.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.column.len()
    }

    pub(crate) fn row(&self, i: usize) -> std::ops::Range<usize> {
        self.start[i]..self.start[i + 1]
    }

    pub(crate) fn column(&self, k: usize) -> usize {
        self.column[k] as usize
    }

    /// Stored blocks as `M` × `M` arrays, block row after block row; `M` is [`block`](Self::block).
    pub(crate) fn values<const M: usize>(&self) -> &[[[f64; M]; M]] {
        self.values.as_chunks::<M>().0.as_chunks::<M>().0
    }

    pub(super) fn diagonal_block<const M: usize>(&self, i: usize) -> &[[f64; M]; M] {
        &self.values::<M>()[self.diagonal[i]]
    }

    /// Computes |W| |r|, the products of absolute values in the local velocities W r of the forces r, for bounds on
    /// rounding errors.
    pub(super) fn sizes_of_velocity(&self, r: &[f64], out: &mut [f64]) {
        let m = self.block;
        for (row, out) in out.iter_mut().enumerate() {
            let term = |k: usize, q: usize| self.values[(k * m + row % m) * m + q] * r[m * self.column(k) + q];
            *out = self.row(row / m).flat_map(|k| (0..m).map(move |q| term(k, q).abs())).sum();
        }
    }

    /// Product of block row `i` of the matrix W with the local vectors `x` (forces, say) of all contacts.
    #[inline(always)]
    pub(super) fn row_times<const M: usize>(&self, i: usize, x: &[[f64; M]]) -> [f64; M] {
        let row = self.row(i);
        let mut sum = [0.0; M];
        for (block, &j) in self.values::<M>()[row.clone()].iter().zip(&self.column[row]) {
            let x = &x[j as usize];
            for p in 0..M {
                for q in 0..M {
                    sum[p] += block[p][q] * x[q];
                }
            }
        }
        sum
    }

    /// Largest difference of an entry of W and its mirror image, relative to the largest entry of W.
    #[must_use]
    pub fn asymmetry(&self) -> f64 {
        let m = self.block;
        let mut largest = 0.0_f64;
        let mut difference = 0.0_f64;
        for i in 0..self.contacts() {
            for k in self.row(i) {
                let j = self.column(k);
                let mirrored = self.column[self.row(j)].binary_search(&(i as u32)).ok();
                let mirrored = mirrored.map(|place| self.row(j).start + place);
                for (p, q) in (0..m).flat_map(|p| (0..m).map(move |q| (p, q))) {
                    let value = self.values[(k * m + p) * m + q];
                    let other = mirrored.map_or(0.0, |k| self.values[(k * m + q) * m + p]);
                    largest = largest.max(value.abs());
                    difference = difference.max((value - other).abs());
                }
            }
        }
        if largest > 0.0 { difference / largest } else { 0.0 }
    }

    /// Nonzero entries of W, with rows and columns.
    #[cfg(feature = "fclib")]
    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        let m = self.block;
        (0..self.contacts()).flat_map(move |i| {
            self.row(i).flat_map(move |k| {
                let j = self.column(k);
                (0..m * m).filter_map(move |e| {
                    let value = self.values[k * m * m + e];
                    (value.abs() > 0.0).then_some(Entry { row: m * i + e / m, column: m * j + e % m, value })
                })
            })
        })
    }
}

/// Checks the shape of a square matrix with `block` rows for each contact, and returns the number of contacts.
fn count_contacts(block: usize, rows: usize, columns: usize) -> Result<usize, SolveError> {
    check_block(block)?;
    if rows != columns {
        return Err(MatrixError::NotSquare { rows, columns }.into());
    }
    if !rows.is_multiple_of(block) {
        return Err(FrictionError::NotWholeContacts { rows, block }.into());
    }
    let found = rows / block;
    let limit = i32::MAX as usize / block;
    if found > limit { Err(SolveError::TooMany { what: "contacts", found, limit }) } else { Ok(found) }
}

/// Checks that the number of components of local forces is 3, 5 or 6.
pub(super) fn check_block(block: usize) -> Result<(), FrictionError> {
    if matches!(block, 3 | 5 | 6) { Ok(()) } else { Err(FrictionError::InvalidBlock { found: block }) }
}
