//! One writer in a folder of results at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::path::Path;

use super::names::LOCK;
use crate::error::GrainsError;
use crate::files;
use crate::storage;

/// What the file of a lock has until the run has its first checkpoint.
const MARK: &str = "no checkpoint yet\n";

/// The lock of a folder of results: while it lives, no other process writes there.
///
/// Programs that move or change results can take it too. The system frees the lock when the process ends, however it
/// ends.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Drop for Lock {
    /// Closing the file is not enough: a program that another thread is just starting has the file open for a moment.
    /// If unlocking fails, the lock ends when all of them have closed the file.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl Lock {
    /// Whether `folder` has the file of a lock, held or not.
    pub(crate) fn exists_in(folder: &Path) -> bool {
        folder.join(LOCK).exists()
    }

    /// Takes the lock of `folder`. Does not wait.
    ///
    /// # Errors
    /// [`GrainsError::Busy`] if another process holds it, [`GrainsError::Io`].
    pub fn take(folder: &Path) -> Result<Self, GrainsError> {
        let path = folder.join(LOCK);
        // Opening a pipe would wait for its other end.
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

    /// Whether the run in `folder` has no checkpoint yet: the file of its lock says so.
    pub(crate) fn is_before_checkpoint(folder: &Path) -> bool {
        let is_marked = folder.join(LOCK).metadata().is_ok_and(|file| file.is_file() && file.len() > 0);
        is_marked && !folder.join(storage::FILE).exists()
    }

    /// Says in the file that the run has no checkpoint yet, before any result is there. It is on the disk then: what
    /// is found without a checkpoint after a failure of power is known to be the rest of this run, too.
    ///
    /// # Errors
    /// [`GrainsError::Io`].
    pub(crate) fn mark(&mut self, folder: &Path) -> Result<(), GrainsError> {
        let written = self.file.write_all(MARK.as_bytes()).and_then(|()| self.file.sync_all());
        written.map_err(GrainsError::io(folder.join(LOCK)))?;
        files::sync_folder(folder)
    }

    /// Takes the mark away from `file`, which is that of a lock: there is a checkpoint.
    ///
    /// # Errors
    /// [`GrainsError::Io`].
    pub(crate) fn clear(file: &File, folder: &Path) -> Result<(), GrainsError> {
        file.set_len(0).map_err(GrainsError::io(folder.join(LOCK)))
    }

    /// The locked file.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }
}
