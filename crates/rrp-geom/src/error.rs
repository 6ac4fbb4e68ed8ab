use thiserror::Error;

/// Reason why a vector, quaternion or matrix is not a rotation.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum GeomError {
    /// A component of a vector, quaternion or matrix is NaN or infinite.
    #[error("a rotation needs finite components, but component {index} is {value}")]
    NotFinite {
        /// Index, in storage order, of the first component of a vector, quaternion or matrix that is not finite.
        index: usize,
        /// Value of the first component that is not finite: NaN or infinite.
        value: f64,
    },
    /// A quaternion's length is further from one than [`Attitude::UNIT_TOLERANCE`](crate::Attitude::UNIT_TOLERANCE).
    #[error("an attitude needs a unit quaternion, but the length is {length}")]
    NotUnit {
        /// Length of the refused quaternion.
        length: f64,
    },
    /// A matrix that should be a rotation is not orthogonal with determinant +1.
    #[error("not a rotation matrix: |R^T R - I| is {defect:.3e} at most, det R is {determinant}")]
    NotRotation {
        /// Largest entry of |RᵀR − I| for the refused matrix R.
        defect: f64,
        /// Determinant of the refused matrix R.
        determinant: f64,
    },
}

pub(crate) fn finite(components: &[f64]) -> Result<(), GeomError> {
    match components.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(index) => Err(GeomError::NotFinite { index, value: components[index] }),
    }
}
