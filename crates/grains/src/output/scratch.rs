//! Results that no one keeps, to see how long writing takes.

use std::fs;
use std::path::PathBuf;

use super::frames::Frames;
use super::lines::Lines;
use super::{CHECKPOINT, Marks, SERIES};
use crate::{GrainsError, Simulation, checkpoint};

/// A folder among the system's temporary ones, which is removed in the end.
#[derive(Debug)]
pub(crate) struct Scratch {
    folder: PathBuf,
    lines: Lines,
    frames: Frames,
}

impl Scratch {
    /// An empty folder, with a list of `frames` frames.
    pub(crate) fn create(frames: usize) -> Result<Self, GrainsError> {
        let folder = std::env::temp_dir().join(format!("grains-check-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(GrainsError::io(&folder))?;
        let lines = Lines::create(folder.join(SERIES), "")?;
        let frames = Frames::at(&folder, vec![0.0; frames])?;
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
        checkpoint::write(&self.folder.join(CHECKPOINT), simulation, &marks)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed from there the system removes one day.
        let _removed = fs::remove_dir_all(&self.folder);
    }
}
