//! Gain of two threads that share nothing.

use std::hint::black_box;
use std::time::Instant;

/// Returns the gain of two threads that share nothing, not even memory: 2 on two cores, less on one core. Two
/// processors of a virtual machine may temporarily share a core, so measure this gain next to each figure of two
/// threads.
///
/// The call takes about 50 ms; the shortest times of four tries count.
#[must_use]
pub fn independent_gain() -> f64 {
    let mut alone = f64::INFINITY;
    let mut together = f64::INFINITY;
    for _ in 0..4 {
        alone = alone.min(seconds(&|| {
            black_box(loops());
        }));
        together = together.min(seconds(&|| {
            std::thread::scope(|scope| {
                scope.spawn(|| black_box(loops()));
                black_box(loops());
            });
        }));
    }
    2.0 * alone / together
}

fn seconds(work: &dyn Fn()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// Adds to sums in registers, as many at once as keep one core busy.
fn loops() -> f64 {
    let mut sums = black_box([1.0_f64; 24]);
    for round in 0..500_000_u32 {
        let push = 1e-9 * f64::from(round & 1);
        sums.iter_mut().for_each(|sum| *sum = 0.999_999 * *sum + push);
    }
    sums.iter().sum()
}
