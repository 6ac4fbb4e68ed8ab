//! Which thread sums which blocks, and when they are handed on.
//!
//! Each thread begins with blocks of its own, which are the same from one evaluation to the next: what it reads and writes for them is
//! in its caches. One that has none left takes the last one of whoever has most. A block is handed on once all that may
//! have sent something to it are summed as well, by whoever sums the last of these. So no thread ever waits for another, and
//! which of them does what changes nothing.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::par::crew;
use crate::pool::Pool;

/// With fewer blocks for each thread none has blocks of its own: they cannot be shared out evenly before it is known how long each
/// takes.
const FEW: usize = 8;

/// Room for the sums of the blocks that are on the way. Where a thread has come to the end of its blocks, these are those that get
/// something from blocks of the others: few, if blocks get something from blocks near them.
#[derive(Debug)]
pub(crate) struct Relay<S> {
    /// By block: how many have to be summed before it is handed on, itself included.
    open: Vec<u32>,
    /// Blocks that are summed and not handed on, in any order.
    held: Vec<(usize, S)>,
    /// Those of them that no longer wait.
    ready: Vec<usize>,
    spare: Pool<S>,
}

/// Who sends to whom, by block, always from lower to higher ones.
pub(crate) trait Links: Sync {
    /// How many may send something to a block.
    fn sources(&self, block: usize) -> usize;

    /// Those that a block may send something to.
    fn targets(&self, block: usize) -> &[u32];
}

impl<S> Default for Relay<S> {
    fn default() -> Self {
        Self { open: Vec::new(), held: Vec::new(), ready: Vec::new(), spare: Pool::default() }
    }
}

impl<S: Default + Send> Relay<S> {
    /// Sums and hands on one block for each of `inputs`, on so many threads at most. `sum` is given a [seat](crew), the number of
    /// the block, its input, and room that may have been used before; `hand_on` is given a seat, the block and what `sum` has made of
    /// that, when all that may send to it are summed.
    pub(crate) fn run<I: Send>(
        &mut self,
        threads: usize,
        inputs: &mut [I],
        links: &impl Links,
        sum: &(impl Fn(usize, usize, &mut I, &mut S) + Sync),
        hand_on: &(impl Fn(usize, usize, &mut S) + Sync),
    ) {
        let Self { open, held, ready, spare } = self;
        open.clear();
        open.extend((0..inputs.len()).map(|block| 1 + links.sources(block) as u32));
        held.clear();
        ready.clear();
        let threads = threads.max(1);
        let shares = share(inputs, if inputs.len() < FEW * threads { 1 } else { threads });
        let track = Track { course: Mutex::new(Course { shares, open, held, ready }), spare };
        crew(threads, &|seat| track.work(seat, links, sum, hand_on));
    }
}

/// Blocks that no one has begun.
struct Share<'a, I> {
    /// The number of the first.
    first: usize,
    inputs: &'a mut [I],
}

/// Cuts all blocks into so many shares.
fn share<I>(mut inputs: &mut [I], count: usize) -> Vec<Share<'_, I>> {
    let (blocks, mut shares) = (inputs.len(), Vec::with_capacity(count));
    for number in 0..count {
        let (first, end) = (blocks * number / count, blocks * (number + 1) / count);
        let (own, others) = inputs.split_at_mut(end - first);
        shares.push(Share { first, inputs: own });
        inputs = others;
    }
    shares
}

impl<'a, I> Share<'a, I> {
    fn take_first(&mut self) -> Option<(usize, &'a mut I)> {
        let (input, rest) = std::mem::take(&mut self.inputs).split_first_mut()?;
        self.inputs = rest;
        self.first += 1;
        Some((self.first - 1, input))
    }

    fn take_last(&mut self) -> Option<(usize, &'a mut I)> {
        let (input, rest) = std::mem::take(&mut self.inputs).split_last_mut()?;
        self.inputs = rest;
        Some((self.first + self.inputs.len(), input))
    }
}

/// How far all have come.
struct Course<'a, I, S> {
    /// By seat, or one for all.
    shares: Vec<Share<'a, I>>,
    open: &'a mut [u32],
    held: &'a mut Vec<(usize, S)>,
    ready: &'a mut Vec<usize>,
}

impl<'a, I, S> Course<'a, I, S> {
    /// The next block for the thread on a seat.
    fn next(&mut self, seat: usize) -> Option<(usize, &'a mut I)> {
        let own = seat % self.shares.len();
        self.shares[own]
            .take_first()
            .or_else(|| self.shares.iter_mut().max_by_key(|share| share.inputs.len())?.take_last())
    }

    /// Takes note of a block that is summed.
    fn hold(&mut self, block: usize, sums: S, targets: &[u32]) {
        self.held.push((block, sums));
        for target in targets.iter().map(|&target| target as usize).chain([block]) {
            self.open[target] -= 1;
            if self.open[target] == 0 {
                self.ready.push(target);
            }
        }
    }

    /// A block that can be handed on.
    fn release(&mut self) -> Option<(usize, S)> {
        let ready = self.ready.pop()?;
        let place = self.held.iter().position(|&(block, _)| block == ready)?;
        Some(self.held.swap_remove(place))
    }
}

/// What threads share.
struct Track<'a, I, S> {
    course: Mutex<Course<'a, I, S>>,
    spare: &'a Pool<S>,
}

impl<'a, I, S: Default> Track<'a, I, S> {
    /// What each thread does, until there is nothing left that no other has begun.
    fn work(
        &self,
        seat: usize,
        links: &impl Links,
        sum: &impl Fn(usize, usize, &mut I, &mut S),
        hand_on: &impl Fn(usize, usize, &mut S),
    ) {
        let mut course = self.course();
        loop {
            if let Some((block, mut sums)) = course.release() {
                drop(course);
                hand_on(seat, block, &mut sums);
                self.spare.give(seat, sums);
                course = self.course();
                continue;
            }
            let Some((block, input)) = course.next(seat) else { break };
            drop(course);
            let mut sums = self.spare.take(seat);
            sum(seat, block, input, &mut sums);
            course = self.course();
            course.hold(block, sums, links.targets(block));
        }
    }

    fn course(&self) -> MutexGuard<'_, Course<'a, I, S>> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
                &|seat, block, sums| {
                    assert!(seat < seats && summed[block].load(Ordering::SeqCst));
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
            let mut shares = share(&mut inputs, count);
            let mut taken = Vec::new();
            for share in &mut shares {
                let last = share.take_last();
                let first = std::iter::from_fn(|| share.take_first());
                taken.extend(first.chain(last).map(|(block, input)| [block, *input]));
            }
            assert!(shares.len() == count && taken.into_iter().eq((0..blocks).map(|block| [block; 2])));
        }
    }

    #[test]
    fn a_panic_is_not_waited_for_and_leaves_nothing_behind() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let mut relay = Relay::default();
        let sum = |_, block, (): &mut (), _: &mut Vec<usize>| assert!(block != 4, "as it is to be");
        let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            pool.install(|| relay.run(3, &mut [(); 500], &Chain::of(500), &sum, &|_, _, _| ()));
        }));
        assert!(broken.is_err() && !relay.held.is_empty());
        run(&mut relay, [2, 2, 0], 60);
        assert!(relay.held.is_empty());
    }
}
