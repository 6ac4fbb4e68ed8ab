//! Names of the files in a folder of results.

/// The time series.
pub(crate) const SERIES: &str = "series.csv";
/// The table of contacts.
pub(crate) const CONTACTS: &str = "contacts.csv";
/// The list of frames.
pub(crate) const FRAMES: &str = "frames.pvd";
/// The file that a running program locks. It stays behind, empty.
pub(crate) const LOCK: &str = "run.lock";

/// The frame with this number.
pub(crate) fn frame(number: usize) -> String {
    format!("frames-{number:06}.vtp")
}

/// The number of the frame with this name.
pub(crate) fn frame_number(name: &str) -> Option<usize> {
    name.strip_prefix("frames-")?.strip_suffix(".vtp")?.parse().ok()
}
