//! The folder of results of a run, as people look at it.
//!
//! `table` reads series and measurements, `frames` the files for ParaView, `drawn` what is drawn of them, `labels` has
//! names of materials and groups. A folder may be that of a run that is still going on.

pub(crate) mod drawn;
pub(crate) mod frames;
pub(crate) mod labels;
pub(crate) mod table;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use self::labels::Labels;
use self::table::Table;
use crate::error::GrainsError;
use crate::output::names;
use crate::storage;

/// A folder with results of a run.
#[derive(Debug, Clone)]
pub(crate) struct Results {
    pub(crate) folder: PathBuf,
    /// Scene of the run as TOML text; none if the run has no checkpoint that this version reads.
    pub(crate) scene: Option<String>,
    pub(crate) labels: Labels,
}

impl Results {
    /// Opens a folder of results.
    ///
    /// # Errors
    /// [`GrainsError::NoFolder`] for what is no folder, [`GrainsError::NoResults`] for a folder without results of a
    /// run.
    pub(crate) fn open(folder: &Path) -> Result<Self, GrainsError> {
        if !folder.is_dir() {
            let kind = if folder.exists() { ErrorKind::NotADirectory } else { ErrorKind::NotFound };
            return Err(GrainsError::NoFolder { path: folder.to_owned(), source: kind.into() });
        }
        if names::files_in(folder, names::is_result)?.is_empty() {
            return Err(GrainsError::NoResults { path: folder.to_owned() });
        }
        let stored = storage::read(&folder.join(storage::FILE), "checkpoint").ok();
        let labels = stored.as_ref().map(|(run, scene, _)| Labels::of_run(run, scene)).unwrap_or_default();
        Ok(Self { folder: folder.to_owned(), scene: stored.map(|(run, _, _)| run.scene), labels })
    }

    /// Returns the name of the run: that of its folder.
    pub(crate) fn name(&self) -> String {
        let whole = self.folder.canonicalize().unwrap_or_else(|_| self.folder.clone());
        whole.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns the names of all tables of the run: the time series first, then measurements.
    ///
    /// # Errors
    /// [`GrainsError::Io`].
    pub(crate) fn tables(&self) -> Result<Vec<String>, GrainsError> {
        let is_measured = |name: &str| name.starts_with("measure-") && name.ends_with(".csv");
        let measured = names::files_in(&self.folder, is_measured)?;
        let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let series = self.has(names::SERIES).then(|| names::SERIES.to_owned());
        Ok(series.into_iter().chain(measured.iter().map(name)).collect())
    }

    /// Returns whether the run has written a file of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.folder.join(name).is_file()
    }

    /// Reads the table in the file of this name.
    ///
    /// # Errors
    /// [`GrainsError::NoTable`] and those of [`Table::read`].
    pub(crate) fn table(&self, name: &str) -> Result<Table, GrainsError> {
        let path = self.folder.join(name);
        if !self.has(name) {
            return Err(GrainsError::NoTable { path, known: self.tables()? });
        }
        Table::read(&path)
    }
}
