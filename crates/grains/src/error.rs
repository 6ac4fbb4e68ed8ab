//! What can be wrong with a scene, a run or a checkpoint.

use std::path::PathBuf;

use dem_contact::error::DemError;
use rrp_integrate::IntegrateError;
use thiserror::Error;

use crate::Location;

/// Why a scene is none, a run stopped, or a file was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GrainsError {
    /// The text is not TOML.
    #[error("{at}: {problem}")]
    Syntax {
        /// Where.
        at: Location,
        /// What the parser says.
        problem: String,
    },
    /// A key or a word that means nothing.
    #[error("{at}: there is no `{found}` here{}; known are {}", suggestion(.nearest), .known.join(", "))]
    UnknownName {
        /// Where.
        at: Location,
        /// What is there.
        found: Box<str>,
        /// The nearest one that is known.
        nearest: Option<Box<str>>,
        /// All that are known.
        known: Vec<String>,
    },
    /// A key that has to be there is not.
    #[error("{at}: `{missing}` is missing")]
    MissingKey {
        /// Where.
        at: Location,
        /// What is missing.
        missing: String,
    },
    /// A value of the wrong kind.
    #[error("{at}: {problem}")]
    WrongType {
        /// Where.
        at: Location,
        /// What was found and what was expected.
        problem: String,
    },
    /// A number outside its range.
    #[error("{at} must be {range}, but is {value}")]
    OutOfRange {
        /// Where.
        at: Location,
        /// Which values it may have.
        range: &'static str,
        /// Its value.
        value: f64,
    },
    /// Two keys that exclude each other, or a key without the one that it needs.
    #[error("{at}: {problem}")]
    Conflict {
        /// Where.
        at: Location,
        /// What does not go together.
        problem: &'static str,
    },
    /// Two lists that must be of one length.
    #[error("{at} has {found} entries, not {expected}")]
    WrongLength {
        /// Where.
        at: Location,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Bodies that overlap at the start by more than a tenth of the smaller radius.
    #[error(
        "{at}: bodies {first} and {second} overlap by {overlap} at the start, more than a tenth of the radius {radius}"
    )]
    Overlap {
        /// Group of the first body.
        at: Location,
        /// A body.
        first: usize,
        /// Another one.
        second: usize,
        /// Overlap in m.
        overlap: f64,
        /// The smaller radius in m.
        radius: f64,
    },
    /// A wall that goes through a body at the start.
    #[error(
        "{at}: wall {wall} goes through body {body} at the start: they overlap by {overlap}, more than a tenth of the radius {radius}"
    )]
    WallThroughBody {
        /// Group of the body.
        at: Location,
        /// The wall.
        wall: usize,
        /// The body.
        body: usize,
        /// Overlap in m.
        overlap: f64,
        /// Radius in m.
        radius: f64,
    },
    /// A time step that an explicit integrator cannot take.
    #[error(
        "{at} is {dt}, too long for contacts that last {contact} s; at most {limit} can be stable, {advice} is recommended"
    )]
    StepTooLong {
        /// Where.
        at: Location,
        /// The step in s.
        dt: f64,
        /// Shortest contact in s.
        contact: f64,
        /// Longest step in s that is let pass.
        limit: f64,
        /// The step that `"auto"` takes, in s.
        advice: f64,
    },
    /// More steps than anyone could wait for.
    #[error("{at} gives {steps:e} steps, more than {limit:e}")]
    TooManySteps {
        /// Where.
        at: Location,
        /// How many.
        steps: f64,
        /// How many may be.
        limit: f64,
    },
    /// No time step can be derived.
    #[error("{at} cannot be \"auto\" here: {problem}")]
    NoAutomaticStep {
        /// Where.
        at: Location,
        /// Why.
        problem: &'static str,
    },
    /// A random pour that does not fit.
    #[error(
        "{at}: no room was found for {count} bodies, which with their gaps are {fraction:.2} times the volume; make the box larger or the count smaller"
    )]
    NoRoom {
        /// Where.
        at: Location,
        /// How many were asked for.
        count: usize,
        /// Their volume, with half of the gap around each, over that of the box.
        fraction: f64,
    },
    /// A line of a table is not what its header says.
    #[error("{}: line {line}, column `{column}`: {problem}", .path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// Line, from one.
        line: usize,
        /// The column.
        column: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// The library refuses what a key asks for.
    #[error("{at}: {source}")]
    Refused {
        /// Where.
        at: Location,
        /// What the library says.
        source: Box<DemError>,
    },
    /// A scene that TOML cannot hold.
    #[error("the scene cannot be written as TOML: {problem}")]
    Unwritable {
        /// What the writer says.
        problem: String,
    },
    /// A file could not be read or written.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file that a key names could not be read.
    #[error("{at}: {}: {source}", .path.display())]
    Unreadable {
        /// Where.
        at: Location,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// There are results of an earlier run.
    #[error("{}: there are results of an earlier run; `grains resume` goes on with them, `--overwrite` removes them", .path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// Another process is writing results to the same folder.
    #[error("{}: another run is writing results there; let it end, or choose another folder with `--output`", .path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// A file whose ending says nothing about what it is to be.
    #[error("{}: endings can be {known}", .path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// Which endings there are.
        known: &'static str,
    },
    /// A file that is no checkpoint.
    #[error("{}: not a checkpoint of grains", .path.display())]
    NotACheckpoint {
        /// The file.
        path: PathBuf,
    },
    /// A checkpoint of a newer program.
    #[error("{}: a checkpoint of version {found}, newer than {known}, which this program reads; use a newer grains", .path.display())]
    NewerCheckpoint {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The newest version that is known.
        known: u32,
    },
    /// A checkpoint that ends early or goes on too long.
    #[error("{}: the checkpoint has {found} bytes, not {expected}; the one before it may be whole: {}", .path.display(), .previous.display())]
    TruncatedCheckpoint {
        /// The file.
        path: PathBuf,
        /// How many bytes there should be.
        expected: u64,
        /// How many there are.
        found: u64,
        /// The checkpoint before.
        previous: PathBuf,
    },
    /// A checkpoint with other bytes than were written.
    #[error("{}: the checkpoint is damaged, its checksum does not match; the one before it may be whole: {}", .path.display(), .previous.display())]
    DamagedCheckpoint {
        /// The file.
        path: PathBuf,
        /// The checkpoint before.
        previous: PathBuf,
    },
    /// A checkpoint whose bytes are as written, but mean nothing to this program.
    #[error("{}: the contents of the checkpoint cannot be used: {problem}", .path.display())]
    UnusableCheckpoint {
        /// The file.
        path: PathBuf,
        /// What the reader says.
        problem: String,
    },
    /// A checkpoint cannot be made.
    #[error("the state cannot be stored: {problem}")]
    Unstorable {
        /// What the writer says.
        problem: String,
    },
    /// A result of the run that is resumed is shorter than the checkpoint says, or gone.
    #[error("{}: has {found} bytes, but had {expected} when the checkpoint was made; the run cannot go on with it", .path.display())]
    ResultsChanged {
        /// The file.
        path: PathBuf,
        /// How many bytes there should be.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// A step could not be taken.
    #[error("step {step} at the time {time}: {source}")]
    Step {
        /// The step, from one.
        step: u64,
        /// Time in s.
        time: f64,
        /// What the integrator says.
        source: IntegrateError,
    },
    /// A state could not be read.
    #[error("the state at the time {time} cannot be read: {source}")]
    Reading {
        /// Time in s.
        time: f64,
        /// What the library says.
        source: Box<DemError>,
    },
    /// Threads to work with could not be started.
    #[error("threads could not be started, `--threads 1` takes the least: {problem}")]
    NoThreads {
        /// What the system says.
        problem: String,
    },
    /// The thread that writes results has ended.
    #[error("the thread that writes results has ended")]
    WriterGone,
}

fn suggestion(nearest: &Option<Box<str>>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!(", did you mean `{name}`?"))
}

impl GrainsError {
    /// The key that the error is about, to be completed with its line.
    pub(crate) fn location_mut(&mut self) -> Option<&mut Location> {
        match self {
            Self::Syntax { at, .. }
            | Self::UnknownName { at, .. }
            | Self::MissingKey { at, .. }
            | Self::WrongType { at, .. }
            | Self::OutOfRange { at, .. }
            | Self::Conflict { at, .. }
            | Self::WrongLength { at, .. }
            | Self::Overlap { at, .. }
            | Self::WallThroughBody { at, .. }
            | Self::StepTooLong { at, .. }
            | Self::TooManySteps { at, .. }
            | Self::NoAutomaticStep { at, .. }
            | Self::NoRoom { at, .. }
            | Self::Refused { at, .. }
            | Self::Unreadable { at, .. } => Some(at),
            _ => None,
        }
    }

    /// The exit code of the program: 2 for what was asked for, 1 for what went wrong on the way.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Step { .. }
            | Self::Reading { .. }
            | Self::NoThreads { .. }
            | Self::WriterGone
            | Self::Unstorable { .. }
            | Self::Io { .. } => 1,
            _ => 2,
        }
    }

    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }

    /// What the library says about `key`.
    pub(crate) fn refused(key: impl Into<String>) -> impl FnOnce(DemError) -> Self {
        let at = Location::of(key);
        move |source| Self::Refused { at, source: Box::new(source) }
    }
}
