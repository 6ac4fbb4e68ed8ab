//! The thread that writes results.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use dem_contact::bond::Bonds;
use rrp_integrate::{Bodies, State};

use super::columns::contacts_header;
use super::frames::{self, Frames};
use super::lines::Lines;
use super::names::{CONTACTS, FRAMES, SERIES};
use crate::checkpoint::{self, FilePositions};
use crate::error::GrainsError;
use crate::scene::output::OutputPlan;

/// Most requests that may wait. Then the simulation waits, so that nothing is lost on a slow disk.
const WAITING: usize = 8;

/// One piece of results.
#[derive(Debug)]
pub(crate) enum WriteRequest {
    /// A line of the time series.
    Series(String),
    /// Lines of the table of contacts.
    Contacts(String),
    /// A frame.
    Frame { bodies: Arc<Bodies>, state: Box<State>, bonds: Option<Box<Bonds>> },
    /// A checkpoint: the simulation as bytes.
    Checkpoint(Vec<u8>),
}

/// Writes results in the order of the requests, on a thread of its own. That is not one of the threads that take steps:
/// one of them may be waiting for the writer.
///
/// If dropped without [`finish`](Self::finish), the writer ends after the piece it is writing, as in a killed program.
#[derive(Debug)]
pub(crate) struct Writer {
    requests: Option<SyncSender<WriteRequest>>,
    thread: Option<JoinHandle<Result<(), GrainsError>>>,
    abandoned: Arc<AtomicBool>,
}

/// Files of one run.
#[derive(Debug)]
struct Files {
    folder: PathBuf,
    series: Option<Lines>,
    contacts: Option<Lines>,
    frames: Option<Frames>,
}

/// Refuses a folder with results, or removes them if they may be overwritten.
///
/// # Errors
/// [`GrainsError::Occupied`] and [`GrainsError::Io`].
pub(crate) fn make_room(folder: &Path, overwrite: bool) -> Result<(), GrainsError> {
    let names = [checkpoint::FILE, checkpoint::PREVIOUS, SERIES, CONTACTS, FRAMES];
    for path in names.map(|name| folder.join(name)).iter().filter(|path| path.exists()) {
        if !overwrite {
            return Err(GrainsError::Occupied { path: folder.to_owned() });
        }
        fs::remove_file(path).map_err(GrainsError::io(path))?;
    }
    if overwrite { frames::remove_from(folder, 0) } else { Ok(()) }
}

impl Writer {
    /// A writer of new results.
    ///
    /// # Errors
    /// [`GrainsError::Io`].
    pub(crate) fn create(folder: &Path, plan: &OutputPlan, header: &str) -> Result<Self, GrainsError> {
        fs::create_dir_all(folder).map_err(GrainsError::io(folder))?;
        let lines = |name: &str, header: &str| Lines::create(folder.join(name), header);
        Ok(Self::start(Files {
            folder: folder.to_owned(),
            series: plan.series.map(|_| lines(SERIES, header)).transpose()?,
            contacts: plan.contacts.map(|_| lines(CONTACTS, &contacts_header())).transpose()?,
            frames: plan.frames.map(|_| Frames::at(folder, Vec::new())).transpose()?,
        }))
    }

    /// A writer that continues results from a checkpoint on. Later results are removed.
    ///
    /// # Errors
    /// [`GrainsError::ResultsChanged`] and [`GrainsError::Io`].
    pub(crate) fn resume(folder: &Path, plan: &OutputPlan, positions: &FilePositions) -> Result<Self, GrainsError> {
        let lines = |name: &str, length: u64| Lines::cut(folder.join(name), length);
        Ok(Self::start(Files {
            folder: folder.to_owned(),
            series: positions.series.map(|length| lines(SERIES, length)).transpose()?,
            contacts: positions.contacts.map(|length| lines(CONTACTS, length)).transpose()?,
            frames: plan.frames.map(|_| Frames::at(folder, positions.frames.clone())).transpose()?,
        }))
    }

    fn start(mut files: Files) -> Self {
        let (requests, waiting) = sync_channel(WAITING);
        let abandoned = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&abandoned);
        let thread = std::thread::spawn(move || files.serve(&waiting, &flag));
        Self { requests: Some(requests), thread: Some(thread), abandoned }
    }

    /// Hands over a request. Waits while too many are waiting.
    ///
    /// # Errors
    /// The first error of the writer.
    pub(crate) fn request(&mut self, request: WriteRequest) -> Result<(), GrainsError> {
        match &self.requests {
            Some(requests) if requests.send(request).is_ok() => Ok(()),
            _ => Err(self.end().err().unwrap_or(GrainsError::WriterGone)),
        }
    }

    /// Waits until everything is written.
    ///
    /// # Errors
    /// The first error of the writer.
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
        // Errors are reported by `finish`.
        let _ended = self.end();
    }
}

impl Files {
    fn serve(&mut self, requests: &Receiver<WriteRequest>, abandoned: &AtomicBool) -> Result<(), GrainsError> {
        while let Ok(request) = requests.recv() {
            if abandoned.load(Ordering::SeqCst) {
                return Ok(());
            }
            self.write(request)?;
        }
        Ok(())
    }

    fn write(&mut self, request: WriteRequest) -> Result<(), GrainsError> {
        match request {
            WriteRequest::Series(line) => push(&mut self.series, &line),
            WriteRequest::Contacts(lines) => push(&mut self.contacts, &lines),
            WriteRequest::Frame { bodies, state, bonds } => match &mut self.frames {
                Some(frames) => frames.push(&bodies, &state, bonds.as_deref()),
                None => Ok(()),
            },
            WriteRequest::Checkpoint(simulation) => {
                let positions = FilePositions {
                    series: self.series.as_mut().map(Lines::sync).transpose()?,
                    contacts: self.contacts.as_mut().map(Lines::sync).transpose()?,
                    frames: self.frames.as_ref().map_or_else(Vec::new, |frames| frames.times().to_vec()),
                };
                checkpoint::write(&self.folder.join(checkpoint::FILE), &simulation, &positions)
            }
        }
    }
}

/// Adds text to a file, and hands it to the system.
fn push(lines: &mut Option<Lines>, text: &str) -> Result<(), GrainsError> {
    match lines {
        Some(lines) => lines.push(text).and_then(|()| lines.flush()),
        None => Ok(()),
    }
}
