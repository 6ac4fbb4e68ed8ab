//! Which thread sums which blocks, and when they are handed on.
//!
//! Each thread has blocks of its own, which are the same from one evaluation to the next, and hands them on itself: what it
//! reads and writes for them is in its caches, and to get that from another core takes longer than to compute it. A block is handed
//! on once all that may have sent something to it are summed as well, so those that others wait for come first. One
//! that has nothing left to do takes blocks of whoever has several that are not begun. Only for some microseconds does a thread
//! wait for what others are about to finish: then it does all that it can do for them. So none ever waits for one that
//! is halted, and which of them does what changes nothing.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::apart::Apart;
use crate::par::crew;
use crate::pool::Pool;

/// How often a thread that has nothing to do looks for what others have finished, and for how long it does not between two looks:
/// for some tens of microseconds.
const LOOKS: usize = 200;
const PAUSE: usize = 16;

/// Room for the sums of the blocks that are on the way. Where a thread has come to the end of its blocks, these are those that get
/// something from blocks of the others: few, if blocks get something from blocks near them.
#[derive(Debug)]
pub(crate) struct Relay<S> {
    /// By block.
    stages: Vec<Apart<Stage>>,
    /// By seat.
    desks: Vec<Apart<Mutex<Desk<S>>>>,
    spare: Pool<S>,
}

/// How far a block has come.
#[derive(Debug, Default)]
struct Stage {
    /// How many have to be summed before it is handed on, itself included.
    open: AtomicU32,
    /// The seat that it was summed on.
    seat: AtomicUsize,
}

/// What was summed on one seat.
#[derive(Debug)]
struct Desk<S> {
    /// Blocks that are summed and not handed on, in any order.
    held: Vec<(usize, S)>,
    /// Those of them that no longer wait.
    ready: Vec<usize>,
}

/// Who sends to whom, by block, never to itself.
pub(crate) trait Links: Sync {
    /// How many may send something to a block.
    fn sources(&self, block: usize) -> usize;

    /// Those that a block may send something to, in order.
    fn targets(&self, block: usize) -> &[u32];
}

impl<S> Default for Relay<S> {
    fn default() -> Self {
        Self { stages: Vec::new(), desks: Vec::new(), spare: Pool::default() }
    }
}

impl<S> Default for Desk<S> {
    fn default() -> Self {
        Self { held: Vec::new(), ready: Vec::new() }
    }
}

impl<S: Default + Send> Relay<S> {
    /// Sums and hands on one block for each of `inputs`, on so many threads at most. `sum` is given a [seat](crew), the number of
    /// the block, its input, and room that may have been used before; `hand_on` is given the block and what `sum` has made of that, when all that may send to it are summed.
    pub(crate) fn run<I: Send>(
        &mut self,
        threads: usize,
        inputs: &mut [I],
        links: &impl Links,
        sum: &(impl Fn(usize, usize, &mut I, &mut S) + Sync),
        hand_on: &(impl Fn(usize, &mut S) + Sync),
    ) {
        let (threads, blocks) = (threads.max(1), inputs.len());
        self.spare.open(threads);
        self.desks.resize_with(threads, Apart::default);
        for Apart(desk) in &mut self.desks {
            let desk = desk.get_mut().unwrap_or_else(PoisonError::into_inner);
            desk.held.clear();
            desk.ready.clear();
        }
        self.stages.resize_with(blocks, Apart::default);
        for (block, Apart(stage)) in self.stages.iter_mut().enumerate() {
            *stage.open.get_mut() = 1 + links.sources(block) as u32;
        }
        let shares = share(inputs, threads, links);
        let Self { stages, desks, spare } = self;
        let track = Track { shares, stages, desks, spare, left: Apart(AtomicUsize::new(blocks)) };
        crew(threads, &|seat| track.work(seat, links, sum, hand_on));
    }
}

/// Blocks that no one has begun, in the order in which they are to be: pieces in a row, each with the number of its first
/// block.
struct Share<'a, I>([(usize, &'a mut [I]); 3]);

/// Cuts all blocks into so many shares. In each, the last blocks and then the first ones come before the others as far as
/// blocks beyond the share get something from them.
fn share<'a, I>(mut inputs: &'a mut [I], count: usize, links: &impl Links) -> Vec<Apart<Mutex<Share<'a, I>>>> {
    let (blocks, mut shares) = (inputs.len(), Vec::with_capacity(count));
    for number in 0..count {
        let [first, end] = [number, number + 1].map(|number| (blocks * number).div_ceil(count));
        let is_beyond = |&target: &u32| !(first..end).contains(&(target as usize));
        let send = |block: &usize| links.targets(*block).iter().any(is_beyond);
        let last = (first..end).rev().take_while(send).count();
        let begun = (first..end - last).take_while(send).count();
        let (own, others) = inputs.split_at_mut(end - first);
        let (own, last) = own.split_at_mut(end - first - last);
        let (begin, middle) = own.split_at_mut(begun);
        let pieces = [(end - last.len(), last), (first, begin), (first + begun, middle)];
        shares.push(Apart(Mutex::new(Share(pieces))));
        inputs = others;
    }
    shares
}

impl<'a, I> Share<'a, I> {
    fn len(&self) -> usize {
        self.0.iter().map(|(_, inputs)| inputs.len()).sum()
    }

    fn take_first(&mut self) -> Option<(usize, &'a mut I)> {
        let (first, inputs) = self.0.iter_mut().find(|(_, inputs)| !inputs.is_empty())?;
        let (input, rest) = std::mem::take(inputs).split_first_mut()?;
        (*inputs, *first) = (rest, *first + 1);
        Some((*first - 1, input))
    }

    fn take_last(&mut self) -> Option<(usize, &'a mut I)> {
        let (first, inputs) = self.0.iter_mut().rfind(|(_, inputs)| !inputs.is_empty())?;
        let (input, rest) = std::mem::take(inputs).split_last_mut()?;
        *inputs = rest;
        Some((*first + inputs.len(), input))
    }
}

/// What threads share.
struct Track<'a, I, S> {
    /// By seat.
    shares: Vec<Apart<Mutex<Share<'a, I>>>>,
    desks: &'a [Apart<Mutex<Desk<S>>>],
    /// By block.
    stages: &'a [Apart<Stage>],
    spare: &'a Pool<S>,
    /// How many blocks are not handed on.
    left: Apart<AtomicUsize>,
}

impl<'a, I, S: Default> Track<'a, I, S> {
    /// What each thread does until all is done, or as far as there is something to do without those that do not go on.
    fn work(
        &self,
        seat: usize,
        links: &impl Links,
        sum: &impl Fn(usize, usize, &mut I, &mut S),
        hand_on: &impl Fn(usize, &mut S),
    ) {
        let mut looks = 0;
        loop {
            let waited = looks == LOOKS;
            if let Some((block, mut sums)) = self.release(seat, waited) {
                hand_on(block, &mut sums);
                self.spare.give(seat, sums);
                self.left.0.fetch_sub(1, Ordering::Relaxed);
            } else if let Some((block, input)) = self.next(seat, looks) {
                let mut sums = self.spare.take(seat);
                sum(seat, block, input, &mut sums);
                self.hold(seat, block, sums, links.targets(block));
            } else if waited || self.left.0.load(Ordering::Relaxed) == 0 {
                break;
            } else {
                looks += 1;
                (0..PAUSE).for_each(|_| std::hint::spin_loop());
            }
        }
    }

    /// The next block for the thread on a seat after so many looks: one of its own, or of others.
    fn next(&self, seat: usize, looks: usize) -> Option<(usize, &'a mut I)> {
        // What others have not begun only becomes less.
        let least = match looks {
            // Who has one more is about to begin with it.
            0 => 2,
            LOOKS => 1,
            _ => return None,
        };
        let shares = self.shares.len();
        if let Some(own) = lock(&self.shares[seat % shares]).take_first() {
            return Some(own);
        }
        let others = (seat + 1..seat + shares).map(|seat| &self.shares[seat % shares]);
        let (most, share) = others.map(|share| (lock(share).len(), share)).max_by_key(|&(len, _)| len)?;
        if most >= least { lock(share).take_last() } else { None }
    }

    /// Takes note of a block that is summed.
    fn hold(&self, seat: usize, block: usize, sums: S, targets: &[u32]) {
        let own = seat % self.desks.len();
        self.stages[block].0.seat.store(own, Ordering::Relaxed);
        lock(&self.desks[own]).held.push((block, sums));
        for target in targets.iter().map(|&target| target as usize).chain([block]) {
            let Apart(stage) = &self.stages[target];
            // Who comes last sees what all before have written.
            if stage.open.fetch_sub(1, Ordering::AcqRel) == 1 {
                lock(&self.desks[stage.seat.load(Ordering::Relaxed)]).ready.push(target);
            }
        }
    }

    /// A block that can be handed on: one that was summed on this seat, or on `any`.
    fn release(&self, seat: usize, any: bool) -> Option<(usize, S)> {
        let seats = self.desks.len();
        (seat..if any { seat + seats } else { seat + 1 }).find_map(|seat| {
            let mut desk = lock(&self.desks[seat % seats]);
            let ready = desk.ready.pop()?;
            let place = desk.held.iter().position(|&(block, _)| block == ready)?;
            Some(desk.held.swap_remove(place))
        })
    }
}

/// What is behind a lock that is held for a moment only.
fn lock<T>(Apart(guarded): &Apart<Mutex<T>>) -> MutexGuard<'_, T> {
    guarded.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, feature = "rayon"))]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    /// Blocks that get something from the first one, from the one that is nine before, and from the one before.
    struct Chain {
        sources: Vec<Vec<u32>>,
        targets: Vec<Vec<u32>>,
    }

    impl Chain {
        fn of(blocks: usize) -> Self {
            let of_block = |block: usize| {
                let before = [9, 1].iter().filter_map(|back| block.checked_sub(*back).filter(|&source| source > 0));
                (0..block.min(1)).chain(before).map(|source| source as u32).collect()
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
        fn sources(&self, block: usize) -> usize {
            self.sources[block].len()
        }

        fn targets(&self, block: usize) -> &[u32] {
            &self.targets[block]
        }
    }

    /// Runs on as many seats, of which one takes its time, in a pool of so many threads.
    fn run(relay: &mut Relay<Vec<usize>>, [seats, threads, slow]: [usize; 3], blocks: usize) {
        let (mut inputs, chain): (Vec<usize>, _) = ((0..blocks).map(|block| 3 * block).collect(), Chain::of(blocks));
        let summed: Vec<AtomicBool> = inputs.iter().map(|_| AtomicBool::new(false)).collect();
        let (handed, begun) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            relay.run(
                seats,
                &mut inputs,
                &chain,
                &|seat, block, input, sums| {
                    assert!(seat < seats);
                    // Nothing is held that could be handed on.
                    let handed = handed.lock().unwrap().len();
                    assert!(begun.fetch_add(1, Ordering::SeqCst) == handed || seats > 1, "{block}");
                    if seat == slow {
                        std::thread::sleep(Duration::from_millis(2));
                    }
                    sums.clear();
                    sums.push(*input);
                    *input += 1;
                    summed[block].store(true, Ordering::SeqCst);
                },
                &|block, sums| {
                    assert!(summed[block].load(Ordering::SeqCst));
                    let mut sources = chain.sources[block].iter();
                    assert!(sources.all(|&source| summed[source as usize].load(Ordering::SeqCst)), "{block}");
                    handed.lock().unwrap().push((block, sums[0]));
                },
            );
        });
        assert!(inputs.iter().enumerate().all(|(block, &input)| input == 3 * block + 1));
        let mut handed = handed.into_inner().unwrap();
        handed.sort_unstable();
        assert!(
            handed.iter().copied().eq((0..blocks).map(|block| (block, 3 * block))),
            "{seats}, {blocks}: {handed:?}"
        );
    }

    #[test]
    fn each_block_is_summed_and_handed_on_once() {
        let mut relay = Relay::default();
        for (seats, blocks) in [(1, 0), (1, 5), (2, 1), (2, 60), (3, 14), (5, 60), (4, 32)] {
            for slow in 0..=seats {
                run(&mut relay, [seats, seats, slow], blocks);
            }
            // As many seats as there may be threads, of which all but some do something else.
            run(&mut relay, [seats, 1, seats], blocks);
            run(&mut relay, [seats, 2, seats], blocks);
        }
    }

    #[test]
    fn blocks_are_shared_out_without_gaps() {
        for (blocks, count) in [(0, 1), (0, 3), (7, 1), (7, 3), (60, 7), (3, 5)] {
            let mut inputs: Vec<usize> = (0..blocks).collect();
            let chain = Chain::of(blocks);
            let shares = share(&mut inputs, count, &chain);
            assert_eq!(shares.len(), count);
            let (mut all, mut end) = (Vec::new(), 0);
            for share in shares {
                let mut share = share.0.into_inner().unwrap();
                let (len, last) = (share.len(), share.take_last());
                let first = std::iter::from_fn(|| share.take_first());
                let taken: Vec<usize> = first
                    .chain(last)
                    .map(|(block, input)| {
                        assert_eq!(block, *input);
                        block
                    })
                    .collect();
                end += len;
                assert_eq!(taken.len(), len);
                // The last ones come first, since others get something from them, then the first one of all.
                let sends = |block: &usize| chain.targets[*block].iter().any(|&target| target as usize >= end);
                assert!(taken.iter().skip_while(|block| sends(block)).all(|block| !sends(block)), "{taken:?}");
                all.extend(taken);
            }
            all.sort_unstable();
            assert!(all.into_iter().eq(0..blocks));
        }
    }

    #[test]
    fn a_panic_is_not_waited_for_and_leaves_nothing_behind() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let mut relay = Relay::default();
        let sum = |_, block, (): &mut (), _: &mut Vec<usize>| assert!(block != 4, "as it is to be");
        let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            pool.install(|| relay.run(3, &mut [(); 500], &Chain::of(500), &sum, &|_, _| ()));
        }));
        let held = |relay: &Relay<Vec<usize>>| relay.desks.iter().map(|desk| lock(desk).held.len()).sum::<usize>();
        assert!(broken.is_err() && held(&relay) > 0);
        run(&mut relay, [2, 2, 0], 60);
        assert_eq!(held(&relay), 0);
    }
}
