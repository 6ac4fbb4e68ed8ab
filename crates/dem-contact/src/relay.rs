//! In which order blocks are summed and handed on, by however many threads.
//!
//! Blocks are summed in their order, each by the next thread that is free. A block is handed on once it and all before it are
//! summed, since these may have sent something to it. So threads do not wait for each other before all is done, and what is
//! on the way stays in the caches.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::par::crew;

/// Blocks for each thread that may be on the way: should one thread be halted, the others go on so far.
const AHEAD: usize = 2;

/// Room for the sums of the blocks that are on the way.
#[derive(Debug)]
pub(crate) struct Relay<S> {
    /// From the first that is not handed on; `None` while a block is being summed.
    summed: VecDeque<Option<S>>,
    spare: Vec<S>,
}

impl<S> Default for Relay<S> {
    fn default() -> Self {
        Self { summed: VecDeque::new(), spare: Vec::new() }
    }
}

impl<S: Default + Send> Relay<S> {
    /// Sums and hands on one block for each of `inputs`, on so many threads at most. `sum` is given the number of the block, its
    /// input, and room that may have been used before; `hand_on` is given what `sum` has made of that. Neither may share its work
    /// with other threads: one that waits for it might be asked to help with what it waits for.
    pub(crate) fn run<I: Iterator<Item: Send> + Send>(
        &mut self,
        threads: usize,
        inputs: I,
        sum: &(impl Fn(usize, I::Item, &mut S) + Sync),
        hand_on: &(impl Fn(usize, &mut S) + Sync),
    ) {
        self.summed.clear();
        let course = Course { inputs, room: self, handed: 0, waiting: false, is_broken: false };
        let track = Track { course: Mutex::new(course), most: AHEAD * threads.max(1), bell: Condvar::new() };
        crew(threads, &|| track.work(sum, hand_on));
    }
}

/// How far all have come.
struct Course<'a, I, S> {
    /// Of the blocks that no one has begun.
    inputs: I,
    room: &'a mut Relay<S>,
    /// Blocks that are handed on, or are being so.
    handed: usize,
    /// Whether someone waits for the bell.
    waiting: bool,
    /// Whether a thread has panicked, so that nothing will come from it.
    is_broken: bool,
}

/// What threads share.
struct Track<'a, I, S> {
    course: Mutex<Course<'a, I, S>>,
    most: usize,
    bell: Condvar,
}

impl<'a, I: Iterator, S: Default> Track<'a, I, S> {
    /// What each thread does, until there is nothing left that no other has begun.
    fn work(&self, sum: &impl Fn(usize, I::Item, &mut S), hand_on: &impl Fn(usize, &mut S)) {
        let mut watch = Watch { track: self, is_over: false };
        let mut course = self.course();
        while !course.is_broken {
            if let Some(Some(_)) = course.room.summed.front() {
                let (block, done) = (course.handed, course.room.summed.pop_front().flatten());
                course.handed += 1;
                drop(course);
                let done = done.map(|mut sums| {
                    hand_on(block, &mut sums);
                    sums
                });
                course = self.course();
                course.room.spare.extend(done);
                continue;
            }
            if course.room.summed.len() >= self.most {
                course.waiting = true;
                course = self.bell.wait(course).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let Some(input) = course.inputs.next() else { break };
            let block = course.handed + course.room.summed.len();
            course.room.summed.push_back(None);
            let mut sums = course.room.spare.pop().unwrap_or_default();
            drop(course);
            sum(block, input, &mut sums);
            course = self.course();
            let place = block - course.handed;
            course.room.summed[place] = Some(sums);
            self.ring(&mut course);
        }
        watch.is_over = true;
    }

    fn course(&self) -> MutexGuard<'_, Course<'a, I, S>> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ring(&self, course: &mut Course<'a, I, S>) {
        if std::mem::take(&mut course.waiting) {
            self.bell.notify_all();
        }
    }
}

/// Lets others go should a thread panic, whose block they would wait for.
struct Watch<'t, 'a, I: Iterator, S: Default> {
    track: &'t Track<'a, I, S>,
    is_over: bool,
}

impl<I: Iterator, S: Default> Drop for Watch<'_, '_, I, S> {
    fn drop(&mut self) {
        if !self.is_over {
            let mut course = self.track.course();
            course.is_broken = true;
            self.track.ring(&mut course);
        }
    }
}

#[cfg(all(test, feature = "rayon"))]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::*;

    /// Runs on so many threads, whose blocks take times of their own; gives which blocks were handed on, each with what was left
    /// for it, and how many were on the way at most.
    fn outcome(threads: usize, blocks: usize) -> (Vec<(usize, usize)>, usize) {
        let summed: Vec<AtomicBool> = (0..blocks).map(|_| AtomicBool::new(false)).collect();
        let (handed, begun) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
        let most = AtomicUsize::new(0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build().unwrap();
        pool.install(|| {
            Relay::<Vec<usize>>::default().run(
                threads,
                0..blocks,
                &|block, input, sums| {
                    let on_the_way = begun.fetch_add(1, Ordering::SeqCst) + 1 - handed.lock().unwrap().len();
                    most.fetch_max(on_the_way, Ordering::SeqCst);
                    if block % 7 == 3 {
                        std::thread::sleep(std::time::Duration::from_millis(2));
                    }
                    sums.clear();
                    sums.push(input);
                    summed[block].store(true, Ordering::SeqCst);
                },
                &|block, sums| {
                    assert!(summed[..=block].iter().all(|summed| summed.load(Ordering::SeqCst)), "{block}");
                    handed.lock().unwrap().push((block, sums[0]));
                },
            );
        });
        let mut handed = handed.into_inner().unwrap();
        handed.sort_unstable();
        (handed, most.into_inner())
    }

    #[test]
    fn each_block_is_summed_and_handed_on_once() {
        for (threads, blocks) in [(0, 0), (1, 0), (1, 5), (2, 1), (2, 60), (5, 60)] {
            let (handed, most) = outcome(threads, blocks);
            assert!(handed.iter().copied().eq((0..blocks).map(|block| (block, block))), "{threads}, {blocks}");
            // Those that are being handed on are no longer waited for.
            assert!(most <= (AHEAD + 1) * threads, "{threads}, {blocks}: {most}");
            assert!(threads > 1 || most <= 1);
        }
    }

    #[test]
    #[should_panic(expected = "as it is to be")]
    fn a_panic_is_not_waited_for() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let sum = |block, (), _: &mut ()| {
            // The others have come as far as they may by then.
            std::thread::sleep(std::time::Duration::from_millis(if block == 4 { 50 } else { 0 }));
            assert!(block != 4, "as it is to be");
        };
        pool.install(|| Relay::default().run(3, std::iter::repeat_n((), 500), &sum, &|_, ()| ()));
    }
}
