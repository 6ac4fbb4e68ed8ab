//! The folder of results of a run, as people look at it.
//!
//! `table` reads series and measurements, `asked` has what servos were asked to bear beside them, `frames` reads the files
//! for ParaView, `drawn` has what is drawn of them, `turned` the walls that are round, `labels` names of materials and
//! groups. A folder may be that of a run that is still going on. Numbers are in the units of the scene, whose SI names
//! stand in comments.

pub(crate) mod asked;
pub(crate) mod drawn;
pub(crate) mod frames;
pub(crate) mod labels;
pub(crate) mod table;
mod turned;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use self::asked::{Asked, Course};
use self::labels::Labels;
use self::table::Table;
use crate::error::GrainsError;
use crate::output::names;
use crate::scene::units::Units;
use crate::storage::{self, SceneFile};

/// A folder with results of a run.
#[derive(Debug, Clone)]
pub(crate) struct Results {
    pub(crate) folder: PathBuf,
    /// Scene of the run as TOML text; none if the run has no checkpoint that this version reads.
    pub(crate) scene: Option<String>,
    /// File of the scene with the keys that the command line has set; none for a scene that was in memory only.
    pub(crate) file: Option<SceneFile>,
    pub(crate) labels: Labels,
    /// Names of the units of the scene; those of SI for a folder without a checkpoint that this version reads.
    pub(crate) units: Units,
    /// Numbers of the walls that turn in some stage of the run, by its scene.
    pub(crate) turning: Vec<usize>,
    course: Option<Course>,
}

impl Results {
    /// Opens a folder of results.
    ///
    /// # Errors
    /// [`GrainsError::NoResults`] for what is no folder, and for a folder without results of a run.
    pub(crate) fn open(folder: &Path) -> Result<Self, GrainsError> {
        if !folder.is_dir() || names::files_in(folder, names::is_result)?.is_empty() {
            return Err(GrainsError::NoResults { path: folder.to_owned() });
        }
        let stored = storage::read(&folder.join(storage::FILE), "checkpoint").ok();
        let labels = stored.as_ref().map(|(run, scene, _)| Labels::of_run(run, scene)).unwrap_or_default();
        let course = stored.as_ref().and_then(|(run, scene, _)| Course::of_run(run, scene));
        let turning = course.as_ref().map(Course::turning_walls).unwrap_or_default();
        let units = stored.as_ref().map(|(_, scene, _)| scene.units.clone()).unwrap_or_default();
        let (scene, file) = stored.map_or((None, None), |(run, _, _)| (Some(run.scene), run.file));
        Ok(Self { folder: folder.to_owned(), scene, file, labels, units, turning, course })
    }

    /// Returns the name of the run: that of its folder.
    pub(crate) fn name(&self) -> String {
        let whole = self.folder.canonicalize().unwrap_or_else(|_| self.folder.clone());
        whole.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns what the servos of the run were asked to bear, by the columns of its time series.
    pub(crate) fn asked(&self, series: &Table) -> Asked {
        self.course.as_ref().map(|course| course.asked(series)).unwrap_or_default()
    }

    /// Returns the time within which the files of the run were written, by the file system: from the file that is written
    /// first to the one that was written last. Stops of the run are in it, and copies of files have other times.
    pub(crate) fn written_within(&self) -> Option<Duration> {
        let modified = |name: &str| fs::metadata(self.folder.join(name)).ok()?.modified().ok();
        let last = [names::SERIES, names::FRAMES, storage::FILE].into_iter().filter_map(modified).max()?;
        last.duration_since(modified(names::COLUMNS)?).ok()
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
            let others = [names::CONTACTS, names::PASSED].into_iter().filter(|name| self.has(name)).map(str::to_owned);
            return Err(GrainsError::NoTable { path, known: self.tables()?.into_iter().chain(others).collect() });
        }
        Table::read(&path, &self.units)
    }
}
