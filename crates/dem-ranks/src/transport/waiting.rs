//! Waiting of a rank for another rank: by polling, then by sleep.

use std::thread;
use std::time::{Duration, Instant};

/// Longest time for which a rank polls for a message. Most waits are shorter; waking a sleeping rank takes 50 µs or
/// more.
const WHILE: Duration = Duration::from_micros(300);

/// Polls for a value from another rank, for 0.3 ms at most; `None` if none has come by then. Between two polls the
/// thread yields its processor. Callers should sleep after that, so that a long wait costs nothing.
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
