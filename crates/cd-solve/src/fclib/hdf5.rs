//! FCLIB's HDF5 files.
//!
//! A file has one of the groups `fclib_local` (W, q) and `fclib_global` (M, H, f, w), possibly with the suffix
//! `_rolling`. Matrices are groups with the arrays of `CSparse`; vectors are in the group `vectors`.

use std::path::Path;

use hdf5_pure::{File, FileBuilder};

use crate::error::SolveError;
use crate::fclib::global::GlobalProblem;
use crate::fclib::triplets::{CsparseArrays, Triplets};
use crate::fclib::{FclibError, StoredProblem};
use crate::friction::block_matrix::BlockMatrix;

impl From<hdf5_pure::Error> for FclibError {
    fn from(error: hdf5_pure::Error) -> Self {
        Self::Hdf5 { reason: error.to_string() }
    }
}

/// Reads a friction problem u = W r + q from an HDF5 file of FCLIB; the bodies of a global problem are eliminated.
///
/// Some files store one triangle of M, which is mirrored. W of a local problem is used as stored.
///
/// # Errors
/// [`FclibError`]: [`NotSymmetric`](FclibError::NotSymmetric) for masses; equality constraints and contacts in the
/// plane are [`Unsupported`](FclibError::Unsupported).
pub fn read_hdf5(path: &Path) -> Result<StoredProblem, FclibError> {
    let unopened = |error| FclibError::Hdf5 { reason: format!("{}: {error}", path.display()) };
    let file = Group { file: File::open(path).map_err(unopened)?, root: String::new() };
    let groups = file.file.root().groups()?;
    let kind = ["fclib_local", "fclib_local_rolling", "fclib_global", "fclib_global_rolling"]
        .into_iter()
        .find(|kind| groups.iter().any(|group| group == kind))
        .ok_or_else(|| FclibError::Missing { what: "a problem of FCLIB".to_owned() })?;
    let group = Group { root: format!("/{kind}"), ..file };
    let block = match (group.integer("spacedim")?, kind.ends_with("rolling")) {
        (3, false) => 3,
        (3 | 5, true) => 5,
        _ => return Err(FclibError::Unsupported { what: "contacts that are not in space" }),
    };
    let (matrix, offset) = if kind.starts_with("fclib_local") {
        let w = group.matrix("W")?;
        if w.rows != w.columns {
            return Err(crate::error::MatrixError::NotSquare { rows: w.rows, columns: w.columns }.into());
        }
        if !w.rows.is_multiple_of(block) {
            let error = crate::error::FrictionError::NotWholeContacts { rows: w.rows, block };
            return Err(SolveError::from(error).into());
        }
        (BlockMatrix::from_entries(block, w.rows / block, w.entries), group.vector("q")?)
    } else {
        let global = GlobalProblem {
            mass: group.matrix("M")?,
            transposed_map: group.matrix("H")?,
            load: group.vector("f")?,
            offset: group.vector("w")?,
        };
        global.reduce(block)?
    };
    let subgroups = group.file.group(&group.root)?.groups()?;
    if ["G", "V", "R"].iter().any(|name| subgroups.iter().any(|found| found == name)) {
        return Err(FclibError::Unsupported { what: "equality constraints" });
    }
    let rolling = if block == 5 { group.vector("mu_r")? } else { Vec::new() };
    let title = group.text("info/title").unwrap_or_default();
    Ok(StoredProblem { title, matrix, offset, sliding: group.vector("mu")?, rolling })
}

/// Writes a friction problem u = W r + q to an HDF5 file of FCLIB: W by compressed rows, q and coefficients μ.
///
/// # Errors
/// [`FclibError::Hdf5`].
pub fn write_hdf5(path: &Path, problem: &StoredProblem) -> Result<(), FclibError> {
    let mut file = FileBuilder::new();
    let kind = if problem.matrix.block() == 5 { "fclib_local_rolling" } else { "fclib_local" };
    let mut group = file.create_group(kind);
    let one = |value: usize| [i32::try_from(value).unwrap_or(i32::MAX)];
    group.create_dataset("spacedim").with_i32_data(&one(problem.matrix.block()));
    let rows = problem.offset.len();
    let mut p = vec![0_i32; rows + 1];
    let mut i = Vec::new();
    let mut x = Vec::new();
    let mut entries: Vec<_> = problem.matrix.entries().collect();
    entries.sort_by_key(|entry| (entry.row, entry.column));
    for entry in &entries {
        p[entry.row + 1] += 1;
        i.push(one(entry.column)[0]);
        x.push(entry.value);
    }
    (0..rows).for_each(|row| p[row + 1] += p[row]);
    let mut matrix = group.create_group("W");
    for (name, value) in [("m", one(rows)), ("n", one(rows)), ("nzmax", one(x.len())), ("nz", [-2])] {
        matrix.create_dataset(name).with_i32_data(&value);
    }
    matrix.create_dataset("p").with_i32_data(&p);
    matrix.create_dataset("i").with_i32_data(&i);
    matrix.create_dataset("x").with_f64_data(&x);
    group.add_group(matrix.finish());
    let mut vectors = group.create_group("vectors");
    vectors.create_dataset("q").with_f64_data(&problem.offset);
    vectors.create_dataset("mu").with_f64_data(&problem.sliding);
    if problem.matrix.block() == 5 {
        vectors.create_dataset("mu_r").with_f64_data(&problem.rolling);
    }
    group.add_group(vectors.finish());
    file.add_group(group.finish());
    Ok(file.write(path)?)
}

struct Group {
    file: File,
    root: String,
}

impl Group {
    fn dataset(&self, name: &str) -> Result<hdf5_pure::Dataset, FclibError> {
        let what = format!("{}/{name}", self.root);
        self.file.dataset(&what).map_err(|_| FclibError::Missing { what })
    }

    fn integers(&self, name: &str) -> Result<Vec<i64>, FclibError> {
        Ok(self.dataset(name)?.read_i64()?)
    }

    fn integer(&self, name: &str) -> Result<i64, FclibError> {
        let values = self.integers(name)?;
        values.first().copied().ok_or_else(|| FclibError::Missing { what: name.to_owned() })
    }

    fn count(&self, name: &str) -> Result<usize, FclibError> {
        let value = self.integer(name)?;
        let malformed = || FclibError::Malformed { what: name.to_owned(), reason: format!("{value}") };
        usize::try_from(value).ok().filter(|&count| count <= i32::MAX as usize).ok_or_else(malformed)
    }

    fn text(&self, name: &str) -> Option<String> {
        self.dataset(name).ok()?.read_string().ok()?.first().cloned()
    }

    fn vector(&self, name: &str) -> Result<Vec<f64>, FclibError> {
        Ok(self.dataset(&format!("vectors/{name}"))?.read_f64()?)
    }

    fn matrix(&self, name: &str) -> Result<Triplets, FclibError> {
        let arrays = CsparseArrays {
            rows: self.count(&format!("{name}/m"))?,
            columns: self.count(&format!("{name}/n"))?,
            kind: self.integer(&format!("{name}/nz"))?,
            p: self.integers(&format!("{name}/p"))?,
            i: self.integers(&format!("{name}/i"))?,
            x: self.dataset(&format!("{name}/x"))?.read_f64()?,
        };
        Triplets::from_csparse(name, &arrays)
    }
}
