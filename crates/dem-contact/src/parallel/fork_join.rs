//! Loops over blocks of bodies, the same blocks with any number of threads.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::parallel::blocks::Blocks;
use crate::parallel::tiles::{are_several_threads, for_each_tile};

/// Fewest blocks that are worth a thread.
const PARALLEL: usize = 4;

/// Output of a loop that can be cut between blocks.
pub(crate) trait Split: Sized + Send {
    /// The part of the first `blocks` blocks, which have `bodies` bodies, and the part of the others.
    fn cut(self, bodies: usize, blocks: usize) -> (Self, Self);
}

impl Split for () {
    fn cut(self, _: usize, _: usize) -> (Self, Self) {
        ((), ())
    }
}

/// One entry per body, or none at all.
impl<T: Send> Split for &mut [T] {
    fn cut(self, bodies: usize, _: usize) -> (Self, Self) {
        let mid = bodies.min(self.len());
        self.split_at_mut(mid)
    }
}

/// One entry per block of bodies, or none at all.
pub(crate) struct PerBlock<'a, T>(pub(crate) &'a mut [T]);

impl<T: Send> Split for PerBlock<'_, T> {
    fn cut(self, _: usize, blocks: usize) -> (Self, Self) {
        let mid = blocks.min(self.0.len());
        let (lower, upper) = self.0.split_at_mut(mid);
        (PerBlock(lower), PerBlock(upper))
    }
}

macro_rules! split_tuple {
    ($($name:ident),+) => {
        impl<$($name: Split),+> Split for ($($name,)+) {
            #[allow(non_snake_case, reason = "the parts are named after their types")]
            fn cut(self, bodies: usize, blocks: usize) -> (Self, Self) {
                let ($($name,)+) = self;
                $(let $name = $name.cut(bodies, blocks);)+
                (($($name.0,)+), ($($name.1,)+))
            }
        }
    };
}
split_tuple!(A, B);
split_tuple!(A, B, C);
split_tuple!(A, B, C, D);
split_tuple!(A, B, C, D, E);

/// Runs `block` on each of the [blocks](Blocks) of `bodies` places, with its first place, its number of places and its
/// output.
pub(crate) fn for_each_block<T: Split>(bodies: usize, output: T, block: &(impl Fn(usize, usize, T) + Sync)) {
    let (cut, mut output) = (Blocks::of(bodies), Some(output));
    let heads = (0..cut.count()).map(|number| {
        let rest = output.take()?;
        let (head, rest) = rest.cut(cut.range(number).len(), 1);
        output = Some(rest);
        Some(head)
    });
    let run = |number: usize, head: &mut Option<T>| {
        if let Some(output) = head.take() {
            block(cut.first(number), cut.range(number).len(), output);
        }
    };
    if cut.count() < PARALLEL || !are_several_threads() {
        return heads.enumerate().for_each(|(number, mut head)| run(number, &mut head));
    }
    let mut tasks: Vec<Option<T>> = heads.collect();
    for_each_tile(&mut tasks, &run);
}

/// As [`for_each_block`]; true if `block` was true for all blocks. All blocks are run in any case.
pub(crate) fn all_blocks<T: Split>(
    bodies: usize,
    output: T,
    block: &(impl Fn(usize, usize, T) -> bool + Sync),
) -> bool {
    let has_failed = AtomicBool::new(false);
    for_each_block(bodies, output, &|first, count, output| {
        if !block(first, count, output) {
            has_failed.store(true, Ordering::Relaxed);
        }
    });
    !has_failed.into_inner()
}

/// Runs `work` on a thread of the pool if there are several and enough bodies, so that its loops are not handed over
/// one by one.
pub(crate) fn inside<R: Send>(bodies: usize, work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "rayon")]
    if Blocks::of(bodies).count() >= PARALLEL && are_several_threads() {
        return rayon::join(work, || ()).0;
    }
    let _ = bodies;
    work()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::blocks::BLOCK;

    #[test]
    fn every_body_is_visited_once_whatever_the_number() {
        for bodies in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 9 * BLOCK + 7] {
            let mut seen = vec![0; bodies];
            let mut blocks = vec![0; Blocks::of(bodies).count()];
            let all = all_blocks(bodies, (&mut seen[..], PerBlock(&mut blocks)), &|first, count, (seen, blocks)| {
                assert!(seen.len() == count && count <= BLOCK);
                seen.iter_mut().enumerate().for_each(|(k, seen)| *seen += first + k + 1);
                blocks.0.iter_mut().for_each(|block| *block += 1);
                true
            });
            assert!(all && seen.iter().enumerate().all(|(i, &seen)| seen == i + 1));
            assert!(blocks.iter().all(|&visits| visits == 1));
        }
    }

    #[test]
    fn one_failing_block_is_reported() {
        assert!(!all_blocks(20 * BLOCK, (), &|first, _, ()| first != 15 * BLOCK));
        assert!(!all_blocks(20 * BLOCK - 9, (), &|first, count, ()| first + count != 20 * BLOCK - 9));
    }
}
