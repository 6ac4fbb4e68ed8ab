//! Names of the files in a folder of results.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::lock::Lock;
use crate::error::GrainsError;
use crate::files;
use crate::storage;

pub(crate) const SERIES: &str = "series.csv";
pub(crate) const CONTACTS: &str = "contacts.csv";
/// Name of the table of grains that passed gates.
pub(crate) const PASSED: &str = "passed.csv";
/// Name of the file with meanings and units of the columns of all tables and frames.
pub(crate) const COLUMNS: &str = "columns.json";
pub(crate) const FRAMES: &str = "frames.pvd";

pub(crate) fn measure(name: &str) -> String {
    format!("measure-{name}.csv")
}

pub(crate) fn friction_problem(step: u64) -> String {
    format!("fclib-{step:06}.hdf5")
}

fn is_friction_problem(name: &str) -> bool {
    let step = name.strip_prefix("fclib-").and_then(|rest| rest.strip_suffix(".hdf5")?.parse().ok());
    step.is_some_and(|step| friction_problem(step) == name)
}

/// A part of a frame, written to its own file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FramePart {
    /// Part of a frame with grains as points.
    Grains,
    /// Part of a frame with contacts as lines.
    Contacts,
    /// Part of a frame with walls as faces, except for those in `WallsAtRest`.
    Walls,
    /// Part of a frame with bonds as lines.
    Bonds,
    /// Part of a frame with meshes and turned profiles at rest. Its file is written once; later frames refer to it.
    WallsAtRest,
}

/// The parts of a frame in the order of the list of frames.
pub(crate) const FRAME_PARTS: [FramePart; 5] =
    [FramePart::Grains, FramePart::Contacts, FramePart::Walls, FramePart::Bonds, FramePart::WallsAtRest];

impl FramePart {
    fn prefix(self) -> &'static str {
        match self {
            Self::Grains => "frames-",
            Self::Contacts => "contacts-",
            Self::Walls => "walls-",
            Self::Bonds => "bonds-",
            Self::WallsAtRest => "walls-at-rest-",
        }
    }
}

pub(super) fn frame(part: FramePart, number: usize) -> String {
    format!("{}{number:06}.vtp", part.prefix())
}

/// Returns the number of the frame whose part has the file name `name`, if a run can write this name.
pub(crate) fn frame_number(part: FramePart, name: &str) -> Option<usize> {
    let number = name.strip_prefix(part.prefix())?.strip_suffix(".vtp")?.parse().ok()?;
    (frame(part, number) == name).then_some(number)
}

/// Returns whether a run writes a file of results of this name, or of this name without `.new`. The lock file is no
/// result.
pub(crate) fn is_result(name: &str) -> bool {
    let whole = name.strip_suffix(".new").unwrap_or(name);
    [storage::FILE, storage::PREVIOUS, SERIES, CONTACTS, PASSED, COLUMNS, FRAMES].contains(&whole)
        || FRAME_PARTS.into_iter().any(|part| frame_number(part, whole).is_some())
        || whole.starts_with("measure-") && whole.ends_with(".csv")
        || is_friction_problem(whole)
}

/// Lists the files in `folder` whose names pass `is_wanted`, sorted.
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

/// Refuses a folder in which results would replace an input, or other results unless `overwrite` is set. A missing
/// folder counts as empty. Results of a run that ended before its first checkpoint may always be overwritten, since
/// they cannot be continued.
///
/// # Errors
/// [`GrainsError::InputInTheWay`], [`GrainsError::Occupied`], [`GrainsError::NoFolder`] if there is another kind of
/// file, and [`GrainsError::Io`].
pub(crate) fn refuse_what_is_in_the_way(folder: &Path, inputs: &[PathBuf], overwrite: bool) -> Result<(), GrainsError> {
    if !files::is_taken(folder) {
        return Ok(());
    }
    if !folder.is_dir() {
        return Err(GrainsError::NoFolder { path: folder.to_owned(), source: ErrorKind::NotADirectory.into() });
    }
    let found = files_in(folder, is_result)?;
    found.iter().try_for_each(|path| files::refuse_input(path, inputs))?;
    match found.first() {
        Some(path) if !overwrite && !Lock::is_before_checkpoint(folder) => {
            let found = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Err(GrainsError::Occupied { path: folder.to_owned(), found })
        }
        _ => Ok(()),
    }
}
