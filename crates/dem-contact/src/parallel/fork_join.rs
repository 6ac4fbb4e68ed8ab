//! The only caller of rayon: loops over the same blocks with any number of threads, or a crew of threads that share
//! blocks among themselves.

use std::ops::Range;

#[cfg(feature = "rayon")]
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(any(feature = "rayon", test))]
use crate::parallel::blocks::BLOCK;

use crate::parallel::blocks::Blocks;

/// Largest number of blocks in one task where blocks are little work.
const TASK: usize = 4;

/// Fewest bodies for which threads pay, if the caller is a thread of the pool.
#[cfg(feature = "rayon")]
const PARALLEL: usize = 4 * BLOCK;

/// The same for a caller outside the pool, which hands each loop over and waits.
#[cfg(feature = "rayon")]
const HANDED_OVER: usize = 8 * BLOCK;

/// By what factor fewer bodies suffice where a block is much work.
const FEWER: usize = 2;

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

/// Runs `block` on each of the [blocks](Blocks) of `bodies` slots, with its first slot, its number of slots and its
/// output.
pub(crate) fn for_each_block<T: Split>(bodies: usize, output: T, block: &(impl Fn(usize, usize, T) + Sync)) {
    all_blocks(bodies, output, &|first, count, output| {
        block(first, count, output);
        true
    });
}

/// As [`for_each_block`]; true if `block` was true for all blocks. All blocks are run in any case.
pub(crate) fn all_blocks<T: Split>(
    bodies: usize,
    output: T,
    block: &(impl Fn(usize, usize, T) -> bool + Sync),
) -> bool {
    run_blocks(bodies, 1, is_parallel(bodies), output, block)
}

/// As [`all_blocks`] for blocks that are little work.
///
/// Small systems have one task for each of two threads, so the same thread works on the same bodies in one loop after
/// the other: fetching rows from the cache of another core would take longer than the work.
pub(crate) fn all_light_blocks<T: Split>(
    bodies: usize,
    output: T,
    block: &(impl Fn(usize, usize, T) -> bool + Sync),
) -> bool {
    // Asking for the number of threads starts them.
    let parallel = is_parallel(bodies);
    let task = if parallel { Blocks::of(bodies).count().div_ceil(threads()).min(TASK) } else { 1 };
    run_blocks(bodies, task, parallel, output, block)
}

/// As [`all_blocks`] for blocks that are each worth a task: threads pay from fewer bodies on.
pub(crate) fn all_large_blocks<T: Split>(
    bodies: usize,
    output: T,
    block: &(impl Fn(usize, usize, T) -> bool + Sync),
) -> bool {
    run_blocks(bodies, 1, pay_large_blocks(bodies), output, block)
}

/// How the blocks of a loop are given to tasks.
#[cfg(feature = "rayon")]
#[derive(Debug, Clone, Copy)]
struct Tasks {
    cut: Blocks,
    /// Largest number of blocks in one task.
    blocks: usize,
    /// Whether there are no more tasks than threads.
    are_few: bool,
}

/// Runs the blocks of `bodies` slots, with threads if `parallel`, at most `task` blocks in one task.
fn run_blocks<T: Split>(
    bodies: usize,
    task: usize,
    parallel: bool,
    output: T,
    block: &(impl Fn(usize, usize, T) -> bool + Sync),
) -> bool {
    let cut = Blocks::of(bodies);
    // As a trait object, so that the recursion is compiled once for each type of output, not for each closure.
    let block: &(dyn Fn(usize, usize, T) -> bool + Sync) = block;
    #[cfg(feature = "rayon")]
    if parallel {
        let tasks = Tasks { cut, blocks: task, are_few: cut.count() <= task * threads() };
        return fork(tasks, 0..bodies, output, block);
    }
    let _ = (parallel, task);
    sequence(cut.size(), 0..bodies, output, block)
}

/// Runs the blocks of these slots one after the other.
fn sequence<T: Split>(
    size: usize,
    mut slots: Range<usize>,
    mut output: T,
    block: &(dyn Fn(usize, usize, T) -> bool + Sync),
) -> bool {
    let mut all = true;
    while slots.len() > size {
        let (head, rest) = output.cut(size, 1);
        all &= block(slots.start, size, head);
        output = rest;
        slots.start += size;
    }
    all & block(slots.start, slots.len(), output)
}

/// Halves these slots between blocks until each part is one task.
#[cfg(feature = "rayon")]
fn fork<T: Split>(
    tasks: Tasks,
    slots: Range<usize>,
    output: T,
    block: &(dyn Fn(usize, usize, T) -> bool + Sync),
) -> bool {
    let size = tasks.cut.size();
    if slots.len() <= tasks.blocks * size {
        return sequence(size, slots, output, block);
    }
    let blocks = (slots.len() / 2).div_ceil(size);
    let half = slots.start + blocks * size;
    let (lower, upper) = output.cut(blocks * size, blocks);
    let lower = || fork(tasks, slots.start..half, lower, block);
    let upper = || fork(tasks, half..slots.end, upper, block);
    let (lower, upper) = if tasks.are_few { join(lower, upper) } else { rayon::join(lower, upper) };
    lower & upper
}

/// How often the caller of [`join`] checks whether the other task is done.
#[cfg(feature = "rayon")]
const LOOKS: usize = 1000;

/// As `rayon::join`, but a caller that is done first spins for some tens of microseconds until the other task is done
/// too.
///
/// For loops with no more tasks than threads: there is no other work to look for, and giving up the processor takes
/// longer. `rrp-integrate` has the same function.
#[cfg(feature = "rayon")]
fn join<A: Send, B: Send>(own: impl FnOnce() -> A + Send, other: impl FnOnce() -> B + Send) -> (A, B) {
    let is_running = AtomicBool::new(false);
    rayon::join(
        || {
            let outcome = own();
            let looks = (0..LOOKS).take_while(|_| is_running.load(Ordering::Relaxed));
            looks.for_each(|_| std::hint::spin_loop());
            outcome
        },
        || {
            is_running.store(true, Ordering::Relaxed);
            let outcome = other();
            is_running.store(false, Ordering::Relaxed);
            outcome
        },
    )
}

/// Runs `work` `threads` times, at the same time as far as threads are free.
///
/// `work` gets a seat below `threads`. For the same caller each thread has the same seat each time, and the caller has
/// seat 0. If the pool has more than `threads` threads, some share a seat.
pub(crate) fn crew(threads: usize, work: &(impl Fn(usize) + Sync)) {
    #[cfg(feature = "rayon")]
    if threads > 1 {
        let caller = rayon::current_thread_index().unwrap_or(0);
        let seat = |all: usize| (rayon::current_thread_index().unwrap_or(0) + all - caller) % all % threads;
        return gather(threads, &|| work(seat(rayon::current_num_threads())));
    }
    let _ = threads;
    work(0);
}

/// Runs `work` `times` times, wherever a thread is free.
#[cfg(feature = "rayon")]
fn gather(times: usize, work: &(impl Fn() + Sync)) {
    if times > 1 {
        join(|| gather(times.div_ceil(2), work), || gather(times / 2, work));
    } else {
        work();
    }
}

/// Runs `work` on a thread of the pool if there are several and enough bodies, so that its loops are not handed over
/// one by one.
pub(crate) fn inside<R: Send>(bodies: usize, work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "rayon")]
    if bodies >= PARALLEL && rayon::current_num_threads() > 1 && rayon::current_thread_index().is_none() {
        return rayon::join(work, || ()).0;
    }
    let _ = bodies;
    work()
}

/// Whether threads pay where blocks are each worth a task.
pub(crate) fn pay_large_blocks(bodies: usize) -> bool {
    is_parallel(FEWER * bodies)
}

/// Number of threads.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}

/// Whether there are several threads, and enough bodies for them.
pub(crate) fn is_parallel(bodies: usize) -> bool {
    #[cfg(feature = "rayon")]
    {
        let least = if rayon::current_thread_index().is_some() { PARALLEL } else { HANDED_OVER };
        bodies >= least && rayon::current_num_threads() > 1
    }
    #[cfg(not(feature = "rayon"))]
    {
        let _ = bodies;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let mut light = vec![0; bodies];
            all_light_blocks(bodies, &mut light[..], &|first, count, seen| {
                assert!(seen.len() == count && count <= BLOCK);
                seen.iter_mut().enumerate().for_each(|(k, seen)| *seen += first + k + 1);
                true
            });
            assert_eq!(light, seen);
        }
    }

    #[test]
    fn one_failing_block_is_reported() {
        assert!(!all_blocks(20 * BLOCK, (), &|first, _, ()| first != 15 * BLOCK));
        assert!(!all_blocks(20 * BLOCK - 9, (), &|first, count, ()| first + count != 20 * BLOCK - 9));
    }
}
