//! Names of the files in a folder of results.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::GrainsError;
use crate::files;
use crate::storage;

/// The time series.
pub(crate) const SERIES: &str = "series.csv";
/// The table of contacts.
pub(crate) const CONTACTS: &str = "contacts.csv";
/// The table of grains that passed gates.
pub(crate) const PASSED: &str = "passed.csv";
/// The list of frames.
pub(crate) const FRAMES: &str = "frames.pvd";
/// The file that a running program locks. It stays behind, empty.
pub(crate) const LOCK: &str = "run.lock";

/// The table of the measurement with this name.
pub(crate) fn measure(name: &str) -> String {
    format!("measure-{name}.csv")
}

/// The frame with this number.
pub(crate) fn frame(number: usize) -> String {
    format!("frames-{number:06}.vtp")
}

/// The number of the frame with this name, if a run gives a frame this name.
pub(crate) fn frame_number(name: &str) -> Option<usize> {
    let number = name.strip_prefix("frames-")?.strip_suffix(".vtp")?.parse().ok()?;
    (frame(number) == name).then_some(number)
}

/// Whether a run gives a file of results this name, for a while or for good. The lock is no result.
pub(crate) fn is_result(name: &str) -> bool {
    let whole = name.strip_suffix(".new").unwrap_or(name);
    [storage::FILE, storage::PREVIOUS, SERIES, CONTACTS, PASSED, FRAMES].contains(&whole)
        || frame_number(whole).is_some()
        || whole.starts_with("measure-") && whole.ends_with(".csv")
}

/// The files in `folder` whose names fulfil a condition, sorted.
///
/// # Errors
/// [`GrainsError::Io`].
pub(crate) fn files_in(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, GrainsError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(GrainsError::io(folder))? {
        let entry = entry.map_err(GrainsError::io(folder))?;
        if entry.file_name().to_str().is_some_and(&is_wanted) {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// Refuses a folder in which results would replace an input, or something else unless it may be overwritten. A folder
/// that is not there is empty.
///
/// # Errors
/// [`GrainsError::InputInTheWay`], [`GrainsError::Occupied`], and [`GrainsError::Io`].
pub(crate) fn refuse_what_is_in_the_way(folder: &Path, inputs: &[PathBuf], overwrite: bool) -> Result<(), GrainsError> {
    if !files::is_taken(folder) {
        return Ok(());
    }
    let found = files_in(folder, is_result)?;
    found.iter().try_for_each(|path| files::refuse_input(path, inputs))?;
    match found.first() {
        Some(path) if !overwrite => {
            let found = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Err(GrainsError::Occupied { path: folder.to_owned(), found })
        }
        _ => Ok(()),
    }
}
