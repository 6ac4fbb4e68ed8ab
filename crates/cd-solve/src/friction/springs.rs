use crate::error::{FrictionError, SolveError, check_positive, check_stiffness};

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
    /// Checks that stiffnesses and ratio are finite and positive, and that contacts with local forces of `block`
    /// components resist only sliding.
    pub(super) fn check(&self, block: usize, contacts: usize) -> Result<(), SolveError> {
        if block != 3 {
            return Err(FrictionError::InvalidBlock { found: block }.into());
        }
        check_stiffness(self.stiffness, contacts)?;
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
