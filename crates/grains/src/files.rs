//! Reading of input files and writing of result files.
//!
//! An input is a regular file that fits into memory. A result is either written under a temporary name and then
//! renamed, or appended to a file after a check that nothing else has changed this file.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::error::{GrainsError, Location};
use crate::memory;

/// Opens an input for reading. Pipes and devices are refused, since reading them might never end.
///
/// # Errors
/// Errors of the system, and [`io::ErrorKind::InvalidInput`] for anything but a regular file.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    require_regular(&fs::metadata(path)?)?;
    File::open(path)
}

fn require_regular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "is no regular file"))
}

/// Reads a whole input file, named by the scene's key at `at`. Its decoded contents take up to `spread` times the
/// file's length in memory.
///
/// # Errors
/// [`GrainsError::Unreadable`] and [`GrainsError::TooLarge`].
pub(crate) fn read(path: &Path, at: Location, spread: u64) -> Result<Vec<u8>, GrainsError> {
    let unreadable = |at: &Location| {
        let at = at.clone();
        let path = path.to_owned();
        move |source| GrainsError::Unreadable { at, path, source }
    };
    let mut file = open(path).map_err(unreadable(&at))?;
    let length = file.metadata().map_err(unreadable(&at))?.len();
    memory::require(at.clone(), length.saturating_mul(spread), || format!("the file {}", path.display()))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(unreadable(&at))?;
    Ok(bytes)
}

/// Converts the bytes of a file to text, or returns the line number of the first byte that is not UTF-8.
///
/// # Errors
/// The line, counted from one.
pub(crate) fn text(bytes: Vec<u8>) -> Result<String, usize> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        1 + error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count()
    })
}

/// Returns whether both paths lead to one file, also through links. Missing files count as different.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(first), Ok(second)) => identity(&first, one) == identity(&second, other),
        _ => false,
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata, _: &Path) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.dev(), metadata.ino())
}

/// Returns the canonical path of a file, which is equal for all paths to the file except hard links.
#[cfg(not(unix))]
fn identity(_: &Metadata, path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Returns whether anything exists at `path`, also a broken link.
pub(crate) fn is_taken(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Refuses to replace one of the `inputs` by a result at `path`.
///
/// # Errors
/// [`GrainsError::InputInTheWay`].
pub(crate) fn refuse_input(path: &Path, inputs: &[PathBuf]) -> Result<(), GrainsError> {
    match inputs.iter().find(|input| is_same(path, input)) {
        Some(input) => Err(GrainsError::InputInTheWay { path: path.to_owned(), input: input.clone() }),
        None => Ok(()),
    }
}

pub(crate) fn temporary(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    name.into()
}

/// Writes a new file at `path` by `write`. The file is created or replaced only when everything is written.
///
/// # Errors
/// [`GrainsError::Exists`] if there is a file at `path` and `overwrite` is not set; [`GrainsError::Io`]; the error of
/// `write`.
pub(crate) fn write_new(
    path: &Path,
    overwrite: bool,
    write: impl FnOnce(&mut BufWriter<NamedTempFile>) -> Result<(), GrainsError>,
) -> Result<(), GrainsError> {
    if is_taken(path) && !overwrite {
        return Err(GrainsError::Exists { path: path.to_owned() });
    }
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let mut file = BufWriter::new(temporary_in(folder).map_err(GrainsError::io(path))?);
    write(&mut file)?;
    let new = file.into_inner().map_err(|error| GrainsError::io(path)(error.into_error()))?;
    new.as_file().sync_all().map_err(GrainsError::io(path))?;
    let placed = if overwrite { new.persist(path) } else { new.persist_noclobber(path) };
    placed.map_err(|error| GrainsError::io(path)(error.error))?;
    sync_folder(folder)
}

/// Makes a temporary file in `folder`, with the default permissions of new files.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".grains-");
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Syncs a folder, so that the names of new files survive a crash of the system.
///
/// # Errors
/// [`GrainsError::Io`].
pub(crate) fn sync_folder(folder: &Path) -> Result<(), GrainsError> {
    // Folders can be opened on Unix only.
    if cfg!(unix) {
        let folder = if folder == Path::new("") { Path::new(".") } else { folder };
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(GrainsError::io(folder))?;
    }
    Ok(())
}

/// An open file of results, to which only this process should write.
#[derive(Debug)]
pub(crate) struct Owned {
    path: PathBuf,
    file: File,
    length: u64,
}

impl Owned {
    /// Creates a file of results. An existing file is an error and stays unchanged.
    ///
    /// # Errors
    /// [`GrainsError::Io`].
    pub(crate) fn create(path: PathBuf) -> Result<Self, GrainsError> {
        let file = OpenOptions::new().write(true).create_new(true).open(&path).map_err(GrainsError::io(&path))?;
        Ok(Self { path, file, length: 0 })
    }

    /// Opens an existing file of results and truncates it to `length` bytes. `is_own` gets these bytes piece by piece;
    /// its answer to the last piece says whether all bytes are as this run wrote them.
    ///
    /// # Errors
    /// [`GrainsError::ResultsChanged`] for a shorter file, [`GrainsError::ResultsReplaced`] for different bytes, and
    /// [`GrainsError::Io`].
    pub(crate) fn cut(path: PathBuf, length: u64, mut is_own: impl FnMut(&[u8]) -> bool) -> Result<Self, GrainsError> {
        let found = length_of(&path)?;
        if found < length {
            return Err(GrainsError::ResultsChanged { path, expected: length, found });
        }
        let mut file = OpenOptions::new().read(true).write(true).open(&path).map_err(GrainsError::io(&path))?;
        let mut left = length;
        let mut piece = vec![0; 1 << 16];
        let mut owned = length == 0;
        while left > 0 {
            let size = left.min(piece.len() as u64);
            let bytes = &mut piece[..size as usize];
            file.read_exact(bytes).map_err(GrainsError::io(&path))?;
            (left, owned) = (left - size, is_own(bytes));
        }
        if !owned {
            return Err(GrainsError::ResultsReplaced { path });
        }
        // `set_len` renews the modification time even where the length stays, and a finished run would look as if it had
        // been written again.
        if found > length {
            file.set_len(length).map_err(GrainsError::io(&path))?;
        }
        Ok(Self { path, file, length })
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Overwrites the file of results with `bytes` from the byte offset `from` on.
    ///
    /// # Errors
    /// [`GrainsError::ResultsChanged`] or [`GrainsError::ResultsReplaced`] if something else has changed the file, and
    /// [`GrainsError::Io`].
    pub(crate) fn write_from(&mut self, from: u64, bytes: &[u8]) -> Result<(), GrainsError> {
        self.check()?;
        let written = self.file.seek(SeekFrom::Start(from)).and_then(|_| self.file.write_all(bytes));
        written.map_err(GrainsError::io(&self.path))?;
        self.length = self.length.max(from + bytes.len() as u64);
        Ok(())
    }

    ///
    /// # Errors
    /// As [`write_from`](Self::write_from).
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), GrainsError> {
        self.write_from(self.length, bytes)
    }

    /// Checks that the path still leads to this file, and that the file has as many bytes as the run has written.
    ///
    /// # Errors
    /// [`GrainsError::ResultsChanged`], [`GrainsError::ResultsReplaced`] and [`GrainsError::Io`].
    pub(crate) fn check(&self) -> Result<(), GrainsError> {
        require_length(&self.path, self.length)?;
        let own = self.file.metadata().map_err(GrainsError::io(&self.path))?;
        let named = fs::metadata(&self.path).map_err(GrainsError::io(&self.path))?;
        if identity(&own, &self.path) == identity(&named, &self.path) {
            return Ok(());
        }
        Err(GrainsError::ResultsReplaced { path: self.path.clone() })
    }

    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub(crate) fn sync(&self) -> Result<(), GrainsError> {
        self.check()?;
        self.file.sync_all().map_err(GrainsError::io(&self.path))
    }

    /// Renames the file of results. An existing file of the new name is an error.
    ///
    /// # Errors
    /// [`GrainsError::ResultsReplaced`] if another file has the name, and [`GrainsError::Io`].
    pub(crate) fn rename(self, path: PathBuf) -> Result<Self, GrainsError> {
        if is_taken(&path) {
            return Err(GrainsError::ResultsReplaced { path });
        }
        self.replace(path)
    }

    /// Renames the file of results, and replaces an existing file of the new name.
    ///
    /// # Errors
    /// [`GrainsError::Io`].
    pub(crate) fn replace(self, path: PathBuf) -> Result<Self, GrainsError> {
        fs::rename(&self.path, &path).map_err(GrainsError::io(&path))?;
        Ok(Self { path, ..self })
    }
}

impl io::Write for Owned {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

///
/// # Errors
/// [`GrainsError::Io`], also for a missing file.
fn length_of(path: &Path) -> Result<u64, GrainsError> {
    let metadata = fs::symlink_metadata(path).map_err(GrainsError::io(path))?;
    require_regular(&metadata).map_err(GrainsError::io(path))?;
    Ok(metadata.len())
}

/// Checks that the file at `path` is there and has `expected` bytes.
///
/// # Errors
/// [`GrainsError::ResultsChanged`] and [`GrainsError::Io`].
pub(crate) fn require_length(path: &Path, expected: u64) -> Result<(), GrainsError> {
    let found = length_of(path)?;
    if found == expected {
        return Ok(());
    }
    Err(GrainsError::ResultsChanged { path: path.to_owned(), expected, found })
}
