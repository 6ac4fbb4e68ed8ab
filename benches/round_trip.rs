//! How far two threads are from each other.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// Time in ns from one thread to another and back through a line of the cache: several times as long where their cores share no cache,
/// and so is the time that each line takes which one of them has written and the other one reads. A host may move its
/// guests from the one to the other from second to second.
///
/// Takes some 5 ms, or a hundred if the two share a processor.
#[must_use]
pub fn round_trip() -> f64 {
    const TIMES: u32 = 10_000;
    let ball = AtomicU32::new(0);
    let play = |own: u32| {
        for time in 0..TIMES {
            let mut looks = 0_u32;
            while ball.load(Ordering::Acquire) != 2 * time + own {
                looks += 1;
                // Two threads that share a processor would use it up in turns.
                if looks.is_multiple_of(100) { std::thread::yield_now() } else { std::hint::spin_loop() }
            }
            ball.store(2 * time + own + 1, Ordering::Release);
        }
    };
    let start = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| play(1));
        play(0);
    });
    start.elapsed().as_secs_f64() * 1e9 / f64::from(TIMES)
}
