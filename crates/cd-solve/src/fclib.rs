//! Friction problems in files: FCLIB's HDF5 files (feature `fclib`), and the text that Siconos writes.
//!
//! FCLIB is the collection of frictional contact problems of Acary, Brémond, Koziara and Pérignon (2014). This folder
//! uses `friction` for problems and `linear` for the mass matrices of global ones.
//!
//! - `triplets`: sparse matrices as files have them; `global`: W and q from masses and contact maps.
//! - `siconos_text` and `hdf5`: the two formats.

#[cfg(feature = "fclib")]
mod global;
#[cfg(feature = "fclib")]
mod hdf5;
mod siconos_text;
#[cfg(feature = "fclib")]
mod triplets;

use crate::error::SolveError;
use crate::friction::{BlockMatrix, FrictionCoefficients, FrictionMatrix, FrictionProblem};

#[cfg(feature = "fclib")]
pub use hdf5::{read_hdf5, write_hdf5};
pub use siconos_text::{read_text, write_text};

/// A friction problem that owns its numbers: u = W r + q.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredProblem {
    /// Title, if the file has one.
    pub title: String,
    /// The matrix W.
    pub matrix: BlockMatrix,
    /// The offset q.
    pub offset: Vec<f64>,
    /// Coefficients of sliding.
    pub sliding: Vec<f64>,
    /// Coefficients of rolling, empty where contacts resist sliding alone.
    pub rolling: Vec<f64>,
}

impl StoredProblem {
    /// The problem, with Coulomb's law.
    ///
    /// # Errors
    /// As [`FrictionProblem::new`].
    pub fn problem(&self) -> Result<FrictionProblem<'_>, SolveError> {
        let coefficients = FrictionCoefficients { sliding: &self.sliding, rolling: &self.rolling, twisting: &[] };
        FrictionProblem::new(FrictionMatrix::Blocks(&self.matrix), &self.offset, coefficients)
    }

    /// A problem with its numbers copied, its matrix assembled.
    ///
    /// # Errors
    /// [`FclibError::Unsupported`] if contacts twist, or as [`ContactMap::to_blocks`](crate::friction::ContactMap).
    pub fn of(title: &str, problem: &FrictionProblem<'_>) -> Result<Self, FclibError> {
        let matrix = match problem.matrix() {
            FrictionMatrix::Map(map) => map.to_blocks()?,
            FrictionMatrix::Blocks(blocks) => blocks.clone(),
        };
        if problem.block() > 5 {
            return Err(FclibError::Unsupported { what: "contacts that twist" });
        }
        let column = |k: usize| problem.coefficients().iter().map(|mu| mu[k]).collect();
        Ok(Self {
            title: title.to_owned(),
            matrix,
            offset: problem.offset().to_vec(),
            sliding: column(0),
            rolling: if problem.block() == 5 { column(1) } else { Vec::new() },
        })
    }
}

/// A file that could not be read or written.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FclibError {
    /// An item that the file lacks.
    #[error("{what} is not there")]
    Missing {
        /// Name of the item.
        what: String,
    },
    /// A number or an array that makes no sense.
    #[error("{what}: {reason}")]
    Malformed {
        /// Name of the item.
        what: String,
        /// Why it makes no sense.
        reason: String,
    },
    /// Content that the reader or the writer does not support.
    #[error("{what}: not supported")]
    Unsupported {
        /// The item.
        what: &'static str,
    },
    /// A mass matrix whose triangles differ.
    #[error(
        "{what} is not symmetric: entry ({row}, {column}) is {value}, but entry ({column}, {row}) is {mirrored}; store \
         equal entries, or one triangle alone, which is mirrored"
    )]
    NotSymmetric {
        /// Name of the matrix.
        what: String,
        /// Row of the entry, counted from 0.
        row: usize,
        /// Column of the entry, counted from 0.
        column: usize,
        /// The entry.
        value: f64,
        /// The entry with row and column exchanged; 0 if the file has none.
        mirrored: f64,
    },
    /// HDF5's own structure is damaged.
    #[error("HDF5: {reason}")]
    Hdf5 {
        /// Report of the reader or writer.
        reason: String,
    },
    /// The numbers make no problem.
    #[error(transparent)]
    Problem(#[from] SolveError),
}

impl From<crate::error::MatrixError> for FclibError {
    fn from(error: crate::error::MatrixError) -> Self {
        Self::Problem(error.into())
    }
}
