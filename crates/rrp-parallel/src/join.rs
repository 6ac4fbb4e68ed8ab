//! Two closures at once, and threads that stay awake: all calls of rayon.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A thread without work looks for some for so long before it sleeps. To wake it up takes longer than many a loop.
const LOOKS: Duration = Duration::from_micros(200);

/// Runs both closures, on two threads if there are several, and returns what they return.
pub fn join<A: Send, B: Send>(lower: impl FnOnce() -> A + Send, upper: impl FnOnce() -> B + Send) -> (A, B) {
    let (mut lower, mut upper) = (Some(lower), Some(upper));
    let (mut lower_result, mut upper_result) = (None, None);
    run_both(&mut || lower_result = lower.take().map(|lower| lower()), &mut || {
        upper_result = upper.take().map(|upper| upper())
    });
    // `run_both` returns after both have run; a panic in one unwinds past this line.
    (lower_result.expect("the first closure has run"), upper_result.expect("the second closure has run"))
}

/// As [`join`] for trait objects, so that rayon is compiled for them alone.
fn run_both(lower: &mut (dyn FnMut() + Send), upper: &mut (dyn FnMut() + Send)) {
    #[cfg(feature = "rayon")]
    rayon::join(lower, upper);
    #[cfg(not(feature = "rayon"))]
    {
        lower();
        upper();
    }
}

/// Runs `work` while the other threads of the pool stay awake. Its loops then begin at once on all of them.
pub(crate) fn awake<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let (mut work, mut result, is_over) = (Some(work), None, AtomicBool::new(false));
    beside_others(threads() - 1, &is_over, &mut || result = work.take().map(|work| work()));
    // A panic in `work` unwinds past this line.
    result.expect("the closure has run")
}

/// Runs `work` while so many other threads look for what it hands over.
fn beside_others(count: usize, is_over: &AtomicBool, work: &mut (dyn FnMut() + Send)) {
    if count > 0 {
        return run_both(&mut || beside_others(count - 1, is_over, work), &mut || look_for_work(is_over));
    }
    work();
    is_over.store(true, Ordering::Release);
}

/// Does what is handed over until all is over. It gives up where there is nothing for a while: a thread that waits for
/// others may have come here, and is waited for itself.
fn look_for_work(is_over: &AtomicBool) {
    let mut last = Instant::now();
    while !is_over.load(Ordering::Acquire) && last.elapsed() < LOOKS {
        if do_work() {
            last = Instant::now();
        } else {
            // Other programs may need the processor.
            thread::yield_now();
        }
    }
}

/// Does one thing that another thread has handed over. False if there is none.
fn do_work() -> bool {
    #[cfg(feature = "rayon")]
    return rayon::yield_now() == Some(rayon::Yield::Executed);
    #[cfg(not(feature = "rayon"))]
    false
}

/// Whether the caller is a thread of the pool. Another one hands each loop over and waits.
#[must_use]
pub fn is_in_pool() -> bool {
    #[cfg(feature = "rayon")]
    return rayon::current_thread_index().is_some();
    #[cfg(not(feature = "rayon"))]
    false
}

/// Number of threads that loops run on.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}
