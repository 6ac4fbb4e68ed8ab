//! The check of the length of a column.

use crate::error::DemError;

/// Fails with the name `what` of a column unless the column has the length `expected`.
pub(crate) fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), DemError> {
    if expected == found { Ok(()) } else { Err(DemError::LengthMismatch { what, expected, found }) }
}
