//! A parallel loop over tiles.

#[cfg(feature = "rayon")]
use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefMutIterator as _, ParallelIterator as _};

/// Runs `work` on each item with its index, on all threads.
pub(crate) fn for_each_tile<I: Send>(items: &mut [I], work: &(dyn Fn(usize, &mut I) + Sync)) {
    #[cfg(feature = "rayon")]
    if items.len() > 1 && are_several_threads() {
        items.par_iter_mut().enumerate().for_each(|(index, item)| work(index, item));
        return;
    }
    items.iter_mut().enumerate().for_each(|(index, item)| work(index, item));
}

/// Whether loops have more than one thread.
pub(crate) fn are_several_threads() -> bool {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads() > 1;
    #[cfg(not(feature = "rayon"))]
    false
}
