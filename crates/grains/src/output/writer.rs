//! The thread that writes results.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use cd_solve::fclib::{StoredProblem, write_hdf5};
use serde_json::{Map, Value};

use super::columns::{contacts_header, passages_header, series_header};
use super::explained::{self, TableKind};
use super::frames::{Frame, Frames};
use super::lines::Lines;
use super::lock::{LOCK, Lock};
use super::measured::measured_header;
use super::names::{self, CONTACTS, PASSED, SERIES};
use super::page::{PAGE, is_page};
use crate::error::GrainsError;
use crate::files::{self, Owned};
use crate::scene::Scene;
use crate::simulation::Simulation;
use crate::storage::{self, FilePositions};

/// Largest number of requests in the queue of the writer. When the queue is full, the simulation waits, so that a slow
/// disk loses nothing.
const WAITING: usize = 8;

#[derive(Debug)]
pub(crate) enum WriteRequest {
    /// Request to write a line of the time series.
    Series(String),
    /// Request to write lines of the table of contacts.
    Contacts(String),
    /// Request to write lines of the table of grains that passed gates.
    Passed(String),
    /// Request to write lines of the table of the measurement with this number.
    Measured(usize, String),
    Frame(Box<Frame>),
    /// Request to write the friction problem of the step with this number.
    Fclib(u64, Box<StoredProblem>),
    /// Request to write a checkpoint, given by the encoded simulation.
    Checkpoint(Vec<u8>),
}

/// Writer of results in the order of the requests, on its own thread. The threads that take steps cannot do this work,
/// since one of them may be waiting for the writer.
///
/// If dropped without [`finish`](Self::finish), the writer ends after the present request, as in a killed program.
#[derive(Debug)]
pub(crate) struct Writer {
    requests: Option<SyncSender<WriteRequest>>,
    thread: Option<JoinHandle<Result<(), GrainsError>>>,
    abandoned: Arc<AtomicBool>,
}

#[derive(Debug)]
struct Files {
    folder: PathBuf,
    /// Text of the file with the meanings of columns. It follows from the scene, so that the file is restored if it is
    /// missing or changed.
    columns: String,
    series: Option<Lines>,
    contacts: Option<Lines>,
    passed: Option<Lines>,
    /// The table of each measurement.
    measures: Vec<Lines>,
    frames: Option<Frames>,
    /// Length in bytes of the last checkpoint of this process, if any.
    checkpoint: Option<u64>,
    /// The lock file, marked until the first checkpoint; then none.
    marked: Option<File>,
}

/// Removes the results in `folder`: checkpoints first, so that no checkpoint is left without its results. The page of a
/// removed run goes with it, since nobody could tell that its numbers are not those of the next run.
///
/// # Errors
/// [`GrainsError::Io`].
pub(crate) fn make_room(folder: &Path) -> Result<(), GrainsError> {
    let mut found = names::files_in(folder, names::is_result)?;
    let page = folder.join(PAGE);
    if !found.is_empty() && is_page(&page) {
        found.push(page);
    }
    found.sort_by_key(|path| path.extension().is_none_or(|ending| ending != "grains"));
    found.into_iter().try_for_each(|path| fs::remove_file(&path).map_err(GrainsError::io(path)))
}

/// Returns the text of the file with the meanings of the columns of a run's tables and frames.
fn columns_of(simulation: &Simulation, scene: &Scene) -> String {
    let plan = simulation.plan.output();
    let series = series_header(scene, &simulation.plan.servo_walls(), simulation.has_bonds_at_any_time());
    let mut files = Map::new();
    let mut add = |file: &str, kind: TableKind, header: &str| {
        files.insert(file.to_owned(), explained::as_json(kind, header.trim_end().split(','), &scene.units));
    };
    if plan.series.is_some() {
        add(SERIES, TableKind::Series, &series);
    }
    if plan.contacts.is_some() {
        add(CONTACTS, TableKind::Contacts, &contacts_header());
    }
    if !scene.gates.is_empty() {
        add(PASSED, TableKind::Passed, &passages_header());
    }
    for measure in &scene.measures {
        add(&names::measure(&measure.name), TableKind::of_measure(measure), &measured_header(measure));
    }
    if plan.frames.is_some() {
        let arrays = explained::all(TableKind::Frames).into_iter().map(|known| known.name).collect::<Vec<_>>();
        add(names::FRAMES, TableKind::Frames, &arrays.join(","));
    }
    format!("{:#}\n", Value::Object(files))
}

impl Writer {
    /// Starts a writer of new results in a folder whose `lock` is [marked](Lock::mark) until the first checkpoint.
    ///
    /// # Errors
    /// [`GrainsError::Io`].
    pub(crate) fn create(
        folder: &Path,
        lock: &Lock,
        simulation: &Simulation,
        scene: &Scene,
    ) -> Result<Self, GrainsError> {
        let plan = simulation.plan.output();
        let header = || series_header(scene, &simulation.plan.servo_walls(), simulation.has_bonds_at_any_time());
        let lines = |name: &str, header: &str| Lines::create(folder.join(name), header);
        let files = Files {
            folder: folder.to_owned(),
            columns: columns_of(simulation, scene),
            checkpoint: None,
            marked: Some(lock.file().try_clone().map_err(GrainsError::io(folder.join(LOCK)))?),
            series: plan.series.map(|_| lines(SERIES, &header())).transpose()?,
            contacts: plan.contacts.map(|_| lines(CONTACTS, &contacts_header())).transpose()?,
            passed: (!scene.gates.is_empty()).then(|| lines(PASSED, &passages_header())).transpose()?,
            measures: scene
                .measures
                .iter()
                .map(|measure| lines(&names::measure(&measure.name), &measured_header(measure)))
                .collect::<Result<_, _>>()?,
            frames: plan.frames.map(|_| Frames::at(folder, Vec::new(), Vec::new())).transpose()?,
        };
        files.write_columns()?;
        Self::start(files)
    }

    /// Starts a writer that continues results from a checkpoint on. Later results are removed.
    ///
    /// # Errors
    /// [`GrainsError::ResultsChanged`] and [`GrainsError::ResultsReplaced`] if results were changed or removed, and
    /// [`GrainsError::Io`].
    pub(crate) fn resume(
        folder: &Path,
        simulation: &Simulation,
        scene: &Scene,
        positions: &FilePositions,
    ) -> Result<Self, GrainsError> {
        let plan = simulation.plan.output();
        // Unfinished files of a program that was killed while writing.
        let unfinished = |name: &str| name.ends_with(".new") && names::is_result(name);
        let found = names::files_in(folder, unfinished)?;
        found.into_iter().try_for_each(|path| fs::remove_file(&path).map_err(GrainsError::io(path)))?;
        let lines = |name: &str, written| Lines::cut(folder.join(name), written);
        let files = Files {
            folder: folder.to_owned(),
            columns: columns_of(simulation, scene),
            checkpoint: None,
            marked: None,
            series: positions.series.map(|written| lines(SERIES, written)).transpose()?,
            contacts: positions.contacts.map(|written| lines(CONTACTS, written)).transpose()?,
            passed: positions.passed.map(|written| lines(PASSED, written)).transpose()?,
            measures: scene
                .measures
                .iter()
                .zip(&positions.measures)
                .map(|(measure, &written)| lines(&names::measure(&measure.name), written))
                .collect::<Result<_, _>>()?,
            frames: plan
                .frames
                .map(|_| Frames::at(folder, positions.frames.clone(), positions.at_rest.clone()))
                .transpose()?,
        };
        files.write_columns()?;
        Self::start(files)
    }

    fn start(mut files: Files) -> Result<Self, GrainsError> {
        let (requests, waiting) = sync_channel(WAITING);
        let abandoned = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&abandoned);
        let thread = std::thread::Builder::new().spawn(move || files.serve(&waiting, &flag));
        let thread = thread.map_err(|error| GrainsError::NoThreads { problem: error.to_string() })?;
        Ok(Self { requests: Some(requests), thread: Some(thread), abandoned })
    }

    /// Queues a request; waits while the queue is full.
    ///
    /// # Errors
    /// The first error of the writer's thread.
    pub(crate) fn request(&mut self, request: WriteRequest) -> Result<(), GrainsError> {
        match &self.requests {
            Some(requests) if requests.send(request).is_ok() => Ok(()),
            _ => Err(self.end().err().unwrap_or(GrainsError::WriterGone)),
        }
    }

    /// Waits until all results are written, and ends the writer.
    ///
    /// # Errors
    /// The first error of the writer's thread.
    pub(crate) fn finish(mut self) -> Result<(), GrainsError> {
        self.end()
    }

    fn end(&mut self) -> Result<(), GrainsError> {
        self.requests = None;
        match self.thread.take() {
            Some(thread) => thread.join().unwrap_or(Err(GrainsError::WriterGone)),
            None => Ok(()),
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.abandoned.store(true, Ordering::SeqCst);
        let _ended = self.end();
    }
}

impl Files {
    /// Writes the file with the meanings of columns, unless it has the right text already.
    ///
    /// # Errors
    /// [`GrainsError::Io`].
    fn write_columns(&self) -> Result<(), GrainsError> {
        let path = self.folder.join(names::COLUMNS);
        if fs::read_to_string(&path).is_ok_and(|text| text == self.columns) {
            return Ok(());
        }
        let mut file = Owned::create(files::temporary(&path))?;
        file.push(self.columns.as_bytes())?;
        file.replace(path).map(|_| ())
    }

    fn serve(&mut self, requests: &Receiver<WriteRequest>, abandoned: &AtomicBool) -> Result<(), GrainsError> {
        while let Ok(request) = requests.recv() {
            if abandoned.load(Ordering::SeqCst) {
                return Ok(());
            }
            self.write(request)?;
        }
        if abandoned.load(Ordering::SeqCst) {
            return Ok(());
        }
        self.write_columns()?;
        self.check()
    }

    fn check(&self) -> Result<(), GrainsError> {
        let texts = [&self.series, &self.contacts, &self.passed].into_iter().flatten();
        texts.chain(&self.measures).try_for_each(Lines::check)?;
        self.frames.iter().try_for_each(Frames::check)?;
        self.checkpoint.map_or(Ok(()), |length| files::require_length(&self.folder.join(storage::FILE), length))
    }

    fn write(&mut self, request: WriteRequest) -> Result<(), GrainsError> {
        match request {
            WriteRequest::Series(line) => push(&mut self.series, &line),
            WriteRequest::Contacts(lines) => push(&mut self.contacts, &lines),
            WriteRequest::Passed(lines) => push(&mut self.passed, &lines),
            WriteRequest::Measured(number, lines) => {
                self.measures.get_mut(number).map_or(Ok(()), |table| table.push(&lines))
            }
            WriteRequest::Frame(frame) => self.frames.as_mut().map_or(Ok(()), |frames| frames.push(&frame)),
            WriteRequest::Fclib(step, problem) => {
                let path = self.folder.join(names::friction_problem(step));
                let unfinished = path.with_extension("hdf5.new");
                let failed = |source| GrainsError::Fclib { path: unfinished.clone(), source };
                write_hdf5(&unfinished, &problem).map_err(failed)?;
                fs::rename(&unfinished, &path).map_err(GrainsError::io(path))
            }
            WriteRequest::Checkpoint(simulation) => {
                self.frames.as_mut().map_or(Ok(()), Frames::sync)?;
                let positions = FilePositions {
                    series: self.series.as_ref().map(Lines::sync).transpose()?,
                    contacts: self.contacts.as_ref().map(Lines::sync).transpose()?,
                    passed: self.passed.as_ref().map(Lines::sync).transpose()?,
                    measures: self.measures.iter().map(Lines::sync).collect::<Result<_, _>>()?,
                    frames: self.frames.as_ref().map_or_else(Vec::new, |frames| frames.written().to_vec()),
                    at_rest: self.frames.as_ref().map_or_else(Vec::new, |frames| frames.at_rest().to_vec()),
                };
                // File names must be on disk before the checkpoint that refers to them.
                files::sync_folder(&self.folder)?;
                let length = storage::write(&self.folder.join(storage::FILE), &simulation, &positions)?;
                self.checkpoint = Some(length);
                self.marked.take().map_or(Ok(()), |file| Lock::clear(&file, &self.folder))
            }
        }
    }
}

fn push(lines: &mut Option<Lines>, text: &str) -> Result<(), GrainsError> {
    match lines {
        Some(lines) => lines.push(text),
        None => Ok(()),
    }
}
