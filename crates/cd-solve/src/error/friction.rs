/// Reason why frictional contacts, their law or their matrix do not form a valid problem.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FrictionError {
    /// The local vectors of a contact do not have 3 (sliding), 5 (also rolling) or 6 (also twisting) components.
    #[error("a contact has 3, 5 or 6 local components, not {found}")]
    InvalidBlock {
        /// Refused number of components of a contact's local vector, which should be 3, 5 or 6.
        found: usize,
    },
    /// The number of rows of a matrix is not a multiple of the number of components of a contact.
    #[error("{rows} rows are no whole number of contacts of {block} components")]
    NotWholeContacts {
        /// Number of rows of the matrix, which is no multiple of the components of a contact.
        rows: usize,
        /// Number of components of a contact, each with one row of the matrix.
        block: usize,
    },
    /// A coefficient of friction is negative, NaN or infinite.
    #[error("the coefficient of {kind} of contact {contact} is {value}, not finite and at least 0")]
    InvalidCoefficient {
        /// Kind of friction of the refused coefficient: sliding, rolling or twisting.
        kind: &'static str,
        /// Number of the contact with the refused coefficient.
        contact: usize,
        /// Refused value of the coefficient.
        value: f64,
    },
    /// The normal and tangents of a contact are not of unit length, orthogonal and right-handed.
    #[error("contact {contact} has no frame: its axes are not orthonormal and right-handed")]
    NoFrame {
        /// Number of the contact without a valid frame.
        contact: usize,
    },
    /// The normal force of a contact does not move its bodies apart: the diagonal entry of the matrix W is not
    /// positive.
    #[error("the diagonal entry of the normal of contact {contact} is {value}, not positive")]
    Immovable {
        /// Number of the contact whose normal force does not move its bodies apart.
        contact: usize,
        /// Diagonal entry of W (velocity per force) for the normal of the contact.
        value: f64,
    },
    /// The matrix W (velocity per force) is not symmetric, but the solver minimises an energy.
    #[error("entries of W and their mirror images differ by {relative:e} of the largest entry")]
    Asymmetric {
        /// Largest difference between an entry of W and its mirror image, relative to the largest entry.
        relative: f64,
    },
    /// The problem has another friction law than the one that the solver treats.
    #[error("this solver treats {treats}, but the problem has {found}")]
    WrongLaw {
        /// Name of the friction law that the solver treats.
        treats: &'static str,
        /// Name of the friction law that the problem has.
        found: &'static str,
    },
}
