//! Parallel loops over parts of columns, such as those of tiles: the same parts with any number of threads.

use std::ops::Range;

#[cfg(feature = "rayon")]
use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefMutIterator as _, ParallelIterator as _};

/// Output of a loop that can be cut into parts.
pub(crate) trait Split: Sized + Send {
    /// Cuts the first part off, which has so many bodies.
    fn cut(&mut self, bodies: usize) -> Self;
}

impl Split for () {
    fn cut(&mut self, _: usize) {}
}

/// One entry per body, or none at all.
impl<T: Send> Split for &mut [T] {
    fn cut(&mut self, bodies: usize) -> Self {
        self.split_off_mut(..bodies.min(self.len())).unwrap_or_default()
    }
}

/// One entry per part, or none at all.
pub(crate) struct PerPart<'a, T>(pub(crate) &'a mut [T]);

impl<T: Send> Split for PerPart<'_, T> {
    fn cut(&mut self, _: usize) -> Self {
        PerPart(self.0.cut(1))
    }
}

macro_rules! split_tuple {
    ($($name:ident),+) => {
        impl<$($name: Split),+> Split for ($($name,)+) {
            #[allow(non_snake_case, reason = "the parts are named after their types")]
            fn cut(&mut self, bodies: usize) -> Self {
                let ($($name,)+) = self;
                ($($name.cut(bodies),)+)
            }
        }
    };
}
split_tuple!(A, B);
split_tuple!(A, B, C);
split_tuple!(A, B, C, D);
split_tuple!(A, B, C, D, E);

/// Runs `work` on each part of the output, with its index, and with the places of its bodies. Parts follow each other;
/// at least `fewest` are worth several threads.
pub(crate) fn for_each_part<T: Split>(
    parts: impl ExactSizeIterator<Item = Range<usize>>,
    fewest: usize,
    mut output: T,
    work: &(impl Fn(usize, Range<usize>, T) + Sync),
) {
    let is_serial = parts.len() < fewest || !are_several_threads();
    let tasks = parts.map(|places| (output.cut(places.len()), places));
    if is_serial {
        return tasks.enumerate().for_each(|(index, (part, places))| work(index, places, part));
    }
    let mut tasks: Vec<_> = tasks.map(Some).collect();
    for_each_item(&mut tasks, &|index, task| {
        if let Some((part, places)) = task.take() {
            work(index, places, part);
        }
    });
}

/// Runs `work` on each item with its index, on all threads.
pub(crate) fn for_each_item<I: Send>(items: &mut [I], work: &(dyn Fn(usize, &mut I) + Sync)) {
    for_each_item_with(items, &|index, item, (): &mut ()| work(index, item));
}

/// As [`for_each_item`], with room for the work that one thread hands on from item to item.
pub(crate) fn for_each_item_with<I: Send, S: Default>(items: &mut [I], work: &(dyn Fn(usize, &mut I, &mut S) + Sync)) {
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
