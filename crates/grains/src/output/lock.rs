//! One writer in a folder of results at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use crate::GrainsError;

/// The file that is locked; it stays behind, empty.
const NAME: &str = "run.lock";

/// A folder of results that no other process writes to as long as this lives.
///
/// The system lets go of the lock when the process ends, in whatever way, so that none is ever left over.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
}

impl Drop for Lock {
    /// To close the file is not enough: another thread may just be starting a program, which has the file open too until it is
    /// that program. Should this fail, the lock ends when all of them have closed it.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl Lock {
    /// Whether there has been a lock in `folder`, held or not.
    pub(crate) fn is_in(folder: &Path) -> bool {
        folder.join(NAME).exists()
    }

    /// Takes the lock of `folder`, which is there; waits for no one.
    pub(crate) fn take(folder: &Path) -> Result<Self, GrainsError> {
        let path = folder.join(NAME);
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(GrainsError::io(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { file }),
            Err(TryLockError::WouldBlock) => Err(GrainsError::Busy { path: folder.to_owned() }),
            Err(TryLockError::Error(error)) => Err(GrainsError::io(path)(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_is_dropped_is_free_though_others_still_have_the_file_open() {
        let folder = tempfile::tempdir().unwrap();
        let lock = Lock::take(folder.path()).unwrap();
        // What a program has that is started meanwhile.
        let other = lock.file.try_clone().unwrap();
        assert!(matches!(Lock::take(folder.path()), Err(GrainsError::Busy { .. })));
        drop(lock);
        assert!(Lock::take(folder.path()).is_ok());
        drop(other);
    }
}
