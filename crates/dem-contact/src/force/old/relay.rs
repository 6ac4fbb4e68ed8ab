//! Which thread sums which blocks, and when they are handed on.
//!
//! Each thread has blocks of its own, which are the same from one evaluation to the next, or nearly so, and hands them on itself: what it
//! reads and writes for them is in its caches, and to get that from another core takes longer than to compute it. A block is handed
//! on once all that may have sent something to it are summed as well, so those that others wait for come first. One
//! that has nothing left to do takes blocks of whoever has several that are not begun, and after some microseconds the last one of another
//! too, who is slower or has more to do: a core may be half another program's. After some tens of microseconds it hands on whatever is ready, and
//! leaves. So only blocks that a halted thread has begun are waited for, and which thread does what changes nothing.

mod division;
mod share;

use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::force::old::apart::Apart;
use crate::force::old::relay::division::Division;
use crate::force::old::relay::share::{Share, share};
use crate::parallel::fork_join::crew;

/// How often a thread that has nothing to do looks for what others have finished.
const LOOKS: usize = 200;

/// After so many, some ten microseconds, it takes the last block of another one, who has had the time to begin with it.
const PATIENCE: usize = 24;

/// Hints to the processor from one look to the next: some tenths of a microsecond.
const PAUSE: usize = 16;

/// Who has which blocks, and which of them are on the way. Where a thread has come to the end of its blocks, these are those that get
/// something from blocks of the others: few, if blocks get something from blocks near them.
#[derive(Debug, Default)]
pub(crate) struct Relay {
    division: Division,
    /// By block, whether it is summed. Whoever waits for some looks at each: to count them takes a line of the cache, which
    /// goes from core to core each time.
    summed: Vec<Apart<AtomicBool>>,
    /// By seat: which blocks were summed there, and how many were handed on.
    desks: Vec<Apart<Mutex<Desk>>>,
    handed: Vec<Apart<AtomicUsize>>,
}

/// What was summed on one seat and is not handed on, in any order.
type Desk = Vec<Held>;

/// A block that is summed.
#[derive(Debug)]
struct Held {
    block: usize,
    /// How many of those that may send to it were seen to be summed, from the last one on, which are waited for most often.
    seen: usize,
}

/// Who sends to whom, by block, never to itself.
pub(crate) trait Links: Sync {
    /// Those that may send something to a block, in order.
    fn sources(&self, block: usize) -> &[u32];

    /// Those that a block may send something to, in order.
    fn targets(&self, block: usize) -> &[u32];
}

impl Relay {
    /// Sums and hands on one block for each of `inputs`, on so many threads at most. `sum` is given a [seat](crew), the number of
    /// the block, and its input; `hand_on` the number of a block, when it and all that may send to it are summed.
    pub(crate) fn run<I: Send>(
        &mut self,
        threads: usize,
        inputs: &mut [I],
        links: &impl Links,
        sum: &(impl Fn(usize, usize, &mut I) + Sync),
        hand_on: &(impl Fn(usize) + Sync),
    ) {
        let (threads, blocks) = (threads.max(1), inputs.len());
        self.desks.resize_with(threads, Apart::default);
        self.desks.iter_mut().for_each(|Apart(desk)| desk.get_mut().unwrap_or_else(PoisonError::into_inner).clear());
        self.handed.resize_with(threads, Apart::default);
        self.handed.iter_mut().for_each(|Apart(handed)| *handed.get_mut() = 0);
        self.summed.resize_with(blocks, Apart::default);
        self.summed.iter_mut().for_each(|Apart(summed)| *summed.get_mut() = false);
        let Self { division, summed, desks, handed } = self;
        let shares = share(inputs, division.borders(blocks, threads), links);
        let went = (0..threads).map(|_| Apart::default()).collect();
        let track = Track { shares, went, summed, desks, handed, present: Apart::default() };
        crew(threads, &|seat| track.work(seat, links, sum, hand_on));
        division.learn(track.went.into_iter().map(|Apart(went)| went.into_inner()));
    }
}

/// What threads share.
struct Track<'a, I> {
    /// By seat.
    shares: Vec<Apart<Mutex<Share<'a, I>>>>,
    /// By where shares begin: blocks that were taken from before by a thread of a share beyond, less those that went the other way.
    went: Vec<Apart<AtomicIsize>>,
    desks: &'a [Apart<Mutex<Desk>>],
    handed: &'a [Apart<AtomicUsize>],
    /// By block.
    summed: &'a [Apart<AtomicBool>],
    /// How many threads are at work.
    present: Apart<AtomicUsize>,
}

impl<'a, I> Track<'a, I> {
    /// What each thread does until all is done, or as far as there is something to do without those that do not go on.
    fn work(&self, seat: usize, links: &impl Links, sum: &impl Fn(usize, usize, &mut I), hand_on: &impl Fn(usize)) {
        self.present.0.fetch_add(1, Ordering::Relaxed);
        let mut looks = 0;
        loop {
            // No one else is there, or goes on.
            let alone = looks == LOOKS || self.present.0.load(Ordering::Relaxed) == 1;
            if let Some(block) = self.release(seat, links, alone) {
                hand_on(block);
                self.handed[seat % self.handed.len()].0.fetch_add(1, Ordering::Relaxed);
            } else if let Some((block, input)) = self.next(seat, looks, alone) {
                sum(seat, block, input);
                lock(&self.desks[seat % self.desks.len()]).push(Held { block, seen: 0 });
                // Whoever sees it sees what was written before.
                self.summed[block].0.store(true, Ordering::Release);
                looks = if alone { looks } else { 0 };
            } else if alone || self.is_done() {
                break;
            } else {
                looks += 1;
                (0..PAUSE).for_each(|_| std::hint::spin_loop());
            }
        }
        self.present.0.fetch_sub(1, Ordering::Relaxed);
    }

    /// The next block for the thread on a seat, which has looked so often, alone or not: one of its own, or of others.
    fn next(&self, seat: usize, looks: usize, alone: bool) -> Option<(usize, &'a mut I)> {
        let all = alone || looks == PATIENCE;
        // What others have to spare only becomes less.
        if looks > 0 && !all {
            return None;
        }
        let shares = self.shares.len();
        if let Some(own) = lock(&self.shares[seat % shares]).take_first() {
            return Some(own);
        }
        let (own, others) = (seat % shares, (seat + 1..seat + shares).map(|seat| seat % shares));
        let other = others.max_by_key(|&other| lock(&self.shares[other]).to_spare(all))?;
        let taken = lock(&self.shares[other]).take_last(all)?;
        // What is done where no one else is, or after all that waiting, says nothing about shares.
        if !alone {
            for Apart(went) in &self.went[own.min(other) + 1..=own.max(other)] {
                went.fetch_add(if own > other { 1 } else { -1 }, Ordering::Relaxed);
            }
        }
        Some(taken)
    }

    /// A block that can be handed on: one that was summed on this seat, or on `any`.
    ///
    /// Of those that one block waits for, whoever comes last to the desk that it is held at finds all of them summed.
    fn release(&self, seat: usize, links: &impl Links, any: bool) -> Option<usize> {
        let seats = self.desks.len();
        let is_summed = |&source: &u32| self.summed[source as usize].0.load(Ordering::Acquire);
        (seat..if any { seat + seats } else { seat + 1 }).find_map(|seat| {
            let mut desk = lock(&self.desks[seat % seats]);
            let place = desk.iter_mut().position(|held| {
                let sources = links.sources(held.block);
                held.seen += sources.iter().rev().skip(held.seen).take_while(|source| is_summed(source)).count();
                held.seen == sources.len()
            })?;
            Some(desk.swap_remove(place).block)
        })
    }

    /// Whether all blocks are handed on.
    fn is_done(&self) -> bool {
        self.handed.iter().map(|Apart(handed)| handed.load(Ordering::Relaxed)).sum::<usize>() == self.summed.len()
    }
}

/// What is behind a lock that is held for a moment only.
fn lock<T>(Apart(guarded): &Apart<Mutex<T>>) -> MutexGuard<'_, T> {
    guarded.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, feature = "rayon"))]
pub(super) mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    /// Blocks that get something from the first one, from the one that is nine before, and from the one before; in a ring, the first
    /// ones from the last ones too.
    pub(super) struct Chain {
        sources: Vec<Vec<u32>>,
        pub(super) targets: Vec<Vec<u32>>,
    }

    impl Chain {
        pub(super) fn of(blocks: usize, ring: bool) -> Self {
            let of_block = |block: usize| {
                let before = [9, 1].iter().filter_map(|back| block.checked_sub(*back).filter(|&source| source > 0));
                let around = if ring && block < 2 { blocks.saturating_sub(2).max(block + 2)..blocks } else { 0..0 };
                (0..block.min(1)).chain(before).chain(around).map(|source| source as u32).collect()
            };
            let sources: Vec<Vec<u32>> = (0..blocks).map(of_block).collect();
            let mut targets = vec![Vec::new(); blocks];
            for (block, sources) in (0..).zip(&sources) {
                sources.iter().for_each(|&source| targets[source as usize].push(block));
            }
            Self { sources, targets }
        }
    }

    impl Links for Chain {
        fn sources(&self, block: usize) -> &[u32] {
            &self.sources[block]
        }

        fn targets(&self, block: usize) -> &[u32] {
            &self.targets[block]
        }
    }

    /// Runs on as many seats, of which one takes its time, in a pool of so many threads.
    fn run(relay: &mut Relay, [seats, threads, slow]: [usize; 3], (blocks, ring): (usize, bool)) {
        let (mut inputs, chain): (Vec<usize>, _) =
            ((0..blocks).map(|block| 3 * block).collect(), Chain::of(blocks, ring));
        let summed: Vec<AtomicBool> = inputs.iter().map(|_| AtomicBool::new(false)).collect();
        let (handed, begun) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            relay.run(
                seats,
                &mut inputs,
                &chain,
                &|seat, block, input| {
                    assert!(seat < seats);
                    // Nothing is held that could be handed on.
                    let handed = handed.lock().unwrap().len();
                    assert!(begun.fetch_add(1, Ordering::SeqCst) == handed || seats > 1 || ring, "{block}");
                    if seat == slow {
                        std::thread::sleep(Duration::from_millis(2));
                    }
                    // As laws may.
                    if block % 3 == 1 {
                        rayon::join(|| (), || ());
                    }
                    *input += 1;
                    summed[block].store(true, Ordering::SeqCst);
                },
                &|block| {
                    assert!(summed[block].load(Ordering::SeqCst));
                    let mut sources = chain.sources[block].iter();
                    assert!(sources.all(|&source| summed[source as usize].load(Ordering::SeqCst)), "{block}");
                    handed.lock().unwrap().push(block);
                },
            );
        });
        assert!(inputs.iter().enumerate().all(|(block, &input)| input == 3 * block + 1));
        let mut handed = handed.into_inner().unwrap();
        handed.sort_unstable();
        assert!(handed.iter().copied().eq(0..blocks), "{seats}, {blocks}: {handed:?}");
    }

    #[test]
    fn each_block_is_summed_and_handed_on_once() {
        let mut relay = Relay::default();
        let sizes = [(1, 0), (1, 5), (2, 1), (2, 60), (3, 14), (5, 60), (4, 32)];
        for ((seats, blocks), ring) in sizes.into_iter().flat_map(|size| [false, true].map(|ring| (size, ring))) {
            for slow in 0..=seats {
                run(&mut relay, [seats, seats, slow], (blocks, ring));
            }
            // As many seats as there may be threads, of which all but some do something else; more threads, so that some have
            // the same seat.
            for threads in [1, 2, seats + 3] {
                run(&mut relay, [seats, threads, seats], (blocks, ring));
            }
        }
    }

    #[test]
    fn the_last_block_of_a_slow_thread_is_taken() {
        let mut relay = Relay::default();
        // Twice in a row the second thread has to come in time, which other programs may keep it from.
        let moved = (0..30).any(|_| {
            run(&mut relay, [2, 2, 0], (4, false));
            relay.division.borders(4, 2) == [0, 1, 4]
        });
        assert!(moved, "{:?}", relay.division);
    }

    #[test]
    fn a_panic_is_not_waited_for_and_leaves_nothing_behind() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let mut relay = Relay::default();
        let sum = |_, block, (): &mut ()| assert!(block != 4, "as it is to be");
        let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            pool.install(|| relay.run(3, &mut [(); 500], &Chain::of(500, true), &sum, &|_| ()));
        }));
        let held = |relay: &Relay| relay.desks.iter().map(|desk| lock(desk).len()).sum::<usize>();
        assert!(broken.is_err() && held(&relay) > 0);
        run(&mut relay, [2, 2, 0], (60, true));
        assert_eq!(held(&relay), 0);
    }
}
