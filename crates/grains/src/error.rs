//! Errors of scenes, runs and checkpoints, with their locations in scenes.

mod checkpoint;
pub(crate) mod handling;
mod location;
mod on_ranks;

use std::path::PathBuf;

use cd_solve::fclib::FclibError;
use dem_contact::error::DemError;
use grains_pages::error::{PlotError, ViewError};
use rrp_integrate::IntegrateError;
use thiserror::Error;

pub use self::checkpoint::CheckpointError;
use self::handling::{among, known_columns, known_names, room, room_on_disk, suggestion};
pub use self::location::{Excerpt, Location, Note};
pub use self::on_ranks::OnRanksError;

/// Reason why a scene or a file was refused, or why a run stopped.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GrainsError {
    /// The text of a scene is not TOML.
    #[error("{at}: {problem}")]
    Syntax {
        /// Location of the syntax error in the scene.
        at: Location,
        /// Message of the TOML parser.
        problem: String,
    },
    /// A scene has an unknown key, or a value with an unknown word.
    #[error("{at}: there is no `{found}` here{}; {}", suggestion(.nearest), known_names(.found, .known))]
    UnknownName {
        /// Location of the unknown key or word in the scene.
        at: Location,
        /// The unknown key or word, as it stands in the scene.
        found: Box<str>,
        /// Known key or word that is spelled most like the unknown one, for the message.
        nearest: Option<Box<str>>,
        /// All keys or words that are known at this place of the scene.
        known: Box<[String]>,
    },
    /// A scene refers by name to a material, a wall, a gate or a kind of template that does not exist.
    #[error("{at}: there is no `{found}` here{}; {}", suggestion(.nearest), known_names(.found, .known))]
    UndefinedName {
        /// Location of the undefined name in the scene.
        at: Location,
        /// The undefined name, as it stands in the scene.
        found: Box<str>,
        /// Defined name that is spelled most like the undefined one, for the message.
        nearest: Option<Box<str>>,
        /// All names of this kind that are defined.
        known: Box<[String]>,
    },
    /// A scene lacks a required key.
    #[error("{at}: `{missing}` is missing")]
    MissingKey {
        /// Location in the scene of the table that lacks the key.
        at: Location,
        /// Name of the key that the table lacks.
        missing: String,
    },
    /// A value of a scene has the wrong type.
    #[error("{at}: {problem}")]
    WrongType {
        /// Location of the value of the wrong type in the scene.
        at: Location,
        /// The expected type and the type found in the scene, in words.
        problem: String,
    },
    /// A number of a scene is outside its allowed range.
    #[error("{at} must be {range}, but is {value}")]
    OutOfRange {
        /// Location in the scene of the number that is outside its range.
        at: Location,
        /// The allowed range of the number, in words.
        range: &'static str,
        /// The number that is outside its range.
        value: f64,
    },
    /// Two keys of a scene exclude each other, or a key lacks the one that it needs.
    #[error("{at}: {problem}")]
    Conflict {
        /// Location in the scene of one of the conflicting keys.
        at: Location,
        /// The conflict between the keys, and what to write instead.
        problem: &'static str,
    },
    /// A wall without ends would leave the box through a periodic side.
    #[error("{at}: {problem}")]
    WallAcrossPeriodic {
        /// Location in the scene of the refused wall without ends.
        at: Location,
        /// Reason why the wall is refused, and what to write instead.
        problem: String,
    },
    /// A list of a scene has the wrong length.
    #[error("{at} has {found} entries, not {expected}")]
    WrongLength {
        /// Location in the scene of the list of the wrong length.
        at: Location,
        /// Number of entries that the list must have.
        expected: usize,
        /// Number of entries that the list of the wrong length has.
        found: usize,
    },
    /// Two bodies overlap at the start by more than a tenth of the smaller radius.
    #[error(
        "{at}: bodies {first} and {second} overlap by {overlap} at the start, more than a tenth of the radius {radius}"
    )]
    Overlap {
        /// Location in the scene of the group of the first of two overlapping bodies.
        at: Location,
        /// Id of the first of two overlapping bodies.
        first: u64,
        /// Id of the second of two overlapping bodies.
        second: u64,
        /// Overlap in m of the two bodies that overlap too much at the start.
        overlap: f64,
        /// Smaller radius of the two overlapping bodies in m.
        radius: f64,
    },
    /// A wall goes through a body at the start, or when the body or the wall is added.
    #[error(
        "{at}: wall {wall} goes through body {body}: they overlap by {overlap}, more than a tenth of the radius {radius}"
    )]
    WallThroughBody {
        /// Location in the scene of the group of the body, or of the wall in the stage that adds it.
        at: Location,
        /// Name of the wall that goes through the body, or the wall's number.
        wall: String,
        /// Id of the body that the wall goes through.
        body: u64,
        /// Overlap in m of the body with the wall that goes through it.
        overlap: f64,
        /// Radius in m of the body that the wall goes through.
        radius: f64,
    },
    /// A body is in the solid that a wall bounds, at the start or when a stage adds the wall.
    #[error("{at}: body {body} is in the solid of `{wall}`; move the body, or {remedy}")]
    InSolid {
        /// Location in the scene of the group of the body, or of the wall in the stage that adds it.
        at: Location,
        /// Id of the body that is in the solid behind a wall.
        body: u64,
        /// Key or name of the wall that bounds the solid in which a body is.
        wall: String,
        /// Advice on what to change at the wall that bounds the solid.
        remedy: &'static str,
    },
    /// The time step is longer than the stability limit of an explicit integrator.
    #[error("{at} is {dt}, too long for {by}: write at most {limit} to be stable, {advice} to be exact, or \"auto\"")]
    StepTooLong {
        /// Location of the time step in the scene.
        at: Location,
        /// The time step in s that is refused because it is too long.
        dt: f64,
        /// The contact or motion that the refused time step does not resolve, a noun phrase.
        by: String,
        /// Longest stable time step in s; the refused one is longer.
        limit: f64,
        /// Time step in s that `"auto"` would take instead of the refused one.
        advice: f64,
    },
    /// The duration and the time step give more steps than are allowed.
    #[error("{at} gives {steps:e} steps, more than {limit:e}")]
    TooManySteps {
        /// Location in the scene of the key that gives the number of steps.
        at: Location,
        /// Number of steps that the scene asks for, more than are allowed.
        steps: f64,
        /// Largest allowed number of steps.
        limit: f64,
    },
    /// No time step can be derived for `"auto"`.
    #[error("{at} cannot be \"auto\" here: {problem}")]
    NoAutomaticStep {
        /// Location in the scene of the time step `"auto"` that cannot be derived.
        at: Location,
        /// Reason why no time step can be derived for `"auto"`.
        problem: String,
    },
    /// A random pour found no room for its bodies.
    #[error(
        "{at}: no room was found for {count} bodies, which with gaps fill {fraction:.2} times the region; {}{}",
        room(*.fraction, *.there),
        among(*.there)
    )]
    NoRoom {
        /// Location of the poured group in the scene.
        at: Location,
        /// Number of bodies of the pour that found no room.
        count: usize,
        /// Volume of the poured bodies, each with half of the gap around it, relative to the volume of the box.
        fraction: f64,
        /// Number of bodies that were in the box before the pour.
        there: usize,
    },
    /// A table of bodies has a wrong header or row.
    #[error("{}: line {line}, column `{column}`: {problem}", .path.display())]
    Table {
        /// Path of the table of bodies.
        path: PathBuf,
        /// Line of the table with the problem, counted from one.
        line: usize,
        /// Name of the column of the table with the problem.
        column: String,
        /// The problem in the table of bodies, in words.
        problem: &'static str,
    },
    /// A library of this project refuses the value of a key of the scene.
    #[error("{at}: {source}")]
    Refused {
        /// Location of the refused value in the scene.
        at: Location,
        /// Error of the library that refuses the value.
        source: Box<DemError>,
    },
    /// A library of this project refuses the contents of a file that the scene names.
    #[error("{at}: {}: {source}", .path.display())]
    File {
        /// Location in the scene of the key that names the file.
        at: Location,
        /// Path of the refused file.
        path: PathBuf,
        /// Error of the library that refuses the file.
        source: Box<DemError>,
    },
    /// A scene has a value that cannot be written as TOML.
    #[error("the scene cannot be written as TOML: {problem}")]
    Unwritable {
        /// Message of the TOML writer.
        problem: String,
    },
    /// A file could not be read or written.
    #[error("{}: {source}{}", .path.display(), room_on_disk(.source))]
    Io {
        /// Path of the file that could not be read or written.
        path: PathBuf,
        /// Error of the operating system for reading or writing the file.
        source: std::io::Error,
    },
    /// The folder of the results could not be made.
    #[error(
        "{}: the folder of the results cannot be made: {source}; choose another one by `output.folder` or with `--output`",
        .path.display()
    )]
    NoFolder {
        /// Path of the folder that could not be made.
        path: PathBuf,
        /// Error of the operating system for making the folder.
        source: std::io::Error,
    },
    /// A problem of contact dynamics could not be written as an `FCLIB` file.
    #[error("{}: {source}", .path.display())]
    Fclib {
        /// Path of the `FCLIB` file.
        path: PathBuf,
        /// Error of the library that writes the `FCLIB` file.
        source: FclibError,
    },
    /// A file that a key of the scene names could not be read.
    #[error("{at}: {}: {source}", .path.display())]
    Unreadable {
        /// Location in the scene of the key that names the file.
        at: Location,
        /// Path of the unreadable file.
        path: PathBuf,
        /// Error of the operating system for reading the file.
        source: std::io::Error,
    },
    /// A scene would take more memory than is free.
    #[error(
        "{at}: {what} would take about {needed_gb:.1} GB of memory, but may take {allowed_gb:.1} GB at most, nine tenths \
         of what is free",
        needed_gb = *.needed as f64 / 1e9,
        allowed_gb = *.allowed as f64 / 1e9
    )]
    TooLarge {
        /// Location in the scene of the key that asks for the memory.
        at: Location,
        /// Use of the memory, in words.
        what: String,
        /// Estimated number of bytes of memory for this use.
        needed: u64,
        /// Number of bytes of memory that this use may take.
        allowed: u64,
    },
    /// The folder of the results holds results of an earlier run, or files with their names.
    #[error(
        "{}: there is `{found}`, as from an earlier run; `grains resume` continues it, `--overwrite` removes it",
        .path.display()
    )]
    Occupied {
        /// Path of the folder that is occupied.
        path: PathBuf,
        /// Name of a file of results that is in the folder already.
        found: String,
    },
    /// There is already a file that a result would replace, which only `--overwrite` allows.
    #[error("{}: there is such a file already; `--overwrite` replaces it", .path.display())]
    Exists {
        /// Path of the file that is there already.
        path: PathBuf,
    },
    /// There is already a file that is never replaced, not even with `--overwrite`.
    #[error("{}: there is such a file already; choose another name", .path.display())]
    Taken {
        /// Path of the file that is there already.
        path: PathBuf,
    },
    /// A result would replace an input of the same command.
    #[error("{}: results would replace the input {}; choose another place for them", .path.display(), .input.display())]
    InputInTheWay {
        /// Path of the result that would replace an input.
        path: PathBuf,
        /// Path of the input that the result would replace.
        input: PathBuf,
    },
    /// Another process is writing results to the same folder.
    #[error("{}: another run is writing results there; let it end, or choose another folder with `--output`", .path.display())]
    Busy {
        /// Path of the folder to which another process writes.
        path: PathBuf,
    },
    /// The ending of a file's name is not the one of a known format.
    #[error("{at}: {}: endings can be {known}", .path.display())]
    UnknownFormat {
        /// Location in the scene of the key that names the file.
        at: Location,
        /// Path of the file with the unknown ending.
        path: PathBuf,
        /// The known endings of file names, in words.
        known: &'static str,
    },
    /// A checkpoint cannot be used.
    #[error("{}: {source}", .path.display())]
    Checkpoint {
        /// Path of the checkpoint.
        path: PathBuf,
        /// Reason why the checkpoint cannot be used.
        source: CheckpointError,
    },
    /// The state of a run cannot be encoded for a checkpoint.
    #[error("the state cannot be stored: {problem}")]
    Unstorable {
        /// Message of the encoder of checkpoints.
        problem: String,
    },
    /// A table has no rows between the times that are asked for.
    #[error("{}: no row is between these times; its rows go from {} to {} s", .path.display(), .times[0], .times[1])]
    NothingInside {
        /// Path of the table.
        path: PathBuf,
        /// Times in s of the first and the last row of the table.
        times: [f64; 2],
    },
    /// A folder has no results of a run.
    #[error("{}: there are no results of a run; give the folder that `grains run` named at its end", .path.display())]
    NoResults {
        /// Path of the folder without results.
        path: PathBuf,
    },
    /// The scene of a run has no measurements to take of its stored states.
    #[error(
        "{}: there is nothing to measure: the scene of this run has no `[[measure]]`; write one into a scene file and \
         give that with `--scene`",
        .path.display()
    )]
    NothingToMeasure {
        /// Path of the folder or of the checkpoint of the run without measurements.
        path: PathBuf,
    },
    /// A run has no frames.
    #[error("{}: this run has no frames; add `frames = {{ time = 0.1 }}` to `[output]` of its scene", .path.display())]
    NoFrames {
        /// Path of the folder of the run without frames.
        path: PathBuf,
    },
    /// A run has no table of the name that is asked for.
    #[error("{}: there is no such table; this run has {}", .path.display(), if .known.is_empty() { "none".to_owned() } else { .known.join(", ") })]
    NoTable {
        /// Path that the table would have.
        path: PathBuf,
        /// Names of the tables of the run.
        known: Vec<String>,
    },
    /// A table of results does not have the column that is asked for.
    #[error("{}: there is no column `{found}`{}; {}", .path.display(), suggestion(.nearest), known_columns(.known))]
    UnknownColumn {
        /// Path of the table without the column.
        path: PathBuf,
        /// Name of the column that is asked for.
        found: String,
        /// Name of the table's column whose spelling is nearest to the missing one.
        nearest: Option<Box<str>>,
        /// Names of all columns of the table.
        known: Box<[String]>,
    },
    /// A plot or a picture cannot be drawn.
    #[error(transparent)]
    Picture(#[from] PlotError),
    /// A frame does not fit into the view of a page.
    #[error(transparent)]
    View(#[from] ViewError),
    /// A file of results has another length than the run has written.
    #[error("{}: has {found} bytes, not the {expected} that were written; another program changed it", .path.display())]
    ResultsChanged {
        /// Path of the file of results that something else has changed.
        path: PathBuf,
        /// Number of bytes that the run has written to the file of results.
        expected: u64,
        /// Number of bytes that the changed file of results has.
        found: u64,
    },
    /// A file of results was replaced by another file with the same name.
    #[error("{}: is not the file that the run has written; another program replaced it", .path.display())]
    ResultsReplaced {
        /// Path of the file of results that something else has replaced.
        path: PathBuf,
    },
    /// A step of the integrator failed.
    #[error("step {step} at the time {time}: {source}{details}")]
    Step {
        /// Number of the failed step, counted from one.
        step: u64,
        /// Simulated time of the failed step in s.
        time: f64,
        /// Error of the integrator in the failed step.
        source: IntegrateError,
        /// Ids or names, and places, of the bodies and walls in the integrator's error, with possible causes; empty if
        /// unknown.
        details: String,
    },
    /// The energy exceeds the energy at the start plus the work of gravity and walls: the run is stopped.
    #[error(
        "step {step} at the time {time}: energy has grown without a source: {excess} {unit} of the {energy} {unit} of motion, contacts and bonds; if steps are long, make `time.dt` smaller"
    )]
    EnergyGrown {
        /// Number of the step after which the energy was too large, counted from one.
        step: u64,
        /// Simulated time in s of the step after which the energy was too large.
        time: f64,
        /// Growth of the energy without a source, in J.
        excess: f64,
        /// Kinetic energy, elastic energy and energy of bonds, in J, with which the growth of the energy is compared.
        energy: f64,
        /// Name of the unit of energy in the scene.
        unit: String,
    },
    /// The centre of a body went through a wall within one step of an integrator that is not explicit.
    #[error(
        "step {step} at the time {time}: the centre of body {body} went through wall {wall} within the step, moving by \
         {way}; its radius is {radius}: {remedy}"
    )]
    WallCrossed {
        /// Number of the step in which the body went through the wall, counted from one.
        step: u64,
        /// Simulated time in s at the end of the step in which the body went through the wall.
        time: f64,
        /// Id of the body that went through the wall.
        body: u64,
        /// Name of the wall that the body went through, or the wall's number.
        wall: String,
        /// Distance in m that the body moved relative to the wall in the step.
        way: f64,
        /// Radius in m of the body that went through the wall.
        radius: f64,
        /// Advice on what to change in the scene so that no body goes through the wall, in words.
        remedy: String,
    },
    /// Contacts and energies of a state could not be computed.
    #[error("the state at the time {time} cannot be read: {source}")]
    Reading {
        /// Simulated time in s of the state that could not be read.
        time: f64,
        /// Error of the library that computes contacts and energies.
        source: Box<DemError>,
    },
    /// The threads of a run could not be started.
    #[error("threads could not be started: {problem}; `--threads 1` needs the fewest")]
    NoThreads {
        /// Message of the operating system or of the thread pool.
        problem: String,
    },
    /// A run on several ranks cannot go on.
    #[error(transparent)]
    OnRanks(#[from] OnRanksError),
    /// The thread that writes results has ended, so that no more results can be written.
    #[error("the thread that writes results has ended")]
    WriterGone,
}
