//! Loops compiled for the vector instructions of the machine.

use pulp::{Arch, Simd, WithSimd};

/// Runs a loop with the vector instructions of `arch`.
///
/// `Arch::dispatch` takes closures too, but calls them by `FnOnce`. For a closure that only borrows, the compiler then
/// emits a separate function for the instructions of every machine. See docs/decisions/0017.
#[inline(always)]
pub(crate) fn vectorized<R>(arch: Arch, run: impl FnMut() -> R) -> R {
    arch.dispatch(Loop(run))
}

struct Loop<F>(F);

impl<R, F: FnMut() -> R> WithSimd for Loop<F> {
    type Output = R;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) -> R {
        (self.0)()
    }
}
