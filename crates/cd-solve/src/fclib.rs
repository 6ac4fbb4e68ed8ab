//! Friction problems in files: FCLIB's HDF5 files (feature `fclib`), and the text format of Siconos.
//!
//! FCLIB is the collection of frictional contact problems of Acary, Brémond, Koziara and Pérignon (2014). This folder
//! uses `friction` for problems and `linear` for the mass matrices of global problems.
//!
//! - `triplets`: sparse matrices as stored in files; `global`: W and q from masses and contact maps.
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

/// A friction problem u = W r + q (velocities u and forces r at contacts) as files store it, with its own numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredProblem {
    /// Title of the friction problem, empty if the file has none.
    pub title: String,
    /// Matrix W (velocity per force) of the friction problem u = W r + q.
    pub matrix: BlockMatrix,
    /// Offset q: local velocities, in the frames of the contacts, without contact forces.
    pub offset: Vec<f64>,
    /// Coefficient of sliding friction of each contact.
    pub sliding: Vec<f64>,
    /// Coefficient of rolling friction of each contact, a length; empty if contacts resist only sliding.
    pub rolling: Vec<f64>,
}

impl StoredProblem {
    /// Poses the stored problem with Coulomb's law.
    ///
    /// # Errors
    /// As [`FrictionProblem::new`].
    pub fn problem(&self) -> Result<FrictionProblem<'_>, SolveError> {
        let coefficients = FrictionCoefficients { sliding: &self.sliding, rolling: &self.rolling, twisting: &[] };
        FrictionProblem::new(FrictionMatrix::Blocks(&self.matrix), &self.offset, coefficients)
    }

    /// Makes a stored problem from a copy of `problem`, and assembles the matrix W.
    ///
    /// # Errors
    /// [`FclibError::Unsupported`] if contacts resist twisting, or as
    /// [`ContactMap::to_blocks`](crate::friction::ContactMap).
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

/// Reason why a file with a friction problem could not be read or written.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FclibError {
    /// The file lacks an item of the friction problem.
    #[error("{what} is not there")]
    Missing {
        /// Name of the item that the file with a friction problem lacks.
        what: String,
    },
    /// A number or an array in the file with a friction problem makes no sense.
    #[error("{what}: {reason}")]
    Malformed {
        /// Name of the number or array in the file that makes no sense.
        what: String,
        /// Reason why the number or array is invalid.
        reason: String,
    },
    /// The content of a file or problem is not supported by the reader or the writer.
    #[error("{what}: not supported")]
    Unsupported {
        /// Description of the content that the reader or the writer does not support.
        what: &'static str,
    },
    /// The two triangles of a mass matrix in the file differ.
    #[error(
        "{what} is not symmetric: entry ({row}, {column}) is {value}, but entry ({column}, {row}) is {mirrored}; store \
         equal entries, or one triangle alone, which is mirrored"
    )]
    NotSymmetric {
        /// Name of the mass matrix that is not symmetric.
        what: String,
        /// Row of an entry that differs from its mirror image, counted from 0.
        row: usize,
        /// Column, counted from 0, of the entry that differs from its mirror image.
        column: usize,
        /// Value of the entry of the mass matrix that differs from its mirror image.
        value: f64,
        /// Value of the mirror image, with row and column exchanged; 0 if the file has none.
        mirrored: f64,
    },
    /// An HDF5 file cannot be opened or written, or its structure is damaged.
    #[error("HDF5: {reason}")]
    Hdf5 {
        /// Message of the HDF5 reader or writer.
        reason: String,
    },
    /// The numbers in the file do not form a valid friction problem.
    #[error(transparent)]
    Problem(#[from] SolveError),
}

impl From<crate::error::MatrixError> for FclibError {
    fn from(error: crate::error::MatrixError) -> Self {
        Self::Problem(error.into())
    }
}
