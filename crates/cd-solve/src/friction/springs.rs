//! Springs at contacts, which select among the forces that the rigid problem leaves open.

use crate::error::{ContactError, SolveError, check_length};
use crate::friction::problem::FrictionProblem;

/// Springs at the contacts: the stiffness of each along its normal, and the ratio κ of its tangential to its normal
/// stiffness. Only ratios of stiffnesses count, times a compliance that the user gives.
#[derive(Debug, Clone, Copy)]
pub struct Springs<'a> {
    /// Stiffness of the spring of each contact along its normal.
    pub stiffness: &'a [f64],
    /// Ratio κ of the tangential stiffness to the normal stiffness of each contact.
    pub tangential_ratio: f64,
}

impl Springs<'_> {
    /// Passes if stiffnesses and ratio are finite and positive, and the contacts of `problem` resist sliding alone.
    pub(crate) fn check(&self, problem: &FrictionProblem<'_>) -> Result<(), SolveError> {
        if problem.block() != 3 {
            return Err(crate::error::FrictionError::InvalidBlock { found: problem.block() }.into());
        }
        check_length("stiffnesses", self.stiffness, problem.contacts())?;
        if let Some(contact) = self.stiffness.iter().position(|k| !(k.is_finite() && *k > 0.0)) {
            return Err(ContactError::InvalidStiffness { contact, value: self.stiffness[contact] }.into());
        }
        check_positive("the ratio of tangential to normal stiffness", self.tangential_ratio)
    }

    /// Writes the compliance of the spring of each component of each contact, `factor` over its stiffness, to `out`.
    pub(crate) fn write_compliances(&self, factor: f64, out: &mut [f64]) {
        for (out, k) in out.as_chunks_mut::<3>().0.iter_mut().zip(self.stiffness) {
            let tangential = factor / (self.tangential_ratio * k);
            *out = [factor / k, tangential, tangential];
        }
    }
}

/// Passes if `value` is finite and positive; the error calls it `what`.
pub(crate) fn check_positive(what: &'static str, value: f64) -> Result<(), SolveError> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(SolveError::InvalidParameter { what, value, expected: "finite and positive" })
}
