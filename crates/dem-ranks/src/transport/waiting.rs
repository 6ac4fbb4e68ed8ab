//! Waiting of a rank for another rank: by polling, then by sleep.

use std::thread;
use std::time::{Duration, Instant};

/// Longest time for which a rank polls for a message. Most waits are shorter; waking a sleeping rank takes at least 50
/// µs.
const WHILE: Duration = Duration::from_micros(300);

/// Polls for a value from another rank, for 0.3 ms at most; `None` if none arrives. The thread yields its processor
/// between two polls. The caller should then sleep, so that a long wait takes no processor time.
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
