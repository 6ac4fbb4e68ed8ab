//! Errors, in layers: [`SolveError`] for slices and numbers, with [`ContactError`], [`FrictionError`] and
//! [`MatrixError`] below it.
//!
//! An error means that a problem could not be posed or treated, and nothing was changed. Stopping early is no error but
//! a [`Status`](crate::Status).

mod friction;

pub use friction::FrictionError;

/// A problem could not be posed or solved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A slice has another length than the problem.
    #[error("{what}: {found} values where {expected} belong")]
    LengthMismatch {
        /// Content of the slice.
        what: &'static str,
        /// Length that the problem asks for.
        expected: usize,
        /// Length of the slice.
        found: usize,
    },
    /// A value that is NaN or infinite.
    #[error("{what} {index} is {value}")]
    NotFinite {
        /// Kind of value.
        what: &'static str,
        /// Index of the value.
        index: usize,
        /// The value.
        value: f64,
    },
    /// More bodies or contacts than 31 bits can number.
    #[error("{found} {what}, more than {limit}")]
    TooMany {
        /// Kind of item.
        what: &'static str,
        /// Number asked for.
        found: usize,
        /// Largest number.
        limit: usize,
    },
    /// A parameter of a solver or problem outside its range.
    #[error("{what} is {value}, not {expected}")]
    InvalidParameter {
        /// The parameter.
        what: &'static str,
        /// Value of the parameter.
        value: f64,
        /// Condition that it should meet.
        expected: &'static str,
    },
    /// An order of unknowns that names one that does not exist, or one twice.
    #[error("the order names unknown {unknown} twice, or it does not exist")]
    InvalidOrder {
        /// The unknown.
        unknown: usize,
    },
    /// Contacts, bodies or their law that make no problem.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// Frictional contacts that make no problem.
    #[error(transparent)]
    Friction(#[from] FrictionError),
    /// A matrix that a solver cannot treat.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
}

/// A contact, a body or the contact law is wrong.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContactError {
    /// Coordinates per body that no body has.
    #[error("a body has 3 or 6 coordinates, not {found}: fill up with coordinates that no contact moves")]
    InvalidDof {
        /// Coordinates per body asked for.
        found: usize,
    },
    /// A contact names a body that does not exist.
    #[error("contact {contact} names body {body} of {bodies}")]
    IndexOutOfRange {
        /// The contact.
        contact: usize,
        /// The body that it names.
        body: usize,
        /// Number of bodies.
        bodies: usize,
    },
    /// A contact of a body with itself.
    #[error("contact {contact} joins body {body} to itself")]
    SameBody {
        /// The contact.
        contact: usize,
        /// The body.
        body: usize,
    },
    /// A contact that no free body takes part in, by its bodies or by a row of zeros.
    #[error("contact {contact} moves no free body: leave it out")]
    NoFreeBody {
        /// The contact.
        contact: usize,
    },
    /// A stiffness that is not finite and positive.
    #[error("the stiffness of contact {contact} is {value}, not finite and positive")]
    InvalidStiffness {
        /// The contact.
        contact: usize,
        /// Stiffness of the contact.
        value: f64,
    },
    /// An exponent outside the range for which forces are unique and the energy smooth.
    #[error("the exponent of the contact energy is {value}, not within 2 and 3")]
    InvalidExponent {
        /// The exponent.
        value: f64,
    },
    /// A mass matrix, or its inverse, that is not positive definite at a body.
    #[error("the mass of body {body} is not finite, symmetric and positive definite")]
    InvalidMass {
        /// The body.
        body: usize,
    },
}

/// A matrix is wrong, or has no factor.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// A matrix that is not square.
    #[error("a matrix of {rows} rows and {columns} columns is not square")]
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// A matrix that is not symmetric.
    #[error("entries ({row}, {column}) and ({column}, {row}) differ: {upper} and {lower}")]
    NotSymmetric {
        /// Row of the upper entry.
        row: usize,
        /// Its column.
        column: usize,
        /// The upper entry.
        upper: f64,
        /// Column of the upper entry.
        lower: f64,
    },
    /// A negative diagonal entry: the matrix is not positive semidefinite.
    #[error("diagonal entry {index} is {value}: the matrix is not positive semidefinite")]
    NegativeDiagonal {
        /// Row of the entry.
        index: usize,
        /// The entry.
        value: f64,
    },
    /// A solver that works row by row was given an operator that has only products.
    #[error("this solver goes through the matrix row by row, which an operator does not offer")]
    NeedsRows,
    /// The sparse factorisation failed: the matrix is not positive definite, or memory is short.
    #[error("the matrix could not be factorised: {reason}")]
    Factorization {
        /// Report of the factorisation.
        reason: &'static str,
    },
}

/// Passes if `slice` has the length `expected`.
pub(crate) fn check_length<T>(what: &'static str, slice: &[T], expected: usize) -> Result<(), SolveError> {
    let found = slice.len();
    if found == expected { Ok(()) } else { Err(SolveError::LengthMismatch { what, expected, found }) }
}

/// Passes if all values are finite.
pub(crate) fn check_finite(what: &'static str, slice: &[f64]) -> Result<(), SolveError> {
    match slice.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(index) => Err(SolveError::NotFinite { what, index, value: slice[index] }),
    }
}

/// Passes if there are `expected` sizes, all finite and at least zero.
pub(crate) fn check_sizes(what: &'static str, sizes: &[f64], expected: usize) -> Result<(), SolveError> {
    check_length(what, sizes, expected)?;
    check_finite(what, sizes)?;
    match sizes.iter().find(|size| **size < 0.0) {
        Some(&value) => Err(SolveError::InvalidParameter { what, value, expected: "at least zero" }),
        None => Ok(()),
    }
}
