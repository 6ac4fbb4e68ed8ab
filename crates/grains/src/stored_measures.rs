//! Measurements of stored checkpoints and frames.

mod frames;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use self::frames::StoredFrame;
use crate::checkpoint::Checkpoint;
use crate::error::{GrainsError, Location};
use crate::files;
use crate::output::measured::{measured_header, measured_lines};
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
    /// [`GrainsError::NoFolder`]; [`GrainsError::Taken`] if one of the files is there already, before any is written;
    /// [`GrainsError::Io`].
    pub fn write_all(tables: &[Self], folder: &Path) -> Result<Vec<PathBuf>, GrainsError> {
        fs::create_dir_all(folder).map_err(|source| GrainsError::NoFolder { path: folder.to_owned(), source })?;
        let paths = tables.iter().map(|table| folder.join(names::measure(&table.name))).collect::<Vec<_>>();
        if let Some(path) = paths.iter().find(|path| files::is_taken(path)) {
            return Err(GrainsError::Taken { path: path.clone() });
        }
        for (table, path) in tables.iter().zip(&paths) {
            files::write_new(path, false, |file| file.write_all(table.csv.as_bytes()).map_err(GrainsError::io(path)))?;
        }
        Ok(paths)
    }
}

/// Measures the stored states in a folder of results, or one checkpoint. Returns a table for each `[[measure]]`. `scene`
/// is a scene file whose measurements are taken instead of those that the run has. Nothing is changed.
///
/// # Errors
/// Those of [`Checkpoint::read`], of reading frames and of reading `scene`; those of an invalid measurement,
/// with the key; [`GrainsError::MissingKey`] if there is nothing to measure; [`GrainsError::Conflict`] for frames in a
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
    let mut tables = Tables::new(&last.scene, given)?;
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
    let mut tables = Tables::new(&scene, given)?;
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
    /// those of `run`.
    fn new(run: &Scene, given: Option<&Scene>) -> Result<Self, GrainsError> {
        let measures = given.map_or_else(|| run.measures.clone(), |given| given.measures.clone());
        let scene = Scene { measures, ..run.clone() };
        if scene.measures.is_empty() {
            return Err(GrainsError::MissingKey { at: Location::of("measure"), missing: "measure".into() });
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
