//! A text file that grows line by line, and can be cut back to an earlier length.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use crate::error::GrainsError;

/// A text file that grows.
#[derive(Debug)]
pub(super) struct Lines {
    path: PathBuf,
    file: BufWriter<File>,
    length: u64,
}

impl Lines {
    /// A new file with a first line.
    pub(super) fn create(path: PathBuf, header: &str) -> Result<Self, GrainsError> {
        let file = BufWriter::new(File::create(&path).map_err(GrainsError::io(&path))?);
        let mut lines = Self { path, file, length: 0 };
        lines.push(header)?;
        Ok(lines)
    }

    /// Cuts an existing file back to `length` bytes.
    pub(super) fn cut(path: PathBuf, length: u64) -> Result<Self, GrainsError> {
        let file = OpenOptions::new().append(true).open(&path).map_err(GrainsError::io(&path))?;
        let found = file.metadata().map_err(GrainsError::io(&path))?.len();
        if found < length {
            return Err(GrainsError::ResultsChanged { path, expected: length, found });
        }
        file.set_len(length).map_err(GrainsError::io(&path))?;
        Ok(Self { file: BufWriter::new(file), path, length })
    }

    /// Adds text.
    pub(super) fn push(&mut self, text: &str) -> Result<(), GrainsError> {
        self.file.write_all(text.as_bytes()).map_err(GrainsError::io(&self.path))?;
        self.length += text.len() as u64;
        Ok(())
    }

    /// Hands everything to the system: it survives the end of the process.
    pub(super) fn flush(&mut self) -> Result<(), GrainsError> {
        self.file.flush().map_err(GrainsError::io(&self.path))
    }

    /// Writes everything to the disk, and returns the length in bytes.
    pub(super) fn sync(&mut self) -> Result<u64, GrainsError> {
        self.flush()?;
        self.file.get_ref().sync_data().map_err(GrainsError::io(&self.path))?;
        Ok(self.length)
    }
}
