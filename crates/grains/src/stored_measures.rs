//! Measurements of stored checkpoints and frames.

mod frames;

use std::path::{Path, PathBuf};

use self::frames::StoredFrame;
use crate::checkpoint::Checkpoint;
use crate::error::{GrainsError, Location};
use crate::output::measured::{measured_header, measured_lines};
use crate::scene::Scene;
use crate::scene::output::LeftOut;
use crate::simulation::Measured;
use crate::source::Source;
use crate::storage;

/// Choice of the stored states of a run to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Stored {
    /// The last two checkpoints of the run.
    #[default]
    Checkpoints,
    /// All frames of the run, which do not store step numbers.
    Frames,
}

/// Measures the stored states in a folder of results, or one checkpoint: a table for each `[[measure]]`, preceded by a
/// line with its name, with an empty line between two tables. The measurements are those of the file `scene`, if given,
/// or else of the run's scene.
///
/// # Errors
/// Errors of [`Checkpoint::read`], of reading frames and of reading `scene`; errors of an invalid measurement, with the
/// key; [`GrainsError::MissingKey`] without any measurement; [`GrainsError::Conflict`] for frames in a deforming box,
/// since frames do not store the box.
pub fn measure(path: impl AsRef<Path>, scene: Option<&Path>, stored: Stored) -> Result<String, GrainsError> {
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

fn of_checkpoints(path: &Path, given: Option<&Scene>) -> Result<String, GrainsError> {
    let files: Vec<PathBuf> = if path.is_dir() {
        // The previous checkpoint exists once a second one was written.
        let previous = Some(path.join(storage::PREVIOUS)).filter(|path| path.exists());
        previous.into_iter().chain([path.join(storage::FILE)]).collect()
    } else {
        vec![path.to_owned()]
    };
    let checkpoints = files.iter().map(Checkpoint::read).collect::<Result<Vec<_>, _>>()?;
    let Some(last) = checkpoints.last() else { return Ok(String::new()) };
    let mut tables = Tables::new(&last.scene, given)?;
    for Checkpoint { simulation, .. } in &checkpoints {
        let reading = simulation.read()?;
        let found = simulation.measure(&tables.scene, &tables.all(), &reading)?;
        tables.push(Some(simulation.steps_taken()), reading.time, &found);
    }
    Ok(tables.finish())
}

fn of_frames(path: &Path, given: Option<&Scene>) -> Result<String, GrainsError> {
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

/// The growing tables of all measurements.
struct Tables {
    scene: Scene,
    texts: Vec<String>,
}

impl Tables {
    /// Makes tables with header lines for the measurements of `given`, or else of `run`. Materials and box are those of
    /// `run`.
    fn new(run: &Scene, given: Option<&Scene>) -> Result<Self, GrainsError> {
        let measures = given.map_or_else(|| run.measures.clone(), |given| given.measures.clone());
        let scene = Scene { measures, ..run.clone() };
        if scene.measures.is_empty() {
            return Err(GrainsError::MissingKey { at: Location::of("measure"), missing: "measure".into() });
        }
        Ok(Self { texts: scene.measures.iter().map(measured_header).collect(), scene })
    }

    fn all(&self) -> Vec<usize> {
        (0..self.texts.len()).collect()
    }

    fn push(&mut self, step: Option<u64>, time: f64, found: &[Measured]) {
        for (table, measured) in self.texts.iter_mut().zip(found) {
            table.push_str(&measured_lines(step, time, measured));
        }
    }

    fn finish(self) -> String {
        let named = self.scene.measures.iter().zip(self.texts);
        named.map(|(measure, table)| format!("# {}\n{table}", measure.name)).collect::<Vec<_>>().join("\n")
    }
}
