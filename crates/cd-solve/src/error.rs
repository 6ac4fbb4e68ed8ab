//! Errors: [`SolveError`] for slices and numbers, which wraps [`ContactError`], [`FrictionError`] and [`MatrixError`].
//!
//! An error means that a problem could not be posed or treated; nothing was changed. Stopping early is not an error but
//! a [`Status`](crate::Status).

mod friction;

pub use friction::FrictionError;

/// Reason why a problem could not be posed or solved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A slice does not have the length that the problem needs.
    #[error("{what}: {found} values where {expected} belong")]
    LengthMismatch {
        /// Name of the values in the slice of wrong length.
        what: &'static str,
        /// Length of the slice that the problem asks for.
        expected: usize,
        /// Length of the slice that the caller gave.
        found: usize,
    },
    /// A value of a slice is NaN or infinite.
    #[error("{what} {index} is {value}")]
    NotFinite {
        /// Name of the quantity that is not finite.
        what: &'static str,
        /// Index, in the slice that was given, of the value that is not finite.
        index: usize,
        /// The value that is NaN or infinite.
        value: f64,
    },
    /// There are more bodies, contacts or other items than can be numbered.
    #[error("{found} {what}, more than {limit}")]
    TooMany {
        /// Name of the items: bodies, contacts or others.
        what: &'static str,
        /// Number of the bodies, contacts or other items in the problem, above the limit.
        found: usize,
        /// Largest number of bodies, contacts or other items that can be numbered.
        limit: usize,
    },
    /// A parameter of a solver or problem is outside its range.
    #[error("{what} is {value}, not {expected}")]
    InvalidParameter {
        /// Name of the parameter that is outside its range.
        what: &'static str,
        /// Refused value of the parameter of a solver or problem.
        value: f64,
        /// Condition that the refused parameter of a solver or problem should meet.
        expected: &'static str,
    },
    /// An order in which to visit the unknowns names an unknown twice, or one that does not exist.
    #[error("the order names unknown {unknown} twice, or it does not exist")]
    InvalidOrder {
        /// Number of the unknown that is named twice, or does not exist.
        unknown: usize,
    },
    /// Contacts, bodies or a contact law do not form a valid problem.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// Frictional contacts do not form a valid problem.
    #[error(transparent)]
    Friction(#[from] FrictionError),
    /// A matrix cannot be treated or factorised by a solver.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
}

/// Reason why contacts, bodies or a contact law do not form a valid problem.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContactError {
    /// The number of coordinates per body is not 3 or 6.
    #[error("a body has 3 or 6 coordinates, not {found}: fill up with coordinates that no contact moves")]
    InvalidDof {
        /// Refused number of coordinates per body.
        found: usize,
    },
    /// A contact names a body that does not exist.
    #[error("contact {contact} names body {body} of {bodies}")]
    IndexOutOfRange {
        /// Number of the contact that names a body that does not exist.
        contact: usize,
        /// Number of the body that a contact names, but that does not exist.
        body: usize,
        /// Number of bodies of the problem; body numbers start at 0 and are smaller than it.
        bodies: usize,
    },
    /// A contact joins a body to itself.
    #[error("contact {contact} joins body {body} to itself")]
    SameBody {
        /// Number of the contact that joins a body to itself.
        contact: usize,
        /// Number of the body that is joined to itself.
        body: usize,
    },
    /// A contact moves no free body: its bodies are fixed, or its row of coefficients is zero.
    #[error("contact {contact} moves no free body: leave it out")]
    NoFreeBody {
        /// Number of the contact that moves no free body.
        contact: usize,
    },
    /// The stiffness of a contact is not finite and positive.
    #[error("the stiffness of contact {contact} is {value}, not finite and positive")]
    InvalidStiffness {
        /// Number of the contact whose stiffness is not finite and positive.
        contact: usize,
        /// Stiffness of the contact that is not finite and positive.
        value: f64,
    },
    /// The exponent p of the contact energy k cᵖ/p is outside the range with unique forces and a smooth energy.
    #[error("the exponent of the contact energy is {value}, not within 2 and 3")]
    InvalidExponent {
        /// Refused exponent p of the contact energy k cᵖ/p.
        value: f64,
    },
    /// The mass matrix of a body, or its inverse, is not positive definite.
    #[error("the mass of body {body} is not finite, symmetric and positive definite")]
    InvalidMass {
        /// Number of the body with the refused mass matrix.
        body: usize,
    },
}

/// Reason why a matrix cannot be treated or factorised.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// A matrix is not square.
    #[error("a matrix of {rows} rows and {columns} columns is not square")]
    NotSquare {
        /// Number of rows of the matrix that is not square.
        rows: usize,
        /// Number of columns of the matrix that is not square.
        columns: usize,
    },
    /// A matrix that has to be symmetric is not symmetric.
    #[error("entries ({row}, {column}) and ({column}, {row}) differ: {upper} and {lower}")]
    NotSymmetric {
        /// Row of an entry above the diagonal that differs from its mirror image.
        row: usize,
        /// Column of the entry above the diagonal that differs from its mirror image.
        column: usize,
        /// Value of the entry above the diagonal that should equal its mirror image.
        upper: f64,
        /// Value of entry (j, i) below the diagonal, which differs from entry (i, j), although the matrix should be symmetric.
        lower: f64,
    },
    /// A diagonal entry of a matrix is negative: the matrix is not positive semidefinite.
    #[error("diagonal entry {index} is {value}: the matrix is not positive semidefinite")]
    NegativeDiagonal {
        /// Row of the matrix whose diagonal entry is negative.
        index: usize,
        /// Value of the negative diagonal entry.
        value: f64,
    },
    /// A solver that works row by row was given an operator that only provides products with vectors.
    #[error("this solver goes through the matrix row by row, which an operator does not offer")]
    NeedsRows,
    /// The sparse factorisation failed: the matrix is not positive definite, or memory is short.
    #[error("the matrix could not be factorised: {reason}")]
    Factorization {
        /// Reason why the sparse factorisation failed.
        reason: &'static str,
    },
}

pub(crate) fn check_length<T>(what: &'static str, slice: &[T], expected: usize) -> Result<(), SolveError> {
    let found = slice.len();
    if found == expected { Ok(()) } else { Err(SolveError::LengthMismatch { what, expected, found }) }
}

pub(crate) fn check_finite(what: &'static str, slice: &[f64]) -> Result<(), SolveError> {
    match slice.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(index) => Err(SolveError::NotFinite { what, index, value: slice[index] }),
    }
}

/// Checks that a parameter is finite and positive.
pub(crate) fn check_positive(what: &'static str, value: f64) -> Result<(), SolveError> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(SolveError::InvalidParameter { what, value, expected: "finite and positive" })
}

/// Checks that `stiffness` has a finite, positive number for each of `contacts` contacts.
pub(crate) fn check_stiffness(stiffness: &[f64], contacts: usize) -> Result<(), SolveError> {
    check_length("stiffnesses", stiffness, contacts)?;
    match stiffness.iter().position(|k| !(k.is_finite() && *k > 0.0)) {
        None => Ok(()),
        Some(contact) => Err(ContactError::InvalidStiffness { contact, value: stiffness[contact] }.into()),
    }
}

/// Checks that `sizes`, by which residuals of rows or columns are divided, are `expected` finite, non-negative numbers.
pub(crate) fn check_sizes(what: &'static str, sizes: &[f64], expected: usize) -> Result<(), SolveError> {
    check_length(what, sizes, expected)?;
    check_finite(what, sizes)?;
    match sizes.iter().find(|size| **size < 0.0) {
        Some(&value) => Err(SolveError::InvalidParameter { what, value, expected: "at least zero" }),
        None => Ok(()),
    }
}
