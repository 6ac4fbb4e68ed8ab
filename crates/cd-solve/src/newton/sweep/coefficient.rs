//! The precision that couplings are kept in.

/// A number that couplings are kept as: `f32` or `f64`. All sums are in double.
///
/// Rows of contacts between 1e-30 and 1e30 fit single precision, whatever the weights.
pub(crate) trait Coefficient: Copy + Default + Send + Sync + std::fmt::Debug + Into<f64> {
    /// The nearest number of this precision.
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
