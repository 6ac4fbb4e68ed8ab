//! Signals that ask a run to end after a checkpoint.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Sets `stop` when Ctrl-C (SIGINT), SIGTERM or SIGHUP asks the program to end. If no handler can be set, the signal
/// ends the program at once; `resume` then continues from the last checkpoint.
///
/// A signal that was ignored at the start of the program stays ignored: SIGHUP under `nohup`, SIGINT in the background
/// of a script. Linux lists these signals; other systems do not, so that all three are caught there.
#[cfg(unix)]
pub(super) fn catch(stop: &Arc<AtomicBool>) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let ignored = ignored();
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        if ignored >> (signal - 1) & 1 == 0 {
            let _caught = signal_hook::flag::register(signal, Arc::clone(stop));
        }
    }
}

/// Returns the signals that this process ignores as a bit mask, bit 0 for signal 1; zero if the system has no such
/// list.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Sets `stop` when Ctrl-C or the end of the session asks the program to end. If no handler can be set, the program
/// ends at once; `resume` then continues from the last checkpoint.
#[cfg(not(unix))]
pub(super) fn catch(stop: &Arc<AtomicBool>) {
    let stop = Arc::clone(stop);
    let _caught = ctrlc::set_handler(move || stop.store(true, std::sync::atomic::Ordering::SeqCst));
}
