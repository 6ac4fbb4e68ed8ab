//! Results in a temporary folder, for measuring how long writing takes.

use tempfile::TempDir;

use super::frames::{Frame, Frames};
use super::lines::Lines;
use super::names::SERIES;
use crate::error::GrainsError;
use crate::storage::{self, FilePositions};

/// A temporary folder of results, for measuring how long writing takes. The folder is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct TrialOutput {
    folder: TempDir,
    lines: Lines,
    frames: Frames,
}

impl TrialOutput {
    /// Creates an empty temporary folder of results.
    pub(crate) fn create() -> Result<Self, GrainsError> {
        let folder = tempfile::Builder::new().prefix("grains-check-").tempdir();
        let folder = folder.map_err(GrainsError::io(std::env::temp_dir()))?;
        let lines = Lines::create(folder.path().join(SERIES), "")?;
        let frames = Frames::at(folder.path(), Vec::new(), Vec::new())?;
        Ok(Self { folder, lines, frames })
    }

    /// Writes lines into the table of the trial folder.
    pub(crate) fn lines(&mut self, text: &str) -> Result<(), GrainsError> {
        self.lines.push(text)
    }

    /// Writes a frame, and adds it to the list of frames in the trial folder. Returns the length of its files in bytes.
    pub(crate) fn frame(&mut self, frame: &Frame) -> Result<u64, GrainsError> {
        self.frames.push(frame)?;
        Ok(self.frames.length_of_last())
    }

    /// Writes a checkpoint with the encoded simulation into the trial folder.
    pub(crate) fn checkpoint(&mut self, simulation: &[u8]) -> Result<(), GrainsError> {
        let positions = FilePositions { series: Some(self.lines.sync()?), ..FilePositions::default() };
        storage::write(&self.folder.path().join(storage::FILE), simulation, &positions).map(|_| ())
    }
}
