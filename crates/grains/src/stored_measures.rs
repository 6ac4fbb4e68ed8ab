//! Measurements of stored checkpoints and frames.

mod frames;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use self::frames::StoredFrame;
use crate::checkpoint::Checkpoint;
use crate::error::{GrainsError, Location};
use crate::files;
use crate::output::measured::{measured_header, measured_lines, why_empty};
use crate::output::names;
use crate::scene::Scene;
use crate::scene::output::LeftOut;
use crate::simulation::Measured;
use crate::source::Source;
use crate::storage;

/// Choice of the stored states of a run that are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Stored {
    /// The last two checkpoints of the run.
    #[default]
    Checkpoints,
    /// All frames of the run; frames do not store the number of their step.
    Frames,
}

/// Table of one measurement of stored states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasuredTable {
    /// Name of the `[[measure]]` that the table is of.
    pub name: String,
    /// Header and rows with commas between the fields.
    pub csv: String,
}

impl MeasuredTable {
    /// Writes each table as `measure-NAME.csv` into a folder, which is made if it is missing. Returns the paths.
    ///
    /// # Errors
    /// [`GrainsError::NoFolder`]; [`GrainsError::Exists`] or, for a table that a run has written,
    /// [`GrainsError::Taken`], if one of the files is there already, before any is written; [`GrainsError::Io`].
    pub fn write_all(tables: &[Self], folder: &Path) -> Result<Vec<PathBuf>, GrainsError> {
        Self::write(tables, folder, false)
    }

    /// Writes each table as [`write_all`](Self::write_all) does, in the place of tables that are there already. Tables
    /// that a run has written into the folder itself are never replaced.
    ///
    /// # Errors
    /// As [`write_all`](Self::write_all), except [`GrainsError::Exists`].
    pub fn replace_all(tables: &[Self], folder: &Path) -> Result<Vec<PathBuf>, GrainsError> {
        Self::write(tables, folder, true)
    }

    fn write(tables: &[Self], folder: &Path, overwrite: bool) -> Result<Vec<PathBuf>, GrainsError> {
        fs::create_dir_all(folder).map_err(|source| GrainsError::NoFolder { path: folder.to_owned(), source })?;
        let own = tables_of_run(folder);
        let paths = tables.iter().map(|table| folder.join(names::measure(&table.name))).collect::<Vec<_>>();
        for (table, path) in tables.iter().zip(&paths).filter(|(_, path)| files::is_taken(path)) {
            if own.contains(&names::measure(&table.name)) {
                return Err(GrainsError::Taken { path: path.clone() });
            }
            if !overwrite {
                return Err(GrainsError::Exists { path: path.clone() });
            }
        }
        for (table, path) in tables.iter().zip(&paths) {
            files::write_new(path, overwrite, |file| {
                file.write_all(table.csv.as_bytes()).map_err(GrainsError::io(path))
            })?;
        }
        Ok(paths)
    }

    /// Returns for each reason why columns are empty in all rows a sentence that names these columns; nothing for a
    /// table without rows.
    #[must_use]
    pub fn empty_columns(&self) -> Vec<String> {
        let mut lines = self.csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let Some(header) = lines.next() else { return Vec::new() };
        let rows: Vec<Vec<&str>> = lines.collect();
        let is_empty = |column: usize| rows.iter().all(|row| row.get(column).is_none_or(|field| field.is_empty()));
        if rows.is_empty() {
            return Vec::new();
        }
        let empty: Vec<&str> =
            header.iter().enumerate().filter(|(column, _)| is_empty(*column)).map(|(_, name)| *name).collect();
        why_empty(&empty)
    }
}

/// Returns the names of the tables that a run has written into `folder`, by its file of columns; none if there is no such
/// file.
fn tables_of_run(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join(names::COLUMNS)).unwrap_or_default();
    let columns: Map<String, Value> = serde_json::from_str(&text).unwrap_or_default();
    columns.into_iter().map(|(name, _)| name).collect()
}

/// Measures the stored states in a folder of results, or one checkpoint. Returns a table for each `[[measure]]`. `scene`
/// is a scene file whose measurements are taken instead of those that the run has. Nothing is changed.
///
/// # Errors
/// Those of [`Checkpoint::read`], of reading frames and of reading `scene`; those of an invalid measurement, with the key;
/// [`GrainsError::NothingToMeasure`] if the run has no measurements, and [`GrainsError::MissingKey`] if
/// `scene` has none; [`GrainsError::Conflict`] for frames in a
/// box that deforms, which frames do not show.
pub fn measure(
    path: impl AsRef<Path>,
    scene: Option<&Path>,
    stored: Stored,
) -> Result<Vec<MeasuredTable>, GrainsError> {
    let path = path.as_ref();
    let source = scene.map(Source::from_path).transpose()?;
    let given: Option<Scene> = source.as_ref().map(|source| source.read()).transpose()?;
    let tables = match stored {
        Stored::Checkpoints => of_checkpoints(path, given.as_ref()),
        Stored::Frames => of_frames(path, given.as_ref()),
    };
    tables.map_err(|error| match &source {
        Some(source) => source.locate(error),
        None => error,
    })
}

fn of_checkpoints(path: &Path, given: Option<&Scene>) -> Result<Vec<MeasuredTable>, GrainsError> {
    let files: Vec<PathBuf> = if path.is_dir() {
        // The previous checkpoint exists after the second one was written.
        let previous = Some(path.join(storage::PREVIOUS)).filter(|path| path.exists());
        previous.into_iter().chain([path.join(storage::FILE)]).collect()
    } else {
        vec![path.to_owned()]
    };
    let checkpoints = files.iter().map(Checkpoint::read).collect::<Result<Vec<_>, _>>()?;
    let Some(last) = checkpoints.last() else { return Ok(Vec::new()) };
    let mut tables = Tables::new(path, &last.scene, given)?;
    for Checkpoint { simulation, .. } in &checkpoints {
        let reading = simulation.read()?;
        let found = simulation.measure(&tables.scene, &tables.all(), &reading)?;
        tables.push(Some(simulation.steps_taken()), reading.time, &found);
    }
    Ok(tables.finish())
}

fn of_frames(path: &Path, given: Option<&Scene>) -> Result<Vec<MeasuredTable>, GrainsError> {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
    let Checkpoint { scene, simulation, .. } = Checkpoint::read(folder.join(storage::FILE))?;
    if scene.deforms_in_any_stage() {
        let problem = "deforms, which frames do not show: measure checkpoints";
        return Err(GrainsError::conflict("box", problem));
    }
    if scene.output.frames_without.contains(&LeftOut::Contacts) {
        let problem = "leaves contacts out of the frames, which are measured by them: measure checkpoints";
        return Err(GrainsError::conflict("output.frames-without", problem));
    }
    let mut tables = Tables::new(path, &scene, given)?;
    for frame in StoredFrame::all(folder, &simulation.progress.groups)? {
        let frame = frame?;
        let found = frame.measurable(&simulation)?.measure(&tables.scene, &tables.all())?;
        tables.push(None, frame.time(), &found);
    }
    Ok(tables.finish())
}

/// The growing tables of all measurements of a scene.
struct Tables {
    /// Scene of the run with the measurements that the tables show.
    scene: Scene,
    texts: Vec<String>,
}

impl Tables {
    /// Makes tables with header lines only, for the measurements of `given`, or else of `run`. Materials and box are
    /// those of `run`, the scene of the run at `path`.
    ///
    /// # Errors
    /// [`GrainsError::NothingToMeasure`] and [`GrainsError::MissingKey`] if there are no measurements.
    fn new(path: &Path, run: &Scene, given: Option<&Scene>) -> Result<Self, GrainsError> {
        let measures = given.map_or_else(|| run.measures.clone(), |given| given.measures.clone());
        let scene = Scene { measures, ..run.clone() };
        if scene.measures.is_empty() {
            return Err(match given {
                Some(_) => GrainsError::MissingKey { at: Location::of("measure"), missing: "measure".into() },
                None => GrainsError::NothingToMeasure { path: path.to_owned() },
            });
        }
        Ok(Self { texts: scene.measures.iter().map(measured_header).collect(), scene })
    }

    /// Returns the indices of all measurements of the scene.
    fn all(&self) -> Vec<usize> {
        (0..self.texts.len()).collect()
    }

    fn push(&mut self, step: Option<u64>, time: f64, found: &[Measured]) {
        for (table, measured) in self.texts.iter_mut().zip(found) {
            table.push_str(&measured_lines(step, time, measured));
        }
    }

    fn finish(self) -> Vec<MeasuredTable> {
        let named = self.scene.measures.iter().zip(self.texts);
        named.map(|(measure, csv)| MeasuredTable { name: measure.name.to_string(), csv }).collect()
    }
}
