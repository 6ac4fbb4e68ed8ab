//! Parallel loops over tiles.

#[cfg(feature = "rayon")]
use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefMutIterator as _, ParallelIterator as _};

/// Runs `work` on each item with its index, on all threads.
pub(crate) fn for_each_tile<I: Send>(items: &mut [I], work: &(dyn Fn(usize, &mut I) + Sync)) {
    for_each_tile_with(items, &|index, item, (): &mut ()| work(index, item));
}

/// As [`for_each_tile`], with room for the work that one thread hands on from item to item.
pub(crate) fn for_each_tile_with<I: Send, S: Default>(items: &mut [I], work: &(dyn Fn(usize, &mut I, &mut S) + Sync)) {
    #[cfg(feature = "rayon")]
    if items.len() > 1 && are_several_threads() {
        let items = items.par_iter_mut().enumerate();
        items.for_each_init(S::default, |scratch, (index, item)| work(index, item, scratch));
        return;
    }
    let mut scratch = S::default();
    items.iter_mut().enumerate().for_each(|(index, item)| work(index, item, &mut scratch));
}

/// Whether loops have more than one thread.
pub(crate) fn are_several_threads() -> bool {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads() > 1;
    #[cfg(not(feature = "rayon"))]
    false
}
