//! What it takes to hand something over from one thread to another.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

/// Lines of the cache that each thread has, one number in each.
const LINES: usize = 512;
const ROUNDS: usize = 100;

#[derive(Default)]
#[repr(align(64))]
struct Line(AtomicU64);

/// Time in ns for each line of the cache that one thread writes and another one reads, again and again and in both directions at the same
/// time, as bodies at the borders between threads are: to take it from who has read it last, and to read it from who has written it.
///
/// Takes some 2 ms, or longer if the two share a processor.
#[must_use]
pub fn hand_over() -> f64 {
    let (lines, arrived) = ([0; 2].map(|_| Vec::from_iter((0..LINES).map(|_| Line::default()))), AtomicUsize::new(0));
    let meet = |times: usize| {
        arrived.fetch_add(1, Ordering::AcqRel);
        let mut looks = 0_u32;
        while arrived.load(Ordering::Acquire) < 2 * times {
            looks += 1;
            if looks.is_multiple_of(1000) { std::thread::yield_now() } else { std::hint::spin_loop() }
        }
    };
    let work = |[own, other]: [&[Line]; 2]| {
        meet(1);
        let start = Instant::now();
        for round in 1..=ROUNDS {
            own.iter().for_each(|Line(number)| number.store(round as u64, Ordering::Relaxed));
            meet(2 * round);
            let sum: u64 = other.iter().map(|Line(number)| number.load(Ordering::Relaxed)).sum();
            assert_eq!(std::hint::black_box(sum), (round * LINES) as u64);
            meet(2 * round + 1);
        }
        start.elapsed().as_secs_f64() * 1e9 / (ROUNDS * LINES) as f64
    };
    let [first, second] = &lines;
    std::thread::scope(|scope| {
        scope.spawn(|| work([second, first]));
        work([first, second])
    })
}
