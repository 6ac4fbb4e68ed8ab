//! Time of a computation on one thread.
use std::time::Instant;

/// CPU time of this thread, so that other programs have no effect; elapsed time on systems that do not report it. Work
/// of other threads for this one is not counted.
pub(super) struct Stopwatch {
    running: Option<f64>,
    start: Instant,
}

impl Stopwatch {
    pub(super) fn start() -> Self {
        Self { running: Self::running(), start: Instant::now() }
    }

    fn running() -> Option<f64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(1e-9 * text.split_whitespace().next()?.parse::<f64>().ok()?)
    }

    pub(super) fn seconds(&self) -> f64 {
        let elapsed = self.start.elapsed().as_secs_f64();
        self.running.zip(Self::running()).map_or(elapsed, |(start, end)| end - start)
    }
}
