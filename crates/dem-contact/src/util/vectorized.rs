//! Loops that are compiled for the vector instructions of this machine.

use pulp::{Arch, Simd, WithSimd};

/// Runs a loop with the vector instructions of `arch`.
///
/// `Arch::dispatch` takes closures too, but calls them by `FnOnce`. For closures that only borrow, this leaves a
/// separate function that is compiled for the instructions of every machine. See docs/decisions/0017.
#[inline(always)]
pub(crate) fn vectorized<R>(arch: Arch, run: impl FnMut() -> R) -> R {
    arch.dispatch(Loop(run))
}

/// Loop over borrowed data that is compiled for the vector instructions of this machine.
struct Loop<F>(F);

impl<R, F: FnMut() -> R> WithSimd for Loop<F> {
    type Output = R;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) -> R {
        (self.0)()
    }
}
