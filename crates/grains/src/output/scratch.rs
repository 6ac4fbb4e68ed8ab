//! Results that no one keeps, to see how long writing takes.

use tempfile::TempDir;

use super::frames::Frames;
use super::lines::Lines;
use super::{CHECKPOINT, Marks, SERIES};
use crate::{GrainsError, Simulation, checkpoint};

/// A folder of its own among the system's temporary ones, which is removed in the end.
#[derive(Debug)]
pub(crate) struct Scratch {
    folder: TempDir,
    lines: Lines,
    frames: Frames,
}

impl Scratch {
    /// An empty folder, with a list of `frames` frames.
    pub(crate) fn create(frames: usize) -> Result<Self, GrainsError> {
        let folder = tempfile::Builder::new().prefix("grains-check-").tempdir();
        let folder = folder.map_err(GrainsError::io(std::env::temp_dir()))?;
        let lines = Lines::create(folder.path().join(SERIES), "")?;
        let frames = Frames::at(folder.path(), vec![0.0; frames])?;
        Ok(Self { folder, lines, frames })
    }

    /// Writes lines of a table.
    pub(crate) fn lines(&mut self, text: &str) -> Result<(), GrainsError> {
        self.lines.push(text)?;
        self.lines.flush()
    }

    /// Writes a frame, and the list of frames.
    pub(crate) fn frame(&mut self, simulation: &Simulation) -> Result<(), GrainsError> {
        self.frames.push(simulation.bodies(), simulation.state(), simulation.bonds())
    }

    /// Writes a checkpoint.
    pub(crate) fn checkpoint(&mut self, simulation: &[u8]) -> Result<(), GrainsError> {
        let marks = Marks { series: Some(self.lines.mark()?), ..Marks::default() };
        checkpoint::write(&self.folder.path().join(CHECKPOINT), simulation, &marks)
    }
}
