//! Frames for ParaView.

use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use dem_contact::bond::Bonds;
use dem_contact::error::DemError;
use dem_contact::io::VtpFrame;
use rrp_integrate::{Bodies, State};

use super::names;
use crate::error::GrainsError;
use crate::files::{self, Owned};
use crate::storage::WrittenFrame;

/// What stands in a list before and after the frames.
const HEAD: &str = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n";
const TAIL: &str = "</Collection>\n</VTKFile>\n";

/// Frames in one file each, and their list, which is complete at any moment.
#[derive(Debug)]
pub(super) struct Frames {
    folder: PathBuf,
    written: Vec<WrittenFrame>,
    list: Owned,
    /// How many frames are on the disk.
    synced: usize,
}

impl Frames {
    /// The frames in `folder`, where these are written. Those that the run wrote later are removed.
    ///
    /// # Errors
    /// [`GrainsError::ResultsChanged`] for a frame that is gone or of another length,
    /// [`GrainsError::ResultsReplaced`] for one that the run did not write.
    pub(super) fn at(folder: &Path, written: Vec<WrittenFrame>) -> Result<Self, GrainsError> {
        for (number, frame) in written.iter().enumerate() {
            files::require_length(&folder.join(names::frame(number)), frame.length)?;
        }
        remove_later(folder, written.len())?;
        let list = list(folder, &written)?;
        Ok(Self { folder: folder.to_owned(), synced: written.len(), written, list })
    }

    /// Writes a frame and adds it to the list.
    pub(super) fn push(
        &mut self,
        bodies: &Bodies,
        state: &State,
        ids: &[u64],
        bonds: Option<&Bonds>,
    ) -> Result<(), GrainsError> {
        let name = names::frame(self.written.len());
        let path = self.folder.join(&name);
        let time = state.time();
        let mut file = Owned::create(files::temporary(&path))?;
        let mut written = || -> Result<(), DemError> {
            let mut frame = VtpFrame::new(bodies, state)?.with_ids(ids)?;
            if let Some(bonds) = bonds {
                frame = frame.with_bonds(bonds)?;
            }
            let mut buffer = BufWriter::new(&mut file);
            frame.write(&mut buffer)?;
            Ok(buffer.flush()?)
        };
        written().map_err(|error| match error {
            DemError::Io(source) => GrainsError::io(&path)(source),
            source => GrainsError::Reading { time, source: Box::new(source) },
        })?;
        let length = file.length();
        file.rename(path)?;
        self.written.push(WrittenFrame { time, length });
        self.list.write_from(self.list.length() - TAIL.len() as u64, format!("{}{TAIL}", entry(&name, time)).as_bytes())
    }

    pub(super) fn written(&self) -> &[WrittenFrame] {
        &self.written
    }

    /// Checks that nothing else has changed frames and their list.
    pub(super) fn check(&self) -> Result<(), GrainsError> {
        for (number, frame) in self.written.iter().enumerate() {
            files::require_length(&self.folder.join(names::frame(number)), frame.length)?;
        }
        self.list.check()
    }

    /// Writes frames and their list to the disk.
    pub(super) fn sync(&mut self) -> Result<(), GrainsError> {
        for (number, frame) in self.written.iter().enumerate().skip(self.synced) {
            let path = self.folder.join(names::frame(number));
            files::require_length(&path, frame.length)?;
            fs::File::open(&path).and_then(|file| file.sync_all()).map_err(GrainsError::io(path))?;
        }
        self.synced = self.written.len();
        self.list.sync()
    }
}

/// The line of a frame in a list.
fn entry(name: &str, time: f64) -> String {
    format!("<DataSet timestep=\"{time}\" part=\"0\" file=\"{name}\"/>\n")
}

/// Writes the list of frames anew.
fn list(folder: &Path, written: &[WrittenFrame]) -> Result<Owned, GrainsError> {
    let mut text = String::from(HEAD);
    for (number, frame) in written.iter().enumerate() {
        text.push_str(&entry(&names::frame(number), frame.time));
    }
    text.push_str(TAIL);
    let path = folder.join(names::FRAMES);
    let mut list = Owned::create(files::temporary(&path))?;
    list.push(text.as_bytes())?;
    list.replace(path)
}

/// Removes the frames from number `first` on that the run wrote: those that are listed, and all that follow each other.
///
/// # Errors
/// [`GrainsError::ResultsReplaced`] for other frames, and [`GrainsError::Io`].
fn remove_later(folder: &Path, first: usize) -> Result<(), GrainsError> {
    let number = |path: &PathBuf| path.file_name().and_then(|name| names::frame_number(name.to_str()?)).unwrap_or(0);
    let later = |name: &str| names::frame_number(name).is_some_and(|number| number >= first);
    let mut found = names::files_in(folder, later)?;
    if found.is_empty() {
        return Ok(());
    }
    found.sort_by_key(number);
    let list = fs::read(folder.join(names::FRAMES)).unwrap_or_default();
    let listed = String::from_utf8_lossy(&list).lines().filter(|line| line.starts_with("<DataSet ")).count();
    let mut is_own = found.iter().enumerate().map(|(k, path)| number(path) < listed || number(path) == first + k);
    if let Some(other) = is_own.position(|is_own| !is_own) {
        return Err(GrainsError::ResultsReplaced { path: found.swap_remove(other) });
    }
    found.into_iter().try_for_each(|path| fs::remove_file(&path).map_err(GrainsError::io(path)))
}
