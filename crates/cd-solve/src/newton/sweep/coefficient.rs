/// Precision, `f32` or `f64`, of the stored couplings (off-diagonal blocks) of the Hessian. Sums are in `f64`. Entries
/// of the contact Jacobian between 1e-30 and 1e30 stay in the range of `f32`, whatever the stiffnesses are.
pub(super) trait Coefficient: Copy + Default + Send + Sync + std::fmt::Debug + Into<f64> {
    /// Returns the number of this precision, `f32` or `f64`, that is nearest to `number`.
    fn nearest(number: f64) -> Self;
}

impl Coefficient for f32 {
    #[inline(always)]
    fn nearest(number: f64) -> Self {
        number as Self
    }
}

impl Coefficient for f64 {
    #[inline(always)]
    fn nearest(number: f64) -> Self {
        number
    }
}
