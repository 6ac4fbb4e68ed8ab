//! A frame for centres in single precision.

/// An origin among the bodies that are compared, and a unit of length in which no cutoff is above one.
///
/// A register holds twice as many numbers of single precision. They decide on all pairs except those whose squared
/// distance is within the [`uncertainty`](Self::uncertainty) of the squared cutoff.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct F32Frame {
    origin: [f64; 3],
    scale: f64,
}

impl F32Frame {
    /// The frame around `origin` (m) for pairs with cutoffs up to this one (m).
    #[inline(always)]
    pub(crate) fn new(origin: [f64; 3], cutoff: f64) -> Self {
        Self { origin, scale: cutoff.recip() }
    }

    /// A centre (m) in this frame.
    #[inline(always)]
    pub(crate) fn center(&self, center: [f64; 3]) -> [f32; 3] {
        std::array::from_fn(|c| ((center[c] - self.origin[c]) * self.scale) as f32)
    }

    /// The image of a centre (m) by a shift (m) in this frame.
    #[inline(always)]
    pub(crate) fn image(&self, center: [f64; 3], shift: [f64; 3]) -> [f32; 3] {
        std::array::from_fn(|c| (((center[c] - self.origin[c]) + shift[c]) * self.scale) as f32)
    }

    /// A length (m) in this unit.
    #[inline(always)]
    pub(crate) fn length(&self, length: f64) -> f32 {
        (length * self.scale) as f32
    }

    /// Bound, in this unit, on the error of a squared distance from `center` minus a squared cutoff, where the two are
    /// nearly equal and the cutoff is at most one.
    ///
    /// Let u = 2⁻²⁴ and M the largest component of the centre. A component of a distance is wrong by 2 u (M + 1), and
    /// the square by 4 √3 u (M + 1). Sums, products and the rounding of the cutoff add 10 u. The bound is twice the
    /// sum, for terms of higher order; these are small as long as the bound is below a tenth.
    #[inline(always)]
    pub(crate) fn uncertainty(center: [f32; 3]) -> f32 {
        let [x, y, z] = center.map(f32::abs);
        // A sum is NaN if a component is; a maximum might not be.
        8.0 * f32::EPSILON * (x + y + z + 3.0)
    }
}
