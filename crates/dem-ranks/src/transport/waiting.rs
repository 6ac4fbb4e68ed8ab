//! How a rank waits for another one.

use std::thread;
use std::time::{Duration, Instant};

/// Most waits are shorter. To wake a rank up that sleeps takes 50 µs and more.
const ASKS: Duration = Duration::from_micros(300);

/// Asks for what another rank sends, again and again for a short time. `None` if it has not come: then sleep.
pub fn ask<V>(mut asked: impl FnMut() -> Option<V>) -> Option<V> {
    let begin = Instant::now();
    loop {
        let found = asked();
        if found.is_some() || begin.elapsed() > ASKS {
            return found;
        }
        // Another rank may need the processor.
        thread::yield_now();
    }
}
