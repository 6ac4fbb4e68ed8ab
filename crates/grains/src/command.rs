//! The command line: of the program `grains`, and of programs that bring ranks of several processes together.

mod arguments;
mod info;
mod json;
mod on_ranks;
mod progress;
mod signals;
mod values;

use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Parser as _;
use dem_ranks::Ranks;
use grains_pages::number::short;

use self::arguments::{Command, Line, LogAxes};
use self::info::{info, lines};
use self::progress::{Progress, Telling, in_json, print_json};
use crate::convert::{ConvertOptions, convert};
use crate::error::{GrainsError, OnRanksError};
use crate::estimate::Estimate;
use crate::output::page::PAGE;
use crate::results::table::Span;
use crate::run::{Run, RunOptions};
use crate::show::picture::{Film, PictureRequest, ShownFrame, draw, film};
use crate::show::plot::{self, PlotRequest, write_plot};
use crate::show::report::{is_outdated, report_of};
use crate::stored_measures::{MeasuredTable, Stored, measure};
use crate::templates::{self, Template};
use crate::{ranks, reference};

const SUCCESS: u8 = 0;
/// Exit code of a run that a signal such as Ctrl-C ended, after a checkpoint was written.
const INTERRUPTED: u8 = 130;

/// Runs the command that the arguments of this process give, and returns the exit code.
#[must_use]
pub fn main() -> ExitCode {
    let Line { command, threads } = Line::parse();
    let is_run = matches!(command, Command::Run { .. } | Command::Resume { .. });
    let begun = if is_run { refuse_processes() } else { Ok(()) };
    exit_code(begun.and_then(|()| execute_on(threads, command))).into()
}

/// Runs the command line of this process, `run`, `resume` or `check`, as one of several ranks, each on one thread
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
        // Rank 0 ends all of the ranks, after a checkpoint.
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
        // Rank 0 reports the same error.
        Err(error) if !is_first && matches!(&error, GrainsError::OnRanks(error) if error.is_of_all()) => {
            error.exit_code()
        }
        outcome => exit_code(outcome),
    }
}

/// Shows the error of a command, if there is one, and returns the exit code of the process.
fn exit_code(outcome: Result<u8, GrainsError>) -> u8 {
    outcome.unwrap_or_else(|error| {
        tell(&error.report(is_styled()));
        error.exit_code()
    })
}

/// Returns an error if a launcher of MPI has started this program as one of several processes, each of which would run
/// the whole scene.
fn refuse_processes() -> Result<(), GrainsError> {
    let count = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<usize>().ok());
    let processes = ["PMI_SIZE", "OMPI_COMM_WORLD_SIZE"].into_iter().find_map(count).unwrap_or(1);
    if processes > 1 { Err(OnRanksError::Processes { processes }.into()) } else { Ok(()) }
}

/// Runs `work` on a thread of a new thread pool. Outside the pool, each parallel loop of `work` would first be handed
/// over to the pool.
fn on_threads<R: Send>(
    threads: Option<u16>,
    work: impl FnOnce() -> Result<R, GrainsError> + Send,
) -> Result<R, GrainsError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or_default().into()).build();
    pool.map_err(|error| GrainsError::NoThreads { problem: error.to_string() })?.install(work)
}

/// Executes a command on this number of threads, or on this number for each rank if the command has several ranks.
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
        Command::Measure { run, frames, scene, output, overwrite, json } => {
            let stored = if frames { Stored::Frames } else { Stored::Checkpoints };
            let tables = measure(run, scene.as_deref(), stored)?;
            for table in &tables {
                table.empty_columns().iter().for_each(|reason| tell(&format!("note: {}: {reason}", table.name)));
            }
            if let Some(folder) = output {
                let write = if overwrite { MeasuredTable::replace_all } else { MeasuredTable::write_all };
                write(&tables, &folder)?.iter().for_each(|path| tell_written(path));
                return Ok(SUCCESS);
            }
            print(&if json { json::tables(&tables).to_string() } else { in_one_text(&tables) })
        }
        Command::Picture { run, at, colour, range, from, size, forces, bonds, no_walls, movie, output, overwrite } => {
            // Two colour bars of the same colours would be taken for each other.
            let usual = if forces { "" } else { "speed" };
            let colour = colour.unwrap_or_else(|| usual.to_owned());
            let request = PictureRequest { colour, range, from, size, forces, bonds, walls: !no_walls };
            if movie {
                let Film { pictures, film } = film(&run, &request, &output, overwrite)?;
                if let [first, .., last] = &pictures[..] {
                    tell(&format!("wrote {} to {}", first.display(), last.display()));
                }
                tell(
                    &film.map_or("no film: there is no ffmpeg".to_owned(), |film| format!("wrote {}", film.display())),
                );
            } else {
                let ShownFrame { time, ends } = draw(&run, &request, at, &output, overwrite)?;
                if let (Some(at), Some([first, last])) = (at, ends) {
                    tell(&format!("note: there is no frame near {at} s: the frames go from {first} to {last}"));
                }
                tell(&format!("wrote {}: the frame at {time}", output.display()));
            }
            Ok(SUCCESS)
        }
        Command::Report { runs, from, until, output, overwrite } => {
            let to = output.unwrap_or_else(|| runs[0].join(PAGE));
            report_of(&runs, Span { from, until }, &to, overwrite)?;
            tell_written(&to);
            Ok(SUCCESS)
        }
        Command::Plot { run, columns, .. } if columns.is_empty() => print(&plot::columns(&run)?),
        Command::Plot { run, columns, with, against, at, from, until, log, output, overwrite } => {
            let to = output.unwrap_or_else(|| format!("{}.svg", columns[0].replace([':', '/'], "-")).into());
            let runs = [run].into_iter().chain(with).collect();
            let log_x = matches!(log, Some(LogAxes::X | LogAxes::Xy));
            let log_y = matches!(log, Some(LogAxes::Y | LogAxes::Xy));
            let request = PlotRequest { runs, columns, against, at, from, until, log_x, log_y };
            write_plot(&request, &to, overwrite)?;
            tell_written(&to);
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

/// Lists the kinds of scenes that `grains new` writes, one line each.
fn kinds() -> String {
    let lines = templates::ALL.iter().map(|one| format!("{:<11}{}", one.kind, one.about));
    lines.chain(["write one with: grains new KIND [FILE]".to_owned()]).collect::<Vec<_>>().join("\n")
}

/// Joins tables to one text: a line with the name of each before it, and an empty line between two.
fn in_one_text(tables: &[MeasuredTable]) -> String {
    let named = tables.iter().map(|MeasuredTable { name, csv }| format!("# {name}\n{csv}"));
    named.collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

/// Prints a text to the standard output. A closed pipe is no error: its reader has seen enough.
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

fn tell_written(path: &Path) {
    tell(&format!("wrote {}", path.display()));
}

/// Returns whether messages on the standard error may have colours.
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
        run.take_messages().iter().for_each(|line| progress.say(line));
        match run.advance().and_then(|goes_on| progress.show(&mut run).map(|()| goes_on)) {
            Ok(true) => {}
            Ok(false) => break Ok(false),
            Err(error) => break Err(error),
        }
    };
    let step = run.simulation().steps_taken();
    let time = run.simulation().state().time();
    run.take_messages().iter().for_each(|line| progress.say(line));
    progress.end(&run);
    let balance = run.simulation().balance().filter(|_| !quiet).map(on_ranks::in_words);
    let folder = run.folder().display().to_string();
    let end = (telling == Telling::Json).then(|| in_json(&run));
    let written = run.finish();
    // The first error is reported.
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
        let time = short(time, 6);
        tell(&format!("interrupted after {step} steps at the time {time}; go on with: grains resume {folder}"));
        return Ok(INTERRUPTED);
    }
    balance.into_iter().for_each(|balance| tell(&balance));
    tell(&format!("{step} steps to the time {}; results in {folder}", short(time, 6)));
    if !quiet && is_outdated(Path::new(&folder)) {
        tell(&format!("{PAGE} is older than these results; renew it with: grains report {folder}"));
    }
    Ok(SUCCESS)
}

/// Returns how a run tells of its progress.
fn telling(quiet: bool, json: bool) -> Telling {
    match (quiet, json) {
        (_, true) => Telling::Json,
        (true, _) => Telling::Quiet,
        _ => Telling::Words,
    }
}
