//! How a rank waits for another one.

use std::thread;
use std::time::{Duration, Instant};

/// Most waits are shorter. To wake a rank up that sleeps takes 50 µs and more.
const WHILE: Duration = Duration::from_micros(300);

/// Polls for what another rank sends, for 0.3 ms at most; `None` if it has not come by then. Between two polls the
/// thread yields its processor. Sleep after that, so that a long wait costs nothing.
pub fn poll_for_a_while<V>(mut poll: impl FnMut() -> Option<V>) -> Option<V> {
    let begin = Instant::now();
    loop {
        let found = poll();
        if found.is_some() || begin.elapsed() > WHILE {
            return found;
        }
        thread::yield_now();
    }
}
