//! Clock time, processor time and peak memory of trial work.

use std::time::{Duration, Instant};

use crate::error::GrainsError;

/// Time for which short work is repeated, long enough for the clock.
const REPEATED: Duration = Duration::from_millis(5);

/// Clock time in s of some work, and processor time in s on systems that report it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spent {
    pub(super) clock: f64,
    pub(super) processor: Option<f64>,
}

impl Spent {
    pub(super) fn times(self, factor: f64) -> Self {
        Self { clock: self.clock * factor, processor: self.processor.map(|time| time * factor) }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Watch {
    pub(super) clock: Instant,
    processor: Option<Duration>,
}

impl Watch {
    pub(super) fn start() -> Self {
        Self { processor: processor_time(), clock: Instant::now() }
    }

    pub(super) fn spent(self) -> Spent {
        let clock = self.clock.elapsed().as_secs_f64();
        let processor = processor_time().zip(self.processor);
        Spent { clock, processor: processor.map(|(end, start)| end.saturating_sub(start).as_secs_f64()) }
    }
}

/// Measures the average time in s of `work`, repeated for at least [`REPEATED`].
pub(super) fn timed(mut work: impl FnMut() -> Result<(), GrainsError>) -> Result<f64, GrainsError> {
    let begin = Instant::now();
    let mut count = 0_u32;
    while count == 0 || begin.elapsed() < REPEATED {
        work()?;
        count += 1;
    }
    Ok(begin.elapsed().as_secs_f64() / f64::from(count))
}

/// Returns the processor time of all threads of this process; none on systems that do not report it.
fn processor_time() -> Option<Duration> {
    let nanoseconds = |task: std::io::Result<std::fs::DirEntry>| {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    };
    let tasks = std::fs::read_dir("/proc/self/task").ok()?;
    let total: Option<u64> = tasks.map(nanoseconds).sum();
    total.map(Duration::from_nanos)
}

/// Returns the peak memory of this process in bytes; none on systems that do not report it.
pub(super) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(1024 * kilobytes)
}
