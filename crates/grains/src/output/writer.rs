//! The thread that writes results.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use dem_contact::bond::Bonds;
use rrp_integrate::{Bodies, State};

use super::columns::CONTACT_HEADER;
use super::frames::{self, Frames};
use super::lines::Lines;
use super::{CHECKPOINT, CONTACTS, FRAMES, Marks, SERIES};
use crate::{GrainsError, OutputPlan, checkpoint};

/// Orders that may wait: a disk that is slower than the simulation holds it up instead of losing anything.
const WAITING: usize = 8;

/// What is to be written, in this order.
#[derive(Debug)]
pub(crate) enum Order {
    /// A line of the time series.
    Series(String),
    /// Lines of the table of contacts.
    Contacts(String),
    /// A frame.
    Frame(Arc<Bodies>, Box<State>, Option<Box<Bonds>>),
    /// A checkpoint: the simulation as bytes.
    Checkpoint(Vec<u8>),
}

/// Writes results in their order on a thread of its own. It keeps away from the threads that steps are taken on: one of them may
/// be waiting for it.
///
/// Dropped without [`finish`](Self::finish), it ends after what it is writing, as if the program had been killed.
#[derive(Debug)]
pub(crate) struct Writer {
    orders: Option<SyncSender<Order>>,
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

/// Passes a folder without results; removes them, frames included, if they may be overwritten.
pub(crate) fn make_room(folder: &Path, overwrite: bool) -> Result<(), GrainsError> {
    let names = [CHECKPOINT, "previous.grains", SERIES, CONTACTS, FRAMES];
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
    pub(crate) fn create(folder: &Path, plan: &OutputPlan, header: &str) -> Result<Self, GrainsError> {
        fs::create_dir_all(folder).map_err(GrainsError::io(folder))?;
        let lines = |name: &str, header: &str| Lines::create(folder.join(name), header);
        Ok(Self::start(Files {
            folder: folder.to_owned(),
            series: plan.series.map(|_| lines(SERIES, header)).transpose()?,
            contacts: plan.contacts.map(|_| lines(CONTACTS, CONTACT_HEADER)).transpose()?,
            frames: plan.frames.map(|_| Frames::at(folder, Vec::new())).transpose()?,
        }))
    }

    /// A writer that goes on where results were at a checkpoint.
    pub(crate) fn resume(folder: &Path, plan: &OutputPlan, marks: &Marks) -> Result<Self, GrainsError> {
        let lines = |name: &str, length: u64| Lines::cut(folder.join(name), length);
        Ok(Self::start(Files {
            folder: folder.to_owned(),
            series: marks.series.map(|length| lines(SERIES, length)).transpose()?,
            contacts: marks.contacts.map(|length| lines(CONTACTS, length)).transpose()?,
            frames: plan.frames.map(|_| Frames::at(folder, marks.frames.clone())).transpose()?,
        }))
    }

    fn start(mut files: Files) -> Self {
        let (orders, waiting) = sync_channel(WAITING);
        let abandoned = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&abandoned);
        let thread = std::thread::spawn(move || files.serve(&waiting, &flag));
        Self { orders: Some(orders), thread: Some(thread), abandoned }
    }

    /// Gives an order; waits while too many are waiting.
    pub(crate) fn order(&mut self, order: Order) -> Result<(), GrainsError> {
        match &self.orders {
            Some(orders) if orders.send(order).is_ok() => Ok(()),
            _ => Err(self.end().err().unwrap_or(GrainsError::WriterGone)),
        }
    }

    /// Waits until all is written.
    pub(crate) fn finish(mut self) -> Result<(), GrainsError> {
        self.end()
    }

    fn end(&mut self) -> Result<(), GrainsError> {
        self.orders = None;
        match self.thread.take() {
            Some(thread) => thread.join().unwrap_or(Err(GrainsError::WriterGone)),
            None => Ok(()),
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.abandoned.store(true, Ordering::SeqCst);
        // Whoever wants to know what went wrong calls `finish`.
        let _ended = self.end();
    }
}

impl Files {
    fn serve(&mut self, orders: &Receiver<Order>, abandoned: &AtomicBool) -> Result<(), GrainsError> {
        while let Ok(order) = orders.recv() {
            if abandoned.load(Ordering::SeqCst) {
                return Ok(());
            }
            self.write(order)?;
        }
        Ok(())
    }

    fn write(&mut self, order: Order) -> Result<(), GrainsError> {
        match order {
            Order::Series(line) => push(&mut self.series, &line),
            Order::Contacts(lines) => push(&mut self.contacts, &lines),
            Order::Frame(bodies, state, bonds) => match &mut self.frames {
                Some(frames) => frames.push(&bodies, &state, bonds.as_deref()),
                None => Ok(()),
            },
            Order::Checkpoint(simulation) => {
                let marks = Marks {
                    series: self.series.as_mut().map(Lines::mark).transpose()?,
                    contacts: self.contacts.as_mut().map(Lines::mark).transpose()?,
                    frames: self.frames.as_ref().map_or_else(Vec::new, |frames| frames.times().to_vec()),
                };
                checkpoint::write(&self.folder.join(CHECKPOINT), &simulation, &marks)
            }
        }
    }
}

/// Adds text to a file, and hands it over to the system.
fn push(lines: &mut Option<Lines>, text: &str) -> Result<(), GrainsError> {
    match lines {
        Some(lines) => lines.push(text).and_then(|()| lines.flush()),
        None => Ok(()),
    }
}
