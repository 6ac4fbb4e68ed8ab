//! Results in a temporary folder, for measuring how long writing takes.

use tempfile::TempDir;

use super::frames::{Frame, Frames};
use super::lines::Lines;
use super::names::SERIES;
use crate::error::GrainsError;
use crate::storage::{self, FilePositions};

/// A temporary folder of results for measuring the time of writing. It is removed when this value is dropped.
#[derive(Debug)]
pub(crate) struct TrialOutput {
    folder: TempDir,
    lines: Lines,
    frames: Frames,
}

impl TrialOutput {
    pub(crate) fn create() -> Result<Self, GrainsError> {
        let folder = tempfile::Builder::new().prefix("grains-check-").tempdir();
        let folder = folder.map_err(GrainsError::io(std::env::temp_dir()))?;
        let lines = Lines::create(folder.path().join(SERIES), "")?;
        let frames = Frames::at(folder.path(), Vec::new(), Vec::new())?;
        Ok(Self { folder, lines, frames })
    }

    pub(crate) fn lines(&mut self, text: &str) -> Result<(), GrainsError> {
        self.lines.push(text)
    }

    /// Writes a frame, and returns the length of its files in bytes.
    pub(crate) fn frame(&mut self, frame: &Frame) -> Result<u64, GrainsError> {
        self.frames.push(frame)?;
        Ok(self.frames.length_of_last())
    }

    pub(crate) fn checkpoint(&mut self, simulation: &[u8]) -> Result<(), GrainsError> {
        let positions = FilePositions { series: Some(self.lines.sync()?), ..FilePositions::default() };
        storage::write(&self.folder.path().join(storage::FILE), simulation, &positions).map(|_| ())
    }
}
