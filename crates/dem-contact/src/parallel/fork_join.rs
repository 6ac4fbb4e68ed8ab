//! Loops over blocks of bodies, the same blocks with any number of threads.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::parallel::blocks::Blocks;
#[cfg(feature = "rayon")]
use crate::parallel::parts::are_several_threads;
use crate::parallel::parts::{Split, for_each_part};

/// Fewest blocks that are worth a thread.
const PARALLEL: usize = 4;

/// Runs `block` on each of the [blocks](Blocks) of `bodies` places, with its first place, its number of places and its
/// output.
pub(crate) fn for_each_block<T: Split>(bodies: usize, output: T, block: &(impl Fn(usize, usize, T) + Sync)) {
    let cut = Blocks::of(bodies);
    let blocks = (0..cut.count()).map(|number| cut.range(number));
    for_each_part(blocks, PARALLEL, output, &|_, places, output| block(places.start, places.len(), output));
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
    use crate::parallel::parts::PerPart;

    #[test]
    fn every_body_is_visited_once_whatever_the_number() {
        for bodies in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 9 * BLOCK + 7] {
            let mut seen = vec![0; bodies];
            let mut blocks = vec![0; Blocks::of(bodies).count()];
            let all = all_blocks(bodies, (&mut seen[..], PerPart(&mut blocks)), &|first, count, (seen, blocks)| {
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
