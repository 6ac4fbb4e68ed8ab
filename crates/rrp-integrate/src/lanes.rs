//! Vectorised passes over columns: the widest instructions that the machine has, chosen at run time.

use pulp::{Arch, Simd, WithSimd};

/// What a pass does with one group of bodies: `I` columns in, `O` columns out.
pub(crate) trait Lanes<const I: usize, const O: usize>: Copy {
    /// New values of the output columns from the input columns and the old output.
    fn apply<S: Simd>(self, simd: S, input: [S::f64s; I], output: [S::f64s; O]) -> [S::f64s; O];
}

/// Applies `kernel` to all bodies; true if every value that was written is finite.
///
/// A body's result does not depend on its neighbours or on its place in a group: tails go through the same instructions.
pub(crate) fn apply<const I: usize, const O: usize>(
    kernel: impl Lanes<I, O>,
    input: [&[f64]; I],
    output: [&mut [f64]; O],
) -> bool {
    Arch::new().dispatch(Pass { kernel, input, output })
}

struct Pass<'a, K, const I: usize, const O: usize> {
    kernel: K,
    input: [&'a [f64]; I],
    output: [&'a mut [f64]; O],
}

impl<K: Lanes<I, O>, const I: usize, const O: usize> WithSimd for Pass<'_, K, I, O> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> bool {
        let Self { kernel, input, output } = self;
        let zero = simd.splat_f64s(0.0);
        // NaN as soon as a value that is not finite was multiplied by zero.
        let mut poison = zero;
        let input = input.map(S::as_simd_f64s);
        let mut output = output.map(S::as_mut_simd_f64s);
        let groups = output.first().map_or(0, |(head, _)| head.len());
        {
            // Columns of one known length, so that the loop carries no bounds checks.
            let input = input.map(|(head, _)| &head[..groups]);
            let output = output.each_mut().map(|(head, _)| &mut head[..groups]);
            for i in 0..groups {
                let new = kernel.apply(simd, input.map(|head| head[i]), output.each_ref().map(|head| head[i]));
                for c in 0..O {
                    output[c][i] = new[c];
                    poison = simd.mul_add_f64s(new[c], zero, poison);
                }
            }
        }
        if output.first().is_some_and(|(_, tail)| !tail.is_empty()) {
            let old = output.each_ref().map(|(_, tail)| simd.partial_load_f64s(tail));
            let new = kernel.apply(simd, input.map(|(_, tail)| simd.partial_load_f64s(tail)), old);
            for c in 0..O {
                simd.partial_store_f64s(output[c].1, new[c]);
            }
            // Lanes beyond the last body hold no body and may hold anything.
            return simd.reduce_sum_f64s(poison).is_finite()
                && output.iter().all(|(_, tail)| tail.iter().all(|value| value.is_finite()));
        }
        simd.reduce_sum_f64s(poison).is_finite()
    }
}
