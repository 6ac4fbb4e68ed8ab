//! Errors of friction problems.

/// A frictional contact, its law or its matrix is wrong.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FrictionError {
    /// A local vector that is not of sliding (3), rolling (5) or rolling and twisting (6) contacts.
    #[error("a contact has 3, 5 or 6 local components, not {found}")]
    InvalidBlock {
        /// Components asked for.
        found: usize,
    },
    /// A matrix that is not made of whole contacts.
    #[error("{rows} rows are no whole number of contacts of {block} components")]
    NotWholeContacts {
        /// Rows of the matrix.
        rows: usize,
        /// Components of a contact.
        block: usize,
    },
    /// A coefficient of friction that is negative, NaN or infinite.
    #[error("the coefficient of {kind} of contact {contact} is {value}, not finite and at least 0")]
    InvalidCoefficient {
        /// Sliding, rolling or twisting.
        kind: &'static str,
        /// The contact.
        contact: usize,
        /// The coefficient.
        value: f64,
    },
    /// A contact whose normal and tangents are not of unit length, orthogonal and right-handed.
    #[error("contact {contact} has no frame: its axes are not orthonormal and right-handed")]
    NoFrame {
        /// The contact.
        contact: usize,
    },
    /// A contact that a normal force does not open: the diagonal entry of its normal is not positive.
    #[error("the diagonal entry of the normal of contact {contact} is {value}, not positive")]
    Immovable {
        /// The contact.
        contact: usize,
        /// The entry.
        value: f64,
    },
    /// A matrix that is not symmetric, for a solver that minimises an energy.
    #[error("entries of W and their mirror images differ by {relative:e} of the largest entry")]
    Asymmetric {
        /// The largest difference over the largest entry.
        relative: f64,
    },
    /// A solver of one law was given a problem with the other.
    #[error("this solver treats {treats}, but the problem has {found}")]
    WrongLaw {
        /// Law of the solver.
        treats: &'static str,
        /// Law of the problem.
        found: &'static str,
    },
}
