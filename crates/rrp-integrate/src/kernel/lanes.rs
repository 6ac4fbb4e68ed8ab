use pulp::{Arch, Simd, WithSimd};

/// A formula applied to one vector register of bodies at a time, with `I` input columns and `O` output columns.
pub(crate) trait Lanes<const I: usize, const O: usize>: Copy {
    /// Returns the new values of the output columns from the input columns and the old output columns.
    fn apply<S: Simd>(self, simd: S, input: [S::f64s; I], output: [S::f64s; O]) -> [S::f64s; O];
}

/// Applies the formula `kernel` to all bodies with the widest vector instructions of the machine, chosen at run time;
/// true if every written value is finite. The result of a body does not depend on its place in a register: the last
/// bodies, which only partly fill a register, go through the same instructions.
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

    // `array::map` is not inlined into code compiled for another instruction set.
    #[expect(clippy::needless_range_loop, reason = "one index runs over several arrays, without closures")]
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> bool {
        let zero = simd.splat_f64s(0.0);
        // Zero times a value that is not finite is NaN, so a sum of such products shows at the end whether all values
        // were finite. Each column has its own sum: with a single sum, each addition would wait for the latency of the
        // last.
        let mut poison = [zero; O];
        let groups = if O > 0 { self.output[0].len() / S::F64_LANES } else { 0 };
        let mut input: [(&[S::f64s], &[f64]); I] = [(&[], &[]); I];
        for c in 0..I {
            let (head, tail) = S::as_simd_f64s(self.input[c]);
            input[c] = (&head[..groups], tail);
        }
        let mut heads: [&mut [S::f64s]; O] = std::array::from_fn(|_| Default::default());
        let mut tails: [&mut [f64]; O] = std::array::from_fn(|_| Default::default());
        for (c, column) in self.output.into_iter().enumerate() {
            let (head, tail) = S::as_mut_simd_f64s(column);
            (heads[c], tails[c]) = (&mut head[..groups], tail);
        }
        let mut lanes_in = [zero; I];
        let mut lanes_out = [zero; O];
        for i in 0..groups {
            for c in 0..I {
                lanes_in[c] = input[c].0[i];
            }
            for c in 0..O {
                lanes_out[c] = heads[c][i];
            }
            lanes_out = self.kernel.apply(simd, lanes_in, lanes_out);
            for c in 0..O {
                heads[c][i] = lanes_out[c];
                poison[c] = simd.mul_add_f64s(lanes_out[c], zero, poison[c]);
            }
        }
        let mut finite = poison.into_iter().all(|sum| simd.reduce_sum_f64s(sum).is_finite());
        if O > 0 && !tails[0].is_empty() {
            for c in 0..I {
                lanes_in[c] = simd.partial_load_f64s(input[c].1);
            }
            for c in 0..O {
                lanes_out[c] = simd.partial_load_f64s(tails[c]);
            }
            lanes_out = self.kernel.apply(simd, lanes_in, lanes_out);
            for c in 0..O {
                simd.partial_store_f64s(tails[c], lanes_out[c]);
                // Lanes beyond the last body may hold anything.
                finite &= tails[c].iter().all(|value| value.is_finite());
            }
        }
        finite
    }
}
