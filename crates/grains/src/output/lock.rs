//! Lock of a folder of results, for one writing process at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::path::Path;

use crate::error::GrainsError;
use crate::files;
use crate::storage;

/// Name of the lock file, which stays in the folder after the run and is empty once the run has a checkpoint.
pub(super) const LOCK: &str = "run.lock";

/// Content of the lock file until the first checkpoint.
const MARK: &str = "no checkpoint yet\n";

/// The lock of a folder of results: while this value lives, no other process writes there.
///
/// Programs that move or change results can take the lock too. The system frees it when the process ends in any way.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Drop for Lock {
    /// Unlocks the file. Closing is not enough: a child process that another thread is just starting has the file open
    /// for a moment. If unlocking fails, the lock ends when all processes have closed the file.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl Lock {
    pub(crate) fn exists_in(folder: &Path) -> bool {
        folder.join(LOCK).exists()
    }

    /// Takes the lock of `folder`, or fails at once if another process holds it.
    ///
    /// # Errors
    /// [`GrainsError::Busy`] if another process holds the lock, [`GrainsError::Io`].
    pub fn take(folder: &Path) -> Result<Self, GrainsError> {
        let path = folder.join(LOCK);
        // Refuses a pipe, since opening it would block until its other end is opened.
        if path.exists() {
            files::open(&path).map_err(GrainsError::io(&path))?;
        }
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(GrainsError::io(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { file }),
            Err(TryLockError::WouldBlock) => Err(GrainsError::Busy { path: folder.to_owned() }),
            Err(TryLockError::Error(error)) => Err(GrainsError::io(path)(error)),
        }
    }

    /// Returns whether the run in `folder` has no checkpoint yet, by the mark in its lock file. A lock file with
    /// another content belongs to no run.
    pub(crate) fn is_before_checkpoint(folder: &Path) -> bool {
        let path = folder.join(LOCK);
        let fits = path.metadata().is_ok_and(|file| file.is_file() && file.len() == MARK.len() as u64);
        // On systems where a locked file cannot be read, only its length is compared.
        let is_marked = fits && fs::read(&path).map_or(true, |content| content == MARK.as_bytes());
        is_marked && !folder.join(storage::FILE).exists()
    }

    /// Marks the lock file before any result is written: the run has no checkpoint yet. The mark is synced to disk, so
    /// that results without a checkpoint after a power failure are recognised as leftovers.
    ///
    /// # Errors
    /// [`GrainsError::Io`].
    pub(crate) fn mark(&mut self, folder: &Path) -> Result<(), GrainsError> {
        // A longer file is truncated after the mark is written, so that a mark of an earlier run never disappears in
        // between.
        let written = self.file.write_all(MARK.as_bytes()).and_then(|()| self.file.set_len(MARK.len() as u64));
        let written = written.and_then(|()| self.file.sync_all());
        written.map_err(GrainsError::io(folder.join(LOCK)))?;
        files::sync_folder(folder)
    }

    /// Removes the mark from the lock file once there is a checkpoint.
    ///
    /// # Errors
    /// [`GrainsError::Io`].
    pub(crate) fn clear(file: &File, folder: &Path) -> Result<(), GrainsError> {
        file.set_len(0).map_err(GrainsError::io(folder.join(LOCK)))
    }

    /// The lock file, which stays locked while this value lives.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }
}
