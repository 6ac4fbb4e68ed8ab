use crate::error::{ContactError, SolveError, check_length};
use crate::friction::problem::FrictionProblem;

/// Springs at the contacts: normal stiffnesses, and the ratio κ of tangential to normal stiffness. Only ratios of
/// stiffnesses matter, since the caller gives a compliance that multiplies the compliances of all springs.
#[derive(Debug, Clone, Copy)]
pub struct Springs<'a> {
    /// Stiffness of the spring of each contact along its normal.
    pub stiffness: &'a [f64],
    /// Ratio κ of the tangential stiffness to the normal stiffness of each contact.
    pub tangential_ratio: f64,
}

impl Springs<'_> {
    /// Checks that stiffnesses and ratio are finite and positive, and that the contacts of `problem` resist only
    /// sliding.
    pub(super) fn check(&self, problem: &FrictionProblem<'_>) -> Result<(), SolveError> {
        if problem.block() != 3 {
            return Err(crate::error::FrictionError::InvalidBlock { found: problem.block() }.into());
        }
        check_length("stiffnesses", self.stiffness, problem.contacts())?;
        if let Some(contact) = self.stiffness.iter().position(|k| !(k.is_finite() && *k > 0.0)) {
            return Err(ContactError::InvalidStiffness { contact, value: self.stiffness[contact] }.into());
        }
        check_positive("the ratio of tangential to normal stiffness", self.tangential_ratio)
    }

    /// Writes the compliance of each component of each contact, `factor` over its stiffness, to `out`.
    pub(super) fn write_compliances(&self, factor: f64, out: &mut [f64]) {
        for (out, k) in out.as_chunks_mut::<3>().0.iter_mut().zip(self.stiffness) {
            let tangential = factor / (self.tangential_ratio * k);
            *out = [factor / k, tangential, tangential];
        }
    }
}

pub(super) fn check_positive(what: &'static str, value: f64) -> Result<(), SolveError> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(SolveError::InvalidParameter { what, value, expected: "finite and positive" })
}
