//! The command line: of the program `grains`, and of programs whose ranks are several processes.

mod info;
mod json;
mod on_ranks;
mod progress;
mod signals;
mod values;

use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Parser, Subcommand, ValueEnum};
use dem_ranks::Ranks;

use self::info::{info, lines};
use self::progress::{Progress, Telling, in_json, print_json};
use self::values::{number, numbers, pixels};
use crate::convert::{ConvertOptions, convert};
use crate::error::{GrainsError, OnRanksError};
use crate::estimate::Estimate;
use crate::run::{Run, RunOptions};
use crate::show::picture::{Film, PictureRequest, film, picture};
use crate::show::plot::{PlotRequest, write_plot};
use crate::show::report::{PAGE, is_outdated, report};
use crate::stored_measures::{Stored, measure};
use crate::templates::{self, Template};
use crate::{ranks, reference};

const SUCCESS: u8 = 0;
/// Exit code of a run that a signal such as Ctrl-C ended, after a checkpoint was written.
const INTERRUPTED: u8 = 130;

/// Runs scenes of grains.
#[derive(Debug, Parser)]
#[command(version, about)]
struct Line {
    #[command(subcommand)]
    command: Command,
    /// Number of threads; results do not depend on it.
    #[arg(long, global = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Runs a scene from start to end.
    Run {
        /// File of the scene to run.
        scene: PathBuf,
        /// Folder of the results; the one that the scene names if not given.
        #[arg(long)]
        output: Option<PathBuf>,
        /// Runs the short version of the scene, for the duration time.quick.
        #[arg(long)]
        quick: bool,
        /// Removes results of an earlier run from the folder first.
        #[arg(long)]
        overwrite: bool,
        /// Sets a key of the scene, such as time.dt=1e-5 or walls[0].name=lid; may be given several times.
        #[arg(long, value_name = "KEY=VALUE")]
        set: Vec<String>,
        /// Prints only how the run ended, neither progress nor notes.
        #[arg(long)]
        quiet: bool,
        /// Prints progress and end as lines of JSON on the standard output.
        #[arg(long, conflicts_with = "quiet")]
        json: bool,
        /// Number of ranks, which share the bodies out among them; results do not depend on it.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
        ranks: u16,
    },
    /// Checks a scene and estimates what its run would take.
    Check {
        /// File of the scene to check.
        scene: PathBuf,
        /// Checks the short version of the scene.
        #[arg(long)]
        quick: bool,
        /// Sets a key of the scene, such as time.dt=1e-5 or walls[0].name=lid; may be given several times.
        #[arg(long, value_name = "KEY=VALUE")]
        set: Vec<String>,
        /// Prints the answer as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Continues a run that was stopped or killed, to the same results.
    Resume {
        /// Folder of the run's results, or a checkpoint in it.
        run: PathBuf,
        /// Prints only how the run ended, neither progress nor notes.
        #[arg(long)]
        quiet: bool,
        /// Prints progress and end as lines of JSON on the standard output.
        #[arg(long, conflicts_with = "quiet")]
        json: bool,
        /// Number of ranks, whatever it was before the stop; results do not depend on it.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
        ranks: u16,
    },
    /// Describes a scene or a checkpoint.
    Info {
        /// File of a scene, a checkpoint, or a folder of results.
        file: PathBuf,
        /// Prints the answer as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Measures the stored checkpoints or frames of a run, each once, by the `[[measure]]` of its scene, as tables on
    /// the standard output.
    Measure {
        /// Folder of the run's results, or a checkpoint in it.
        run: PathBuf,
        /// Measures all frames instead of the last two checkpoints.
        #[arg(long)]
        frames: bool,
        /// File of a scene whose measurements are taken instead of those of the run's scene.
        #[arg(long)]
        scene: Option<PathBuf>,
        /// Prints the tables as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Writes a page with plots of everything that one or several runs have written.
    Report {
        /// Folders of results; several runs are drawn on the same axes.
        #[arg(required = true)]
        runs: Vec<PathBuf>,
        /// File to write; report.html in the folder of the first run if not given.
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Replaces the written file if it is there already; a page that this command has written is always replaced.
        #[arg(long)]
        overwrite: bool,
    },
    /// Draws a frame of a run as a picture.
    Picture {
        /// Folder of the run's results.
        run: PathBuf,
        /// Time of the frame to draw, the nearest one is taken; the last frame if not given.
        #[arg(long, value_name = "TIME", value_parser = number, conflicts_with = "movie")]
        at: Option<f64>,
        /// Column of the grains that decides on their colours: speed, diameter, overlap, an array of the frames, or a
        /// component such as `velocity_z`.
        #[arg(long, value_name = "COLUMN", default_value = "speed")]
        colour: String,
        /// Smallest and largest number of the colour bar.
        #[arg(long, value_name = "LOW,HIGH", value_parser = numbers::<2>, allow_hyphen_values = true)]
        range: Option<[f64; 2]>,
        /// Direction towards the eye.
        #[arg(long, value_name = "X,Y,Z", value_parser = numbers::<3>, allow_hyphen_values = true)]
        from: Option<[f64; 3]>,
        /// Width and height in pixels.
        #[arg(long, value_name = "WIDTH,HEIGHT", value_parser = pixels, default_value = "1200,900")]
        size: [usize; 2],
        /// Draws contact forces as lines.
        #[arg(long)]
        forces: bool,
        /// Draws bonds as lines.
        #[arg(long)]
        bonds: bool,
        /// Leaves out walls.
        #[arg(long)]
        no_walls: bool,
        /// Draws all frames as numbered pictures, and a film where ffmpeg is installed.
        #[arg(long)]
        movie: bool,
        /// File to write, .png; picture.png if not given.
        #[arg(short, long, value_name = "FILE", default_value = "picture.png")]
        output: PathBuf,
        /// Replaces written files if they are there already.
        #[arg(long)]
        overwrite: bool,
    },
    /// Plots columns of results as a picture.
    Plot {
        /// Folder of the run's results.
        run: PathBuf,
        /// Columns to plot: of the time series, or NAME:COLUMN of the file NAME.csv or, if there is none, of the
        /// measurement NAME; measure-NAME:COLUMN is always that of a measurement.
        #[arg(required = true)]
        columns: Vec<String>,
        /// Folder of another run that is plotted on the same axes; may be given several times.
        #[arg(long, value_name = "RUN")]
        with: Vec<PathBuf>,
        /// Column along the horizontal axis instead of the time.
        #[arg(long, value_name = "COLUMN")]
        against: Option<String>,
        /// Time at which fields on a grid are plotted instead of the last one.
        #[arg(long, value_name = "TIME", value_parser = number)]
        at: Option<f64>,
        /// Axes with a logarithmic scale.
        #[arg(long, value_enum)]
        log: Option<LogAxes>,
        /// File to write, .svg or .png; COLUMN.svg if not given.
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Replaces the written file if it is there already.
        #[arg(long)]
        overwrite: bool,
    },
    /// Writes a commented scene to begin with; lists the kinds of scenes if none is given.
    New {
        /// Kind of the scene to write.
        kind: Option<String>,
        /// File to write; KIND.toml if not given. A file that is there is never replaced.
        file: Option<PathBuf>,
    },
    /// Prints the JSON schema of scenes, for editors, or the pages of all keys and of all columns of results.
    Schema {
        /// Prints the page of all keys in Markdown instead of the schema.
        #[arg(long)]
        page: bool,
        /// Prints the page of all columns of results in Markdown instead of the schema.
        #[arg(long, conflicts_with = "page")]
        columns: bool,
    },
    /// Converts bodies from .csv, .data, .data.gz, .vtp, .grains or .toml to .csv, .data or .vtp.
    Convert {
        /// File of bodies to read.
        from: PathBuf,
        /// File of bodies to write.
        to: PathBuf,
        /// Replaces the written file if it is there already.
        #[arg(long)]
        overwrite: bool,
    },
}

/// Choice of the axes of a plot that have a logarithmic scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LogAxes {
    X,
    Y,
    Xy,
}

/// Runs the command that the arguments of this process give, and returns the exit code.
#[must_use]
pub fn main() -> ExitCode {
    let Line { command, threads } = Line::parse();
    let is_run = matches!(command, Command::Run { .. } | Command::Resume { .. });
    let begun = if is_run { refuse_processes() } else { Ok(()) };
    exit_code(begun.and_then(|()| execute_on(threads, command))).into()
}

/// Runs the command line of this process (`run`, `resume` or `check`) as one of several ranks, each on one thread
/// unless `--threads` is given. All ranks make the same call with the same arguments. Rank 0 writes all files and
/// messages; if rank 0 fails, the other ranks return an error as well. Returns the exit code.
#[must_use]
pub fn main_on_ranks(ranks: Box<dyn Ranks + Send>) -> u8 {
    let is_first = ranks.rank() == 0;
    let Line { command, threads } = match Line::try_parse() {
        Ok(line) => line,
        Err(error) => {
            let _shown = if is_first { error.print() } else { Ok(()) };
            return error.exit_code() as u8;
        }
    };
    if !is_first {
        // Ranks other than 0 ignore signals: rank 0 writes a checkpoint and then ends all ranks.
        signals::catch(&Arc::default());
    }
    let outcome = on_threads(Some(threads.unwrap_or(1)), || match command {
        Command::Run { ranks: 1, .. } | Command::Resume { ranks: 1, .. } if !is_first => {
            ranks::serve(ranks).map(|()| SUCCESS)
        }
        Command::Run { ranks: 1, scene, output, quick, overwrite, set, quiet, json } => {
            let run = Run::of_file_on(ranks, &scene, output.as_deref(), RunOptions { quick, overwrite, set })?;
            drive(run, telling(quiet, json))
        }
        Command::Resume { ranks: 1, run, quiet, json } => drive(Run::resume_on(ranks, run)?, telling(quiet, json)),
        check @ Command::Check { .. } if is_first => execute(check),
        Command::Check { .. } => Ok(SUCCESS),
        _ => Err(OnRanksError::Command.into()),
    });
    match outcome {
        Err(error) if !is_first && matches!(&error, GrainsError::OnRanks(error) if error.is_of_all()) => {
            error.exit_code()
        }
        outcome => exit_code(outcome),
    }
}

/// Prints the error of a command, if any, and returns the exit code of the process.
fn exit_code(outcome: Result<u8, GrainsError>) -> u8 {
    outcome.unwrap_or_else(|error| {
        tell(&error.report(is_styled()));
        error.exit_code()
    })
}

/// Returns an error if an MPI launcher has started this program as one of several processes: each would run the whole
/// scene.
fn refuse_processes() -> Result<(), GrainsError> {
    let count = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<usize>().ok());
    let processes = ["PMI_SIZE", "OMPI_COMM_WORLD_SIZE"].into_iter().find_map(count).unwrap_or(1);
    if processes > 1 { Err(OnRanksError::Processes { processes }.into()) } else { Ok(()) }
}

/// Runs `work` on a thread of a new thread pool. From outside of the pool, each parallel loop of `work` would first be
/// handed over to the pool.
fn on_threads<R: Send>(
    threads: Option<u16>,
    work: impl FnOnce() -> Result<R, GrainsError> + Send,
) -> Result<R, GrainsError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or_default().into()).build();
    pool.map_err(|error| GrainsError::NoThreads { problem: error.to_string() })?.install(work)
}

/// Executes a command on this number of threads, per rank if the command has several ranks.
fn execute_on(threads: Option<u16>, command: Command) -> Result<u8, GrainsError> {
    match command {
        Command::Run { ranks: count @ 2.., scene, output, quick, overwrite, set, quiet, json } => {
            on_ranks::all(count, threads, |ranks| {
                let options = RunOptions { quick, overwrite, set: set.clone() };
                drive(Run::of_file_on(ranks, &scene, output.as_deref(), options)?, telling(quiet, json))
            })
        }
        Command::Resume { ranks: count @ 2.., run, quiet, json } => {
            on_ranks::all(count, threads, |ranks| drive(Run::resume_on(ranks, &run)?, telling(quiet, json)))
        }
        other => on_threads(threads, || execute(other)),
    }
}

fn execute(command: Command) -> Result<u8, GrainsError> {
    match command {
        Command::Run { scene, output, quick, overwrite, set, quiet, json, .. } => {
            let run = Run::of_file(&scene, output.as_deref(), RunOptions { quick, overwrite, set })?;
            drive(run, telling(quiet, json))
        }
        Command::Resume { run, quiet, json, .. } => drive(Run::resume(run)?, telling(quiet, json)),
        Command::Check { scene, quick, set, json } => {
            let estimate = Estimate::of_file_with(scene, &set, quick)?;
            print(&if json { json::estimate(&estimate).to_string() } else { estimate.to_string() })
        }
        Command::Info { file, json } => {
            let facts = info(&file)?;
            print(&if json { json::facts(facts).to_string() } else { lines(&facts) })
        }
        Command::Measure { run, frames, scene, json } => {
            let stored = if frames { Stored::Frames } else { Stored::Checkpoints };
            let tables = measure(run, scene.as_deref(), stored)?;
            print(&if json { json::tables(&tables).to_string() } else { tables.trim_end().to_owned() })
        }
        Command::Picture { run, at, colour, range, from, size, forces, bonds, no_walls, movie, output, overwrite } => {
            let request = PictureRequest { colour, range, from, size, forces, bonds, walls: !no_walls };
            if movie {
                let Film { pictures, film } = film(&run, &request, &output, overwrite)?;
                tell(&format!("wrote {} pictures", pictures.len()));
                tell(
                    &film.map_or("no film: there is no ffmpeg".to_owned(), |film| format!("wrote {}", film.display())),
                );
            } else {
                picture(&run, &request, at, &output, overwrite)?;
                tell(&format!("wrote {}", output.display()));
            }
            Ok(SUCCESS)
        }
        Command::Report { runs, output, overwrite } => {
            let to = output.unwrap_or_else(|| runs[0].join(PAGE));
            report(&runs, &to, overwrite)?;
            tell(&format!("wrote {}", to.display()));
            Ok(SUCCESS)
        }
        Command::Plot { run, columns, with, against, at, log, output, overwrite } => {
            let to = output.unwrap_or_else(|| format!("{}.svg", columns[0].replace([':', '/'], "-")).into());
            let runs = [run].into_iter().chain(with).collect();
            let log_x = matches!(log, Some(LogAxes::X | LogAxes::Xy));
            let log_y = matches!(log, Some(LogAxes::Y | LogAxes::Xy));
            write_plot(&PlotRequest { runs, columns, against, at, log_x, log_y }, &to, overwrite)?;
            tell(&format!("wrote {}", to.display()));
            Ok(SUCCESS)
        }
        Command::New { kind: None, .. } => print(&kinds()),
        Command::New { kind: Some(kind), file } => {
            let path = file.unwrap_or_else(|| format!("{kind}.toml").into());
            Template::of(&kind)?.write(&path)?;
            tell(&format!("wrote {0}; try: grains check {0}", path.display()));
            Ok(SUCCESS)
        }
        Command::Schema { columns: true, .. } => print(reference::COLUMNS.trim_end()),
        Command::Schema { page: true, .. } => print(reference::page().trim_end()),
        Command::Schema { .. } => print(&format!("{:#}", reference::schema_for_editors())),
        Command::Convert { from, to, overwrite } => {
            for what in convert(&from, &to, ConvertOptions { overwrite })? {
                tell(&format!("note: {}: {what}: not taken over", from.display()));
            }
            Ok(SUCCESS)
        }
    }
}

/// Lists the kinds of scenes that `grains new` can write, one line each.
fn kinds() -> String {
    let lines = templates::ALL.iter().map(|one| format!("{:<11}{}", one.kind, one.about));
    lines.chain(["write one with: grains new KIND [FILE]".to_owned()]).collect::<Vec<_>>().join("\n")
}

/// Prints a text to the standard output. A closed pipe is no error.
fn print(text: &str) -> Result<u8, GrainsError> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(source) if source.kind() != ErrorKind::BrokenPipe => {
            Err(GrainsError::Io { path: "the standard output".into(), source })
        }
        _ => Ok(SUCCESS),
    }
}

/// Prints a text to the standard error. Errors of writing are ignored, since a run's results are in files.
fn tell(text: &str) {
    let _written = writeln!(std::io::stderr(), "{text}");
}

fn is_styled() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|text| text.is_empty())
}

/// Takes all steps of a run, or the steps until a signal such as Ctrl-C, and writes the results. Returns the exit code.
fn drive(mut run: Run, telling: Telling) -> Result<u8, GrainsError> {
    let quiet = telling == Telling::Quiet;
    let stop = Arc::new(AtomicBool::new(false));
    signals::catch(&stop);
    for note in run.simulation().notes().iter().filter(|_| !quiet) {
        tell(&note.report(is_styled()));
    }
    if !quiet && let Some(text) = run.simulation().first_step_in_words()? {
        tell(&text);
    }
    let mut progress = Progress::new(&run, telling);
    if run.simulation().is_over() {
        tell("this run is finished: there is nothing to do");
    }
    let outcome = loop {
        if stop.load(Ordering::SeqCst) {
            break run.checkpoint().map(|()| true);
        }
        run.take_ended().iter().for_each(|line| progress.say(line));
        match run.advance().and_then(|goes_on| progress.show(&mut run).map(|()| goes_on)) {
            Ok(true) => {}
            Ok(false) => break Ok(false),
            Err(error) => break Err(error),
        }
    };
    let step = run.simulation().steps_taken();
    let time = run.simulation().state().time();
    run.take_ended().iter().for_each(|line| progress.say(line));
    progress.end(&run);
    let balance = run.simulation().balance().filter(|_| !quiet).map(on_ranks::in_words);
    let folder = run.folder().display().to_string();
    let end = (telling == Telling::Json).then(|| in_json(&run));
    let written = run.finish();
    let outcome = outcome.and_then(|interrupted| written.map(|_| interrupted));
    if let Some(end) = end {
        print_json(
            end,
            match outcome {
                Ok(false) => "end",
                Ok(true) => "interrupted",
                Err(_) => "failed",
            },
        );
    }
    let interrupted = outcome?;
    if interrupted {
        tell(&format!("interrupted after {step} steps at the time {time}; go on with: grains resume {folder}"));
        return Ok(INTERRUPTED);
    }
    balance.into_iter().for_each(|balance| tell(&balance));
    tell(&format!("{step} steps to the time {time}; results in {folder}"));
    if !quiet && is_outdated(Path::new(&folder)) {
        tell(&format!("{PAGE} is older than these results; renew it with: grains report {folder}"));
    }
    Ok(SUCCESS)
}

fn telling(quiet: bool, json: bool) -> Telling {
    match (quiet, json) {
        (_, true) => Telling::Json,
        (true, _) => Telling::Quiet,
        _ => Telling::Words,
    }
}
