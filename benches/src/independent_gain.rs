//! Gain of two threads that share nothing.

use std::hint::black_box;
use std::time::Instant;

/// Returns how much more two threads get done than one if they share nothing, not even memory: 2 on two cores, less on
/// two threads of one core. The two processors of a virtual machine may be one core for a while.
///
/// The call takes about 50 ms; the shortest times of four tries count. Measure this gain beside each figure of two
/// threads, since a host moves its guests about.
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

/// Adds to sums that stay in registers, as many at once as one core can do.
fn loops() -> f64 {
    let mut sums = black_box([1.0_f64; 24]);
    for round in 0..500_000_u32 {
        let push = 1e-9 * f64::from(round & 1);
        sums.iter_mut().for_each(|sum| *sum = 0.999_999 * *sum + push);
    }
    sums.iter().sum()
}
