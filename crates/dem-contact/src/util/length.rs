//! The check of the length of a column.

use crate::error::DemError;

/// Passes if a column has the length `expected`, else fails with `what`, the name of the column.
pub(crate) fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), DemError> {
    if expected == found { Ok(()) } else { Err(DemError::LengthMismatch { what, expected, found }) }
}
