//! Stopwatch for the computing time of one thread.
use std::time::Instant;

/// Stopwatch that measures the CPU time of the current thread, so that other programs have no effect, or the elapsed
/// time on systems that do not report CPU time. Work of other threads is not counted.
pub(super) struct Stopwatch {
    /// CPU time of the thread at the start in s.
    running: Option<f64>,
    start: Instant,
}

impl Stopwatch {
    pub(super) fn start() -> Self {
        Self { running: Self::running(), start: Instant::now() }
    }

    /// Reads the CPU time of the current thread in s.
    fn running() -> Option<f64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(1e-9 * text.split_whitespace().next()?.parse::<f64>().ok()?)
    }

    /// Returns the CPU time, or else the elapsed time, in s since the stopwatch was started.
    pub(super) fn seconds(&self) -> f64 {
        let elapsed = self.start.elapsed().as_secs_f64();
        self.running.zip(Self::running()).map_or(elapsed, |(start, end)| end - start)
    }
}
