//! Checks of estimated memory against free memory, before it is allocated.

use std::fs;

use crate::error::{GrainsError, Location};

/// Share of the free memory that an estimate may take; error messages name the share in words. The rest covers what the
/// estimates leave out.
const SHARE: f64 = 0.9;

/// Refuses a request for about `bytes` of memory if less is free. `what` names the purpose of the memory.
///
/// # Errors
/// [`GrainsError::TooLarge`].
pub(crate) fn require(at: Location, bytes: u64, what: impl FnOnce() -> String) -> Result<(), GrainsError> {
    // Asking the system takes too long for small requests.
    if bytes < 1 << 24 {
        return Ok(());
    }
    require_of(available(), at, bytes, what)
}

/// Refuses a request for about `bytes` of address space that exceeds the limit of this process. Address space, such as
/// that of stacks of threads, takes no memory until it is written to.
///
/// # Errors
/// [`GrainsError::TooLarge`].
pub(crate) fn require_addresses(at: Location, bytes: u64, what: impl FnOnce() -> String) -> Result<(), GrainsError> {
    require_of(address_space(), at, bytes, what)
}

/// Refuses a request for about `bytes` of memory or address space above the share [`SHARE`] of the `free` bytes.
fn require_of(free: Option<u64>, at: Location, bytes: u64, what: impl FnOnce() -> String) -> Result<(), GrainsError> {
    match free.map(|free| (SHARE * free as f64) as u64) {
        Some(allowed) if bytes > allowed => Err(GrainsError::TooLarge { at, what: what(), needed: bytes, allowed }),
        _ => Ok(()),
    }
}

/// Returns the number of bytes of memory that this process can still allocate: the minimum of the free memory, the rest
/// of its address space, and the rest of its control group. None on systems that report none of them.
pub(crate) fn available() -> Option<u64> {
    [free(), address_space(), control_group()].into_iter().flatten().min()
}

/// Reads the number of bytes from the line of `text` that begins with `name`, a number in kB.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok()?.checked_mul(1024)
}

fn free() -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")
}

fn address_space() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find(|line| line.starts_with("Max address space"))?;
    let limit: u64 = line.split_whitespace().nth(3)?.parse().ok()?;
    Some(limit.saturating_sub(kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmSize:")?))
}

fn control_group() -> Option<u64> {
    let number = |name: &str| fs::read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok()?.trim().parse().ok();
    let (limit, used): (u64, u64) = (number("max")?, number("current")?);
    // The system frees cached pages of files when memory is short.
    let stat = fs::read_to_string("/sys/fs/cgroup/memory.stat").ok()?;
    let of_files = stat.lines().find_map(|line| line.strip_prefix("inactive_file ")?.parse().ok()).unwrap_or(0);
    Some(limit.saturating_sub(used.saturating_sub(of_files)))
}
