//! Two closures at once. All calls of rayon are in this file.

/// Runs both closures, on two threads if the pool has several, and returns their results.
pub fn join<A: Send, B: Send>(lower: impl FnOnce() -> A + Send, upper: impl FnOnce() -> B + Send) -> (A, B) {
    let mut lower = Some(lower);
    let mut upper = Some(upper);
    let mut lower_result = None;
    let mut upper_result = None;
    run_both(&mut || lower_result = lower.take().map(|lower| lower()), &mut || {
        upper_result = upper.take().map(|upper| upper())
    });
    // `run_both` returns after both closures have run; a panic in one of them unwinds past this line.
    (lower_result.expect("the first closure has run"), upper_result.expect("the second closure has run"))
}

/// Runs both trait objects like [`join`], so that rayon is compiled once, not for each pair of closures.
fn run_both(lower: &mut (dyn FnMut() + Send), upper: &mut (dyn FnMut() + Send)) {
    #[cfg(feature = "rayon")]
    rayon::join(lower, upper);
    #[cfg(not(feature = "rayon"))]
    {
        lower();
        upper();
    }
}

/// Whether the caller is a thread of rayon's pool. Other threads hand each parallel loop over to the pool and wait.
#[must_use]
pub fn is_in_pool() -> bool {
    #[cfg(feature = "rayon")]
    return rayon::current_thread_index().is_some();
    #[cfg(not(feature = "rayon"))]
    false
}

/// Number of threads that parallel loops run on; one without the feature `rayon`.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}
