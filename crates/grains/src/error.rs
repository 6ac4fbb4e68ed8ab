//! Errors of scenes, runs and checkpoints, and where in a scene they are.

mod checkpoint;
pub(crate) mod handling;
mod location;
mod on_ranks;

use std::path::PathBuf;

use cd_solve::fclib::FclibError;
use dem_contact::error::DemError;
use rrp_integrate::IntegrateError;
use thiserror::Error;

pub use self::checkpoint::CheckpointError;
use self::handling::{among, known_names, room, room_on_disk, suggestion};
pub use self::location::{Excerpt, Location, Note};
pub use self::on_ranks::OnRanksError;

/// Why a scene or a file was refused, or a run stopped.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GrainsError {
    /// The text is not TOML.
    #[error("{at}: {problem}")]
    Syntax {
        /// Location in the scene.
        at: Location,
        /// The parser's message.
        problem: String,
    },
    /// An unknown key or word.
    #[error("{at}: there is no `{found}` here{}; {}", suggestion(.nearest), known_names(.found, .known))]
    UnknownName {
        /// Location in the scene.
        at: Location,
        /// The unknown name.
        found: Box<str>,
        /// The nearest known name.
        nearest: Option<Box<str>>,
        /// All known names.
        known: Box<[String]>,
    },
    /// A material, a wall, a gate or a kind of template that does not exist.
    #[error("{at}: there is no `{found}` here{}; {}", suggestion(.nearest), known_names(.found, .known))]
    UndefinedName {
        /// Location in the scene.
        at: Location,
        /// The name.
        found: Box<str>,
        /// The nearest name that there is.
        nearest: Option<Box<str>>,
        /// All names that there are.
        known: Box<[String]>,
    },
    /// A required key is missing.
    #[error("{at}: `{missing}` is missing")]
    MissingKey {
        /// Location in the scene.
        at: Location,
        /// The missing key.
        missing: String,
    },
    /// A value of the wrong kind.
    #[error("{at}: {problem}")]
    WrongType {
        /// Location in the scene.
        at: Location,
        /// The expected and the found type.
        problem: String,
    },
    /// A number outside its range.
    #[error("{at} must be {range}, but is {value}")]
    OutOfRange {
        /// Location in the scene.
        at: Location,
        /// The allowed values.
        range: &'static str,
        /// The value.
        value: f64,
    },
    /// Two keys that exclude each other, or a key without the one that it needs.
    #[error("{at}: {problem}")]
    Conflict {
        /// Location in the scene.
        at: Location,
        /// The conflict.
        problem: &'static str,
    },
    /// A wall without ends that would leave a periodic direction of the box.
    #[error("{at}: {problem}")]
    WallAcrossPeriodic {
        /// Location in the scene.
        at: Location,
        /// Why, and what to write instead.
        problem: String,
    },
    /// A list of the wrong length.
    #[error("{at} has {found} entries, not {expected}")]
    WrongLength {
        /// Location in the scene.
        at: Location,
        /// The required number.
        expected: usize,
        /// The number found.
        found: usize,
    },
    /// Bodies that overlap at the start by more than a tenth of the smaller radius.
    #[error(
        "{at}: bodies {first} and {second} overlap by {overlap} at the start, more than a tenth of the radius {radius}"
    )]
    Overlap {
        /// Group of the first body.
        at: Location,
        /// Id of a body.
        first: u64,
        /// Id of the other body.
        second: u64,
        /// Overlap in m.
        overlap: f64,
        /// The smaller radius in m.
        radius: f64,
    },
    /// A wall that goes through a body at the start, or when it comes.
    #[error(
        "{at}: wall {wall} goes through body {body}: they overlap by {overlap}, more than a tenth of the radius {radius}"
    )]
    WallThroughBody {
        /// Group of the body, or the wall in the stage in which it comes.
        at: Location,
        /// Name of the wall, or its number.
        wall: String,
        /// Id of the body.
        body: u64,
        /// Overlap in m.
        overlap: f64,
        /// Radius in m.
        radius: f64,
    },
    /// A body that is in the solid that a wall bounds, at the start or when the wall comes.
    #[error("{at}: body {body} is in the solid of `{wall}`; move the body, or {remedy}")]
    InSolid {
        /// Group of the body, or the wall in the stage in which it comes.
        at: Location,
        /// Id of the body.
        body: u64,
        /// Key of the wall.
        wall: String,
        /// Advice on what to change at the wall.
        remedy: &'static str,
    },
    /// A time step that an explicit integrator cannot take.
    #[error("{at} is {dt}, too long for {by}: write at most {limit} to be stable, {advice} to be exact, or \"auto\"")]
    StepTooLong {
        /// Location in the scene.
        at: Location,
        /// The step in s.
        dt: f64,
        /// The contact or motion that such a step does not resolve, a noun phrase.
        by: String,
        /// Longest allowed step in s.
        limit: f64,
        /// The step that `"auto"` takes, in s.
        advice: f64,
    },
    /// Too many steps.
    #[error("{at} gives {steps:e} steps, more than {limit:e}")]
    TooManySteps {
        /// Location in the scene.
        at: Location,
        /// Number of steps.
        steps: f64,
        /// Largest allowed number.
        limit: f64,
    },
    /// No time step can be derived.
    #[error("{at} cannot be \"auto\" here: {problem}")]
    NoAutomaticStep {
        /// Location in the scene.
        at: Location,
        /// Why.
        problem: String,
    },
    /// A random pour without enough room.
    #[error(
        "{at}: no room was found for {count} bodies, which with their gaps are {fraction:.2} times the volume; {}{}",
        room(*.fraction, *.there),
        among(*.there)
    )]
    NoRoom {
        /// Location in the scene.
        at: Location,
        /// Number of bodies.
        count: usize,
        /// Volume of the bodies, each with half of the gap around it, relative to the volume of the box.
        fraction: f64,
        /// Number of bodies that are there already.
        there: usize,
    },
    /// A table of bodies with a wrong header or row.
    #[error("{}: line {line}, column `{column}`: {problem}", .path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// Line, counted from one.
        line: usize,
        /// The column.
        column: String,
        /// The problem.
        problem: &'static str,
    },
    /// A library refuses the value of a key.
    #[error("{at}: {source}")]
    Refused {
        /// Location in the scene.
        at: Location,
        /// The library's error.
        source: Box<DemError>,
    },
    /// A library refuses the contents of a file.
    #[error("{at}: {}: {source}", .path.display())]
    File {
        /// Location in the scene.
        at: Location,
        /// The file.
        path: PathBuf,
        /// The library's error.
        source: Box<DemError>,
    },
    /// A scene that TOML cannot hold.
    #[error("the scene cannot be written as TOML: {problem}")]
    Unwritable {
        /// The writer's message.
        problem: String,
    },
    /// A file could not be read or written.
    #[error("{}: {source}{}", .path.display(), room_on_disk(.source))]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The folder of the results could not be made.
    #[error(
        "{}: the folder of the results cannot be made: {source}; choose another one by `output.folder` or with `--output`",
        .path.display()
    )]
    NoFolder {
        /// The folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A friction problem could not be written.
    #[error("{}: {source}", .path.display())]
    Fclib {
        /// The file.
        path: PathBuf,
        /// Why.
        source: FclibError,
    },
    /// A file that a key names could not be read.
    #[error("{at}: {}: {source}", .path.display())]
    Unreadable {
        /// Location in the scene.
        at: Location,
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// More memory than there is.
    #[error(
        "{at}: {what} would take about {needed_gb:.1} GB of memory, but may take {allowed_gb:.1} GB at most, nine tenths \
         of what is free",
        needed_gb = *.needed as f64 / 1e9,
        allowed_gb = *.allowed as f64 / 1e9
    )]
    TooLarge {
        /// Location in the scene.
        at: Location,
        /// Purpose of the memory.
        what: String,
        /// Estimated number of bytes.
        needed: u64,
        /// Number of bytes that it may take.
        allowed: u64,
    },
    /// The folder holds results of an earlier run, or files with their names.
    #[error(
        "{}: there is `{found}`, as from an earlier run; `grains resume` goes on with results, `--overwrite` removes them",
        .path.display()
    )]
    Occupied {
        /// The folder.
        path: PathBuf,
        /// A file there.
        found: String,
    },
    /// A file that a result would replace.
    #[error("{}: there is such a file already; `--overwrite` replaces it", .path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A file that would have to be replaced, and never is.
    #[error("{}: there is such a file already; choose another name", .path.display())]
    Taken {
        /// The file.
        path: PathBuf,
    },
    /// An input that a result would replace.
    #[error("{}: results would replace the input {}; choose another place for them", .path.display(), .input.display())]
    InputInTheWay {
        /// The result.
        path: PathBuf,
        /// The input.
        input: PathBuf,
    },
    /// Another process is writing results to the same folder.
    #[error("{}: another run is writing results there; let it end, or choose another folder with `--output`", .path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// A file name with an unknown ending.
    #[error("{at}: {}: endings can be {known}", .path.display())]
    UnknownFormat {
        /// Location in the scene.
        at: Location,
        /// The file.
        path: PathBuf,
        /// The known endings.
        known: &'static str,
    },
    /// A checkpoint that cannot be used.
    #[error("{}: {source}", .path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// Why.
        source: CheckpointError,
    },
    /// A state that cannot be stored.
    #[error("the state cannot be stored: {problem}")]
    Unstorable {
        /// The writer's message.
        problem: String,
    },
    /// A file of results that was cut or grew.
    #[error("{}: has {found} bytes, not the {expected} that the run has written; something else changed it", .path.display())]
    ResultsChanged {
        /// The file.
        path: PathBuf,
        /// Number of bytes that are required.
        expected: u64,
        /// The number found.
        found: u64,
    },
    /// Another file has the name of a file of results.
    #[error("{}: is not the file that the run has written; something else replaced it", .path.display())]
    ResultsReplaced {
        /// The file.
        path: PathBuf,
    },
    /// A step failed.
    #[error("step {step} at the time {time}: {source}{details}")]
    Step {
        /// The step, counted from one.
        step: u64,
        /// Time in s.
        time: f64,
        /// The integrator's error.
        source: IntegrateError,
        /// Names and places of the bodies and walls of the error, and what may be wrong, in words; empty if none are
        /// known.
        details: String,
    },
    /// The energy exceeds the energy at the start and what gravity and walls put in.
    #[error(
        "step {step} at the time {time}: energy has grown without a source: {excess} J of the {energy} J of motion, contacts and bonds; if steps are long, make `time.dt` smaller"
    )]
    EnergyGrown {
        /// The step, counted from one.
        step: u64,
        /// Time in s.
        time: f64,
        /// Energy without a source in J.
        excess: f64,
        /// Kinetic and elastic energy, and that of bonds, in J.
        energy: f64,
    },
    /// A body whose centre went through a wall within a step that is not explicit.
    #[error(
        "step {step} at the time {time}: the centre of body {body} went through wall {wall} within the step, a way of \
         {way} beside a radius of {radius}: {remedy}"
    )]
    WallCrossed {
        /// The step, counted from one.
        step: u64,
        /// Time in s, at the end of the step.
        time: f64,
        /// Id of the body.
        body: u64,
        /// Name of the wall, or its number.
        wall: String,
        /// Distance in m that the body moved relative to the wall in the step.
        way: f64,
        /// Radius in m.
        radius: f64,
        /// Advice on what to change in the scene.
        remedy: String,
    },
    /// A state could not be read.
    #[error("the state at the time {time} cannot be read: {source}")]
    Reading {
        /// Time in s.
        time: f64,
        /// The library's error.
        source: Box<DemError>,
    },
    /// Threads could not be started.
    #[error("threads could not be started, `--threads 1` takes the least: {problem}")]
    NoThreads {
        /// The system's error.
        problem: String,
    },
    /// A run on several ranks cannot go on.
    #[error(transparent)]
    OnRanks(#[from] OnRanksError),
    /// The thread that writes results has ended.
    #[error("the thread that writes results has ended")]
    WriterGone,
}
