//! Where centres are seen from in single precision.

/// An origin among the bodies that are looked at, and a unit in which their cutoffs are one at most.
///
/// Twice as many numbers of single precision fit into a register. They decide on all pairs but those whose distance is within
/// [`uncertainty`](Self::uncertainty) of the cutoff.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct F32Frame {
    origin: [f64; 3],
    scale: f64,
}

impl F32Frame {
    /// The frame around `origin` for pairs with this cutoff and smaller ones.
    #[inline(always)]
    pub(crate) fn new(origin: [f64; 3], cutoff: f64) -> Self {
        Self { origin, scale: cutoff.recip() }
    }

    /// A centre (m) as it is seen.
    #[inline(always)]
    pub(crate) fn center(&self, center: [f64; 3]) -> [f32; 3] {
        std::array::from_fn(|c| ((center[c] - self.origin[c]) * self.scale) as f32)
    }

    /// A length (m) in this unit.
    #[inline(always)]
    pub(crate) fn length(&self, length: f64) -> f32 {
        (length * self.scale) as f32
    }

    /// By how much the square of a distance from `center` and that of a cutoff may be wrong together, in this unit, where the
    /// two are about the same and the cutoff is one at most.
    ///
    /// With u = 2⁻²⁴ a component of a distance is wrong by 2 u (M + 1) where M is the largest one of the centre, which makes
    /// 4 √3 u (M + 1) of the square; sums, products and what the cutoff is rounded to add 10 u. This is twice as much, for
    /// terms of higher order, which are small where it is less than a tenth.
    #[inline(always)]
    pub(crate) fn uncertainty(center: [f32; 3]) -> f32 {
        let [x, y, z] = center.map(f32::abs);
        // A sum, which is not a number if one of them is not.
        8.0 * f32::EPSILON * (x + y + z + 3.0)
    }
}
