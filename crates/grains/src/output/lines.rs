//! A text file to which lines are appended, and which can be truncated to an earlier length.

use std::path::PathBuf;

use crate::error::GrainsError;
use crate::files::Owned;
use crate::storage::WrittenText;

#[derive(Debug)]
pub(super) struct Lines {
    file: Owned,
    checksum: crc32fast::Hasher,
}

impl Lines {
    pub(super) fn create(path: PathBuf, header: &str) -> Result<Self, GrainsError> {
        let mut lines = Self { file: Owned::create(path)?, checksum: crc32fast::Hasher::new() };
        lines.push(header)?;
        Ok(lines)
    }

    /// Opens an existing file and truncates it to the text written before a checkpoint.
    ///
    /// # Errors
    /// [`GrainsError::ResultsChanged`] and [`GrainsError::ResultsReplaced`] if the file does not begin with this text,
    /// and [`GrainsError::Io`].
    pub(super) fn cut(path: PathBuf, written: WrittenText) -> Result<Self, GrainsError> {
        let mut checksum = crc32fast::Hasher::new();
        let file = Owned::cut(path, written.length, |bytes| {
            checksum.update(bytes);
            checksum.clone().finalize() == written.checksum
        })?;
        Ok(Self { file, checksum })
    }

    /// Appends text to the file; the system has the text when this returns, so that it survives the end of the process.
    pub(super) fn push(&mut self, text: &str) -> Result<(), GrainsError> {
        self.file.push(text.as_bytes())?;
        self.checksum.update(text.as_bytes());
        Ok(())
    }

    pub(super) fn check(&self) -> Result<(), GrainsError> {
        self.file.check()
    }

    /// Syncs the file to the disk, and returns length and checksum of its text.
    pub(super) fn sync(&self) -> Result<WrittenText, GrainsError> {
        self.file.sync()?;
        Ok(WrittenText { length: self.file.length(), checksum: self.checksum.clone().finalize() })
    }
}
