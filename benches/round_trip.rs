//! How far apart two cores are.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// Time in ns in which a cache line goes from one thread to another and back, the best of several tries.
///
/// What two threads gain where they share data hangs on it, and it is the host that decides it: cores behind one cache need
/// well below 100 ns, and a virtual machine whose processors are put behind different ones several times that.
#[must_use]
pub fn round_trip() -> f64 {
    const TRIPS: u32 = 20_000;
    let attempt = || {
        let ball = AtomicU32::new(0);
        let wait = |for_value| {
            while ball.load(Ordering::Acquire) != for_value {
                std::hint::spin_loop();
            }
        };
        let start = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for trip in 0..TRIPS {
                    wait(2 * trip + 1);
                    ball.store(2 * trip + 2, Ordering::Release);
                }
            });
            for trip in 0..TRIPS {
                ball.store(2 * trip + 1, Ordering::Release);
                wait(2 * trip + 2);
            }
        });
        start.elapsed().as_secs_f64() * 1e9 / f64::from(TRIPS)
    };
    (0..3).map(|_| attempt()).fold(f64::INFINITY, f64::min)
}
