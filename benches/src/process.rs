//! Threads, memory and running time of this process; memory and time are read from `/proc` (Linux only).

/// Makes a thread pool of `threads` threads.
///
/// # Panics
/// If the system gives no thread.
#[must_use]
pub fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("the system gives threads")
}

/// CPU time in s of all threads of this process; NaN on other systems than Linux.
#[must_use]
pub fn running_time() -> f64 {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return f64::NAN };
    let running = |task: std::io::Result<std::fs::DirEntry>| {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    };
    1e-9 * tasks.map(|task| running(task).unwrap_or(f64::NAN)).sum::<f64>()
}

/// Memory in bytes by a field of `/proc/self/status`: `VmRSS` is resident memory, `VmHWM` its peak. NaN on other
/// systems than Linux.
#[must_use]
pub fn memory(field: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.map_or(f64::NAN, |kilobytes| 1024.0 * kilobytes)
}
